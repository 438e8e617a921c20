"""Golden cases of gateways: a folder with servers, and everything that a gateway over them must give.

A case is a folder of `gateways/` with `case.toml`: `built` are modules that are built into `NAME-mcp` first, `sources`
and `arguments` the words of `mcpgen gateway`, `exit` its code (default 0); `calls` (tool, arguments, and the structured
result or a text) and `requests` (method, params, and what their answer has) are made through the gateway. `out/` leaves
out `_runtime/` and `mcpgen.lock`; digests of a server's files are masked, because the runtime is among them.
"""

from __future__ import annotations

import difflib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from generator.backends.runtime_files import gateway_files
from tests.command import ROOT, mcpgen
from tests.stdio_client import StdioServer

HERE = Path(__file__).resolve().parent / "gateways"
CASES = sorted(path.parent for path in HERE.glob("*/case.toml"))
SERVED = [case for case in CASES if (case / "out").is_dir()]
PRINTED = ("stderr.txt", "stdout.txt")
SECONDS = 60
MASKED = re.compile(rb'("files": )"sha256:[0-9a-f]{64}"')


def name_of(case: Path) -> str:
    return case.name


def settings(case: Path) -> dict:
    defaults = {"built": [], "sources": [], "arguments": [], "exit": 0, "calls": [], "requests": []}
    return defaults | tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))


def prepared(case: Path, folder: Path) -> Path:
    """Copy a case and build its servers, so that nothing is written beside it."""
    place = folder / case.name
    shutil.copytree(case, place, ignore=shutil.ignore_patterns("__pycache__", "case.toml", "out", *PRINTED))
    (place / ".git").mkdir()  # the walk for settings ends here
    for module in settings(case)["built"]:
        done = mcpgen("build", module, "--quiet", cwd=place)
        assert done.returncode == 0, done.stderr
    return place


def made_of(case: Path, folder: Path) -> dict[str, bytes]:
    """Make the gateway of a case; return everything that came of it by the name of the expected file."""
    place, wanted = prepared(case, folder), settings(case)
    words = ("gateway", *wanted["sources"], "-o", "made", *wanted["arguments"])
    done = mcpgen(*words, cwd=place, env={"NO_COLOR": "1", "COLUMNS": "100"})
    assert done.returncode == wanted["exit"], done.stderr
    told = [line for line in done.stdout.splitlines(keepends=True) if not line.startswith("next: ")]
    made = {"stdout.txt": "".join(told).encode(), "stderr.txt": done.stderr.encode()}
    made = {name: content for name, content in made.items() if content}
    for path in sorted((place / "made").rglob("*")):
        name = path.relative_to(place / "made").as_posix()
        if path.is_file() and "/_runtime/" not in name and name != "mcpgen.lock":
            made[f"out/{name}"] = MASKED.sub(rb'\1"MASKED"', path.read_bytes())
    return made


def expected(case: Path) -> dict[str, bytes]:
    return {
        path.relative_to(case).as_posix(): path.read_bytes()
        for path in sorted(case.rglob("*"))
        if path.is_file() and (path.name in PRINTED or "out" in path.relative_to(case).parts)
    }


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_gateway_is_exactly_what_is_expected(case, tmp_path, update_golden):
    made = made_of(case, tmp_path)
    if update_golden:
        shutil.rmtree(case / "out", ignore_errors=True)
        for path, content in made.items():
            (case / path).parent.mkdir(parents=True, exist_ok=True)
            (case / path).write_bytes(content)
    wanted = expected(case)
    lines = []
    for path in sorted({*wanted, *made}):
        before, after = (tree.get(path, b"").decode().splitlines() for tree in (wanted, made))
        lines += difflib.unified_diff(before, after, f"expected/{path}", f"made/{path}", lineterm="")
    assert wanted == made, "\n".join([*lines, f"run `pytest tests/golden --update-golden -k {case.name}` and review"])


@pytest.mark.requirement("R064", "R068")
@pytest.mark.parametrize("case", SERVED, ids=name_of)
def test_a_gateway_lists_and_calls_what_its_table_says(case, tmp_path):
    place, wanted = prepared(case, tmp_path), settings(case)
    done = mcpgen("gateway", *wanted["sources"], "-o", "made", *wanted["arguments"], "--quiet", cwd=place)
    assert done.returncode == 0, done.stderr
    catalog = json.loads(next((place / "made").glob("*/catalog.json")).read_text(encoding="utf-8"))
    with StdioServer([sys.executable, "-I", "-S", str(place / "made" / "server.py")]) as server:
        server.initialize()
        listed = server.tools()
        assert listed == [tool["definition"] for tool in catalog["tools"]]
        for call in wanted["calls"]:
            asked = {"name": call["tool"], "arguments": call.get("arguments", {})}
            result = server.request("tools/call", asked)
            assert not result.get("isError"), result
            assert result.get("structuredContent") == call.get("result")
            assert call.get("text", "") in result["content"][0]["text"]
        for each in wanted["requests"]:
            result = server.request(each["method"], each["params"])
            assert each.get("contains", "") in json.dumps(result)
            if "uris" in each:
                assert [resource["uri"] for resource in result["resources"]] == each["uris"]


@pytest.mark.parametrize("case", SERVED, ids=name_of)
@pytest.mark.parametrize(("schema", "pattern"), [("catalog", "*/catalog.json"), ("routes", "routes.json")])
def test_the_files_of_a_gateway_are_as_their_schemas_say(case, schema, pattern):
    document = json.loads((ROOT / "schemas" / f"{schema}.schema.json").read_text(encoding="utf-8"))
    (path,) = (case / "out").glob(pattern)
    written = json.loads(path.read_text(encoding="utf-8").replace('"MASKED"', f'"sha256:{"0" * 64}"'))
    jsonschema.Draft202012Validator(document).validate(written)


@pytest.mark.parametrize("case", SERVED, ids=name_of)
def test_the_python_of_a_gateway_is_clean_and_has_strict_types(case, tmp_path):
    project = tmp_path / "project"
    shutil.copytree(case / "out", project)
    (package,) = (path.parent for path in project.glob("*/catalog.json"))
    for path, content in gateway_files().items():
        target = package / "_runtime" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    for words in (
        ("ruff", "check", "--no-cache", "--quiet", "."),
        ("ruff", "format", "--check", "--no-cache", "--quiet", "."),
        (
            "mypy",
            "--strict",
            "--follow-imports=silent",
            "--config-file=",
            "--no-incremental",
            package.name,
            "server.py",
        ),
    ):
        done = subprocess.run(
            [sys.executable, "-m", *words, *(["--exclude", "_runtime"] if words[0] == "mypy" else [])],
            cwd=project, capture_output=True, text=True, timeout=2 * SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
