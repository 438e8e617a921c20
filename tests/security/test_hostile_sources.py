"""Hostile modules through the whole command: how it ends, what it says, and that nothing of them was run on the way."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import mcpgen
from tests.stdio_client import StdioServer, stub

from .conftest import ATTACKS

SECONDS = 60

ENDS = {
    "annotations-exec": 2,
    "deep-expr": 2,
    "defaults-exec": 0,
    "docstring-inject": 2,
    "encoding-utf7": 2,
    "syntax-error": 2,
    "top-level-exec": 0,
    **dict.fromkeys(("ui-csp-inject", "ui-dangling", "ui-file", "ui-http", "ui-js", "ui-traversal"), 2),
}
"""Exit codes of a build. docstring-inject is no Python as it stands; `LITERAL` below is, and is built."""

PAYLOAD = "__import__('pathlib').Path(__import__('os').environ['MCPGEN_CANARY']).touch()"

LITERAL = f"""def f(a: int) -> int:
    '''Doc \"\"\"
{PAYLOAD}
\"\"\" \\N{{BULLET}} \\\\ {{{{ f }}}} {{% raw %}} ''' "more"
    return a


def g(a: int) -> int:
    '''Doc \"\"\" ''' + {PAYLOAD}
    return a


def h(a: str = "\\"\\"\\"); {PAYLOAD} #") -> str:
    \"\"\"Doc.

    Args:
        a: ''' {PAYLOAD} \"
    \"\"\"
    return a
"""


@pytest.fixture
def canary(tmp_path: Path):
    """A file that appears when something hostile was run."""
    path = tmp_path / "canary"
    yield path
    assert not path.exists()


def build(tmp_path: Path, canary: Path, source: Path | str, *words: str) -> subprocess.CompletedProcess[str]:
    folder = tmp_path / "place"
    folder.mkdir(exist_ok=True)
    path = folder / "attack.py"
    path.write_bytes(source.read_bytes() if isinstance(source, Path) else source.encode("utf-8"))
    return mcpgen("build", "attack.py", "-o", "project", *words, cwd=folder, env={"MCPGEN_CANARY": str(canary)})


def imported(project: Path, canary: Path) -> None:
    """Import every generated module that is no user code."""
    program = "import attack_mcp, attack_mcp.__main__"
    environment = {**os.environ, "MCPGEN_CANARY": str(canary)}
    command = [sys.executable, "-B", "-c", program]
    subprocess.run(command, cwd=project, env=environment, timeout=SECONDS, check=True, capture_output=True)


def listed(project: Path, canary: Path) -> list[dict]:
    with StdioServer(stub(project, sys.executable), env={**os.environ, "MCPGEN_CANARY": str(canary)}) as server:
        server.initialize()
        return server.tools()


@pytest.mark.parametrize("name", sorted(ENDS))
def test_a_hostile_module_is_built_or_refused_and_never_run(tmp_path, canary, name):
    done = build(tmp_path, canary, ATTACKS / "python" / f"{name}.py")
    assert done.returncode == ENDS[name], done.stderr
    assert "Traceback" not in done.stderr
    project = tmp_path / "place" / "project"
    if ENDS[name]:
        assert not project.exists()
        assert re.search(r"^ *--> attack\.py:\d+:\d+$", done.stderr, re.MULTILINE)
    else:
        imported(project, canary)
        assert listed(project, canary)


def test_every_module_of_the_corpus_is_used():
    assert {path.stem for path in (ATTACKS / "python").glob("*.py")} == set(ENDS)


PAGE = '@ui_resource("ui://demo/x"{})\ndef page() -> str:\n    return "<!doctype html>"\n'
LINKED = 'from mcpgen import tool, ui_resource\n@tool(ui="{}")\ndef get(x: int) -> int:\n    return x\n'
MORE_LINKS = [
    *(
        "ui://demo/../x",
        "ui://demo/%2e%2e/x",
        "UI://demo/x",
        "ui://demo/x#y",
        "data:text/html,<script>",
        "//evil.example/x",
    ),
    *("ui://user@demo/x", "https://demo/x", "ui:demo/x", " ui://demo/x", "ui://demo/x ", "ui://demo/x\\n"),
]
MEMBERS = ["connect_domains", "resourceDomains", "frame_domains", "base_uri_domains"]
MORE_ORIGINS = [
    *(
        "*",
        "https://*",
        "https:",
        "'unsafe-inline'",
        "https://a.example; sandbox",
        "https://a.example https://b.example",
    ),
    *(
        "https://a.example,*",
        "https://u:p@a.example",
        "data:",
        "blob:",
        "https://a.example/%0d%0aSet-Cookie",
        "//a.example",
    ),
]


@pytest.mark.requirement("R041")
@pytest.mark.parametrize("uri", MORE_LINKS)
def test_a_link_to_what_is_no_view_of_the_server_builds_nothing(tmp_path, canary, uri):
    harmless = "def other(a: int) -> int:\n    return a\n"
    done = build(tmp_path, canary, LINKED.format(uri) + PAGE.format("") + harmless)
    assert done.returncode == 2, done.stdout
    assert "MG401" in done.stderr
    assert not (tmp_path / "place" / "project").exists()


@pytest.mark.parametrize(("member", "origin"), list(zip(itertools.cycle(MEMBERS), MORE_ORIGINS, strict=False)))
def test_an_origin_that_could_change_a_policy_builds_nothing(tmp_path, canary, origin, member):
    csp = f', csp={{"{member}": ["https://fine.example", "{origin}"]}}'
    done = build(tmp_path, canary, LINKED.format("ui://demo/x") + PAGE.format(csp))
    assert done.returncode == 2, done.stdout
    assert "MG403" in done.stderr
    assert not (tmp_path / "place" / "project").exists()


def test_a_syntax_error_is_shown_with_a_caret(tmp_path, canary):
    done = build(tmp_path, canary, ATTACKS / "python" / "syntax-error.py")
    assert "syntax-error" in done.stderr
    assert re.search(r"^ *\| +\^", done.stderr, re.MULTILINE)


def test_an_encoding_that_hides_code_is_named(tmp_path, canary):
    done = build(tmp_path, canary, ATTACKS / "python" / "encoding-utf7.py")
    assert "utf-7" in done.stderr


def test_a_module_runs_at_its_first_call_and_not_before(tmp_path):
    mark = tmp_path / "mark"
    done = build(tmp_path, mark, ATTACKS / "python" / "top-level-exec.py")
    assert done.returncode == 0
    project = tmp_path / "place" / "project"
    imported(project, mark)
    with StdioServer(stub(project, sys.executable), env={**os.environ, "MCPGEN_CANARY": str(mark)}) as server:
        server.initialize()
        assert [tool["name"] for tool in server.tools()] == ["add"]
        assert not mark.exists()
        assert server.call("add", {"a": 2, "b": 3})["structuredContent"] == {"result": 5}
        assert mark.exists()


def test_defaults_are_told_only_when_they_are_literal(tmp_path, canary):
    done = build(tmp_path, canary, ATTACKS / "python" / "defaults-exec.py")
    assert "computed-default" in done.stderr
    (tool,) = listed(tmp_path / "place" / "project", canary)
    properties = tool["inputSchema"]["properties"]
    assert "default" not in properties["a"]
    assert properties["b"]["default"] == "xy"
    assert "required" not in tool["inputSchema"]
    json.dumps(properties, allow_nan=False)


def test_text_that_looks_like_code_is_text_in_everything_that_is_generated(tmp_path, canary):
    done = build(tmp_path, canary, LITERAL)
    assert done.returncode == 0, done.stderr
    project = tmp_path / "place" / "project"
    imported(project, canary)
    tools = {tool["name"]: tool for tool in listed(project, canary)}
    assert PAYLOAD in tools["f"]["description"]
    assert '"""' in tools["f"]["description"]
    assert "\u2022 \\ {{ f }} {% raw %}" in tools["f"]["description"]
    assert tools["h"]["inputSchema"]["properties"]["a"]["default"].startswith('""");')
    for path in project.rglob("*.py"):
        if "_runtime" not in path.parts and path.name != "attack.py":
            assert "MCPGEN_CANARY" not in path.read_text(encoding="utf-8"), path


NAMES = (ATTACKS / "python" / "traversal-name.txt").read_text(encoding="utf-8").splitlines()
MORE_NAMES = [
    "..",
    ".",
    "",
    " ",
    "a/b",
    "a b",
    "~",
    "$HOME",
    "nul",
    "com1.txt",
    "1abc",
    "A",
    "\u00e9t\u00e9",
    "a\nb",
    "a'; import os",
    "-x",
    "_a",
    "a" * 300,
    "a\u202eb",
]


@pytest.mark.parametrize("name", [*NAMES, *MORE_NAMES], ids=ascii)
@pytest.mark.parametrize("option", ["--name", "--package"])
def test_a_name_that_is_no_plain_name_is_refused(tmp_path, canary, option, name):
    done = build(tmp_path, canary, "def f(a: int) -> int:\n    return a\n", f"{option}={name}")
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["attack.py", "place"]


@pytest.mark.parametrize("name", [name for name in NAMES if name in ("CON", "a\\b.py")], ids=ascii)
def test_an_output_that_some_system_cannot_hold_is_refused(tmp_path, canary, name):
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "attack.py").write_text("def f(a: int) -> int:\n    return a\n", encoding="utf-8")
    done = mcpgen("build", "attack.py", "-o", name, cwd=tmp_path / "place")
    assert done.returncode == 2
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["attack.py", "place"]


@pytest.mark.parametrize("output", ["../../evil.py", "attack.py"])
def test_an_output_is_a_folder_that_was_named_and_nothing_else_is_touched(tmp_path, canary, output):
    inner = tmp_path / "one" / "two"
    inner.mkdir(parents=True)
    (inner / "attack.py").write_text("def f(a: int) -> int:\n    return a\n", encoding="utf-8")
    done = mcpgen("build", "attack.py", "-o", output, cwd=inner)
    if output == "attack.py":
        assert done.returncode == 2
        assert (inner / "attack.py").read_text(encoding="utf-8").startswith("def f")
        return
    made = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert made <= {"one", "evil.py"}
    assert done.returncode in (0, 2)


def test_an_output_where_somebody_elses_files_are_is_not_overwritten(tmp_path, canary):
    folder = tmp_path / "place"
    (folder / "project").mkdir(parents=True)
    for name in ("server.py", "README.md", "pyproject.toml"):
        (folder / "project" / name).write_text("mine", encoding="utf-8")
    done = build(tmp_path, canary, "def f(a: int) -> int:\n    return a\n")
    assert done.returncode == 3, done.stderr
    for name in ("server.py", "README.md", "pyproject.toml"):
        assert (folder / "project" / name).read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="Windows has no plain links")
def test_a_link_out_of_the_output_is_not_followed(tmp_path, canary):
    folder, outside = tmp_path / "place", tmp_path / "outside"
    (folder / "project").mkdir(parents=True)
    outside.mkdir()
    (outside / "victim.py").write_text("mine", encoding="utf-8")
    (folder / "project" / "server.py").symlink_to(outside / "victim.py")
    (folder / "project" / "attack_mcp").symlink_to(outside, target_is_directory=True)
    done = build(tmp_path, canary, "def f(a: int) -> int:\n    return a\n")
    assert done.returncode in (2, 3), done.stderr
    assert [path.name for path in outside.iterdir()] == ["victim.py"]
    assert (outside / "victim.py").read_text(encoding="utf-8") == "mine"
