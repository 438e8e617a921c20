"""Hostile API descriptions through the whole command: how it ends, what it touched, and what the server then shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stdio_client import StdioServer

from .conftest import ATTACKS
from .description_runs import Run, generate, skeletons

CASES = sorted(path for path in (ATTACKS / "openapi").iterdir() if not path.name.endswith(".expect.json"))
TWIN = "00-benign.json"
SECONDS, BYTES = 5.0, 300 * 1024 * 1024
"""What a document under 1 MB may take, in seconds of work; the process's own start is in it."""

MEGABYTE = 1024 * 1024
FEW_BYTES = {"yaml-billion-laughs": 100, "ref-chain-2000": 200, "ref-exponential": 200, "yaml-merge-bomb": 200}
"""Megabytes where a case has a bound of its own."""

ENDS = {
    "security-empty": {0, 2},
    "security-hop": {0, 2},
    "security-host": {0, 2},
    "security-space": {2},
    "server-crlf": {2},
    "server-file": {2},
    "server-userinfo": {2},
    "path-traversal": {2},
    "path-newline": {2},
    "path-authority": {2},
}
"""Exit codes that the expectation leaves to be worked out; for the others its first words say them."""


def expectation(case: Path) -> dict:
    return json.loads((case.parent / f"{case.name}.expect.json").read_text(encoding="utf-8"))["expect"]


def ends(case: Path) -> set[int]:
    stem, text = case.name.partition(".")[0], expectation(case)["generate"]
    if stem in ENDS:
        return ENDS[stem]
    if text.startswith("exit 2"):
        return {2}
    return (
        {0, 2} if ("exit 2" in text or "0 or 2" in text) and "--strict" not in text and "only http" not in text else {0}
    )


def copied(case: Path, folder: Path) -> str:
    """Put the document into a folder of its own: what is beside it may be read, nothing else."""
    (folder / case.name).write_bytes(case.read_bytes())
    return case.name


def outside(run: Run, folder: Path) -> list[str]:
    """Return the opened files that are neither the case's, nor ours, nor Python's own."""
    ours = (str(folder), sys.prefix, sys.base_prefix, str(Path(__file__).resolve().parents[2]), "demo-mcp")
    known = {"/dev/null", "/etc/localtime", "/proc/self/status"}
    places = [os.path.normpath(folder / name) for name in run.opened()]
    return [place for place in places if place not in known and not place.startswith(ours)]


def served(folder: Path) -> list[dict]:
    """Import the package, list its tools and call one; the canary must not sing."""
    project = folder / "demo-mcp"
    environment = {**os.environ, "MCPGEN_CANARY": str(folder / "canary"), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-c", "import demo_mcp, demo_mcp.__main__"],
        cwd=project, env=environment, timeout=30, check=True, capture_output=True,
    )  # fmt: skip
    base = {"DEMO_BASE_URL": "http://127.0.0.1:9/v1"}
    with StdioServer([sys.executable, "-m", "demo_mcp"], cwd=project, env={**environment, **base}) as server:
        server.initialize()
        tools = server.tools()
        for tool in tools:
            server.request("tools/call", {"name": tool["name"], "arguments": {"item_id": "a" * 40 + "!"}})
    return tools


@pytest.fixture(scope="module")
def twin(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("twin")
    run = generate(folder, copied(ATTACKS / "openapi" / TWIN, folder))
    assert run.code == 0, run.said
    return skeletons(folder / "demo-mcp")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_description_does_no_harm(case, twin, tmp_path):
    run = generate(tmp_path, copied(case, tmp_path))
    assert run.code in ends(case), run.said
    assert "Traceback" not in run.said
    assert run.seconds < SECONDS + 3, "more than a start and the limit"
    assert 0 < run.memory < FEW_BYTES.get(case.name.partition(".")[0], BYTES // MEGABYTE) * MEGABYTE
    assert run.connections() == []
    assert outside(run, tmp_path) == []
    if run.code == 2:
        assert "error[MG" in run.said
        assert case.name in run.said
    else:
        for tool in served(tmp_path):
            assert tool["name"].isascii()
            assert "x-" not in tool["inputSchema"]
        if "ast_skeleton" in expectation(case):
            assert skeletons(tmp_path / "demo-mcp") == twin
    assert not (tmp_path / "canary").exists()


def test_the_copies_are_those_of_the_corpus(shared):
    given = shared / "cases" / "attacks" / "openapi"
    assert sorted(path.name for path in given.iterdir()) == sorted(
        path.name for path in (ATTACKS / "openapi").iterdir()
    )
    assert [
        path.name for path in given.iterdir() if path.read_bytes() != (ATTACKS / "openapi" / path.name).read_bytes()
    ] == []
