"""The official JSON Schema Test Suite, draft 2020-12: all required cases, and the optional ones with their switches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_specifications import REGISTRY

from generator.runtime.schema.kinds import SchemaError
from generator.runtime.schema.validator import Validator, compile_validator

SERVED_AT = "http://localhost:1234/"
REQUIRED_FILES, REQUIRED_CASES = 46, 1299
OPTIONAL_FILES, OPTIONAL_CASES = 34, 926

OLDER_KEYWORD = "dependencies-compatibility.json"
"""Optional cases for `dependencies`, a keyword of draft 7, which is an annotation in 2020-12 (decision 17)."""


@pytest.fixture(scope="module")
def suite(shared: Path) -> Path:
    return shared / "cases" / "json-schema"


@pytest.fixture(scope="module")
def remotes(suite: Path) -> dict[str, Any]:
    found = {str(uri).rstrip("#"): REGISTRY.contents(uri) for uri in REGISTRY}
    for path in (suite / "remotes").rglob("*.json"):
        uri = SERVED_AT + path.relative_to(suite / "remotes").as_posix()
        found[uri] = json.loads(path.read_text(encoding="utf-8"))
    return found


def failures(files: list[Path], remotes: dict[str, Any], **switches: bool) -> tuple[int, list[str]]:
    """Return how many cases there are and a line for each one that is judged wrongly."""
    count, found = 0, []
    for file in files:
        for group in json.loads(file.read_text(encoding="utf-8")):
            validator = _compiled(group["schema"], remotes, switches)
            for case in group["tests"]:
                count += 1
                if isinstance(validator, str) or _wrong(validator, case):
                    reason = validator if isinstance(validator, str) else "judged wrongly"
                    found.append(f"{file.name}: {group['description']}: {case['description']}: {reason}")
    return count, found


def _compiled(schema: Any, remotes: dict[str, Any], switches: dict[str, bool]) -> Validator | str:
    try:
        return compile_validator(schema, remotes=remotes, assert_content=False, **switches)
    except SchemaError as error:
        return f"does not compile: {error}"


def _wrong(validator: Validator, case: dict[str, Any]) -> bool:
    accepted = validator.accepts(case["data"])
    explained = not validator.problems(case["data"])
    return accepted is not case["valid"] or explained is not case["valid"]


def test_every_required_case_is_judged_rightly_by_both_passes(suite: Path, remotes: dict[str, Any]) -> None:
    files = sorted((suite / "tests" / "draft2020-12").glob("*.json"))
    count, found = failures(files, remotes, assert_formats=False, strict_patterns=True)
    assert (len(files), count) == (REQUIRED_FILES, REQUIRED_CASES)
    assert found == []


def test_every_optional_format_case_is_judged_rightly_when_formats_are_asserted(
    suite: Path, remotes: dict[str, Any]
) -> None:
    files = sorted((suite / "tests" / "draft2020-12" / "optional" / "format").glob("*.json"))
    count, found = failures(files, remotes, assert_formats=True)
    assert count > 0
    assert found == []


def test_the_other_optional_cases_are_judged_rightly_but_for_a_keyword_of_an_older_draft(
    suite: Path, remotes: dict[str, Any]
) -> None:
    optional = suite / "tests" / "draft2020-12" / "optional"
    files = sorted(path for path in optional.glob("*.json") if path.name != OLDER_KEYWORD)
    _, found = failures(files, remotes, assert_formats=False)
    assert found == []
    assert len(list(optional.rglob("*.json"))) == OPTIONAL_FILES


def test_the_optional_part_is_complete(suite: Path) -> None:
    optional = suite / "tests" / "draft2020-12" / "optional"
    groups = [group for path in optional.rglob("*.json") for group in json.loads(path.read_text(encoding="utf-8"))]
    assert sum(len(group["tests"]) for group in groups) == OPTIONAL_CASES
