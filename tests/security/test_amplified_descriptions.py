"""A small description never costs much, whatever its operations share: what is too much is left out, and told.

Some cases are run every time and the others in turn, a third of them each day; `benchmarks/amplified.py` runs them all.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from .amplified_descriptions import CASES
from .description_runs import generate

MEGABYTE = 1_000_000
CPU_SECONDS = 10
"""Twice what a description may take, since machines of CI are slow: what this looks for takes minutes."""

MEMORY = 300 * 1024 * 1024
OUTGROWN = "MG237"

NOTHING_LEFT = {
    "a_long_path": "MG226",
    "dead_references_of_a_body": "MG207",
    "encodings_of_a_body": OUTGROWN,
    "mistakes_of_a_path_item": OUTGROWN,
    "xml_parts_of_a_body": OUTGROWN,
}
"""Cases of which nothing can be served, and the rule that says why."""

SERVED_WHOLE = {"a_union_of_3000_types", "alternatives_that_are_one_another", "names_that_clash"}
"""Cases that were only slow."""

ALWAYS = (
    "a_body_of_1500_members_by_reference",
    "alternatives_of_security",
    "encodings_of_a_body",
    "media_types_of_an_answer",
    "tags_of_a_path_item",
    "unions_of_unions",
)
"""Cases that each reach another limit."""

TURNS = 3
"""In so many days all cases have been run."""


def sample() -> list[str]:
    """Return the cases of today."""
    others = [name for name in CASES if name not in ALWAYS]
    return [*ALWAYS, *others[datetime.now(UTC).toordinal() % TURNS :: TURNS]]


def written(folder, document) -> str:
    text = json.dumps(document, separators=(",", ":"))
    assert len(text) < MEGABYTE
    (folder / "api.json").write_text(text, encoding="utf-8")
    return "api.json"


@pytest.mark.parametrize("name", sample())
def test_what_operations_share_does_not_multiply_without_end(name, tmp_path):
    run = generate(tmp_path, written(tmp_path, CASES[name]()), cpu=CPU_SECONDS)
    assert run.code == (2 if name in NOTHING_LEFT else 0), run.said
    assert "Traceback" not in run.said
    assert 0 < run.memory < MEMORY
    assert (NOTHING_LEFT.get(name, OUTGROWN) in run.said) is (name not in SERVED_WHOLE)
    assert len(run.said) < 100_000


@pytest.mark.parametrize("name", ["a_body_of_1500_members_by_reference", "fifty_thousand_operations"])
def test_what_was_left_out_is_served_when_it_is_asked_for(name, tmp_path):
    document = CASES[name]()
    last = list(document["paths"])[-1]
    run = generate(tmp_path, written(tmp_path, document), "--include-path", last, cpu=CPU_SECONDS)
    assert run.code == 0, run.said
    assert OUTGROWN not in run.said
    catalog = json.loads((tmp_path / "demo-mcp" / "demo_mcp" / "catalog.json").read_text(encoding="utf-8"))
    assert [tool["definition"]["name"].rpartition("_")[2] for tool in catalog["tools"]] == [last.removeprefix("/")]


def test_a_body_of_very_many_members_is_one_argument_and_loses_none(tmp_path):
    document = CASES["a_body_of_1500_members_by_reference"]()
    run = generate(tmp_path, written(tmp_path, document), "--include-path", "/p7")
    assert "MG268" in run.said
    catalog = json.loads((tmp_path / "demo-mcp" / "demo_mcp" / "catalog.json").read_text(encoding="utf-8"))
    (tool,) = catalog["tools"]
    schema = tool["definition"]["inputSchema"]
    assert list(schema["properties"]) == ["body"]
    assert schema["required"] == ["body"]
    assert len(schema["properties"]["body"]["properties"]) == 1500


def test_the_hint_of_what_is_left_out_can_be_pasted(tmp_path):
    run = generate(tmp_path, written(tmp_path, CASES["a_body_of_1500_members_by_reference"]()))
    (hint,) = [line for line in run.said.splitlines() if "--include-path" in line]
    path = hint.split("--include-path '")[1].split("'")[0]
    assert generate(tmp_path, "api.json", "--include-path", path).code == 0
