"""Every snippet of the README is run or checked, from top to bottom, as somebody would who follows it."""

import ast
import json
import os
import re
import shlex
import stat
import tomllib
from pathlib import Path

import pytest

from generator.config import load_config
from generator.runtime.wire.dialects import DIALECTS

from .documents import Shell, blocks, matches, steady

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
BLOCKS = blocks(README)
CONSOLE = [
    (block, number) for block in BLOCKS if block.language == "console" for number in range(len(block.commands()))
]

SET_UP = {"./.ci/demo", "./.ci/test"}
"""Commands that continuous integration runs as they are: see `.ci/run`."""

INSTALL = {"uv tool install .", "python3 -m venv .venv && .venv/bin/pip install ."}
"""Commands that need a network; test_wheel.py installs what they would."""


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """Follow the README in an empty folder: the files it writes, and what each of its commands printed."""
    shell = Shell(ROOT, tmp_path_factory.mktemp("reader"))
    printed = {}
    for block in BLOCKS:
        if block.file is not None:
            shell.write(block)
        elif block.language == "console":
            for number, text in enumerate(shell.run(block)):
                printed[block.line, number] = text
    return shell, printed


@pytest.mark.parametrize(
    ("block", "number"), CONSOLE, ids=lambda value: f"line {value.line}" if hasattr(value, "line") else None
)
def test_a_command_prints_what_the_readme_shows(story, block, number):
    _, printed = story
    command, expected = block.commands()[number]
    if "humanize" in command:
        pytest.importorskip("humanize")
    actual = printed.get((block.line, number), "the command did not end")
    assert matches(expected, actual), f"$ {command}{actual}\n--- expected\n{steady(expected)}"


def test_python_blocks_are_modules_and_toml_blocks_settings(story):
    shell, _ = story
    for block in BLOCKS:
        if block.language == "python":
            ast.parse(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
            assert load_config(shell.folder, explicit=shell.folder / block.file).diagnostics == ()


def test_every_block_is_of_a_kind_that_is_checked():
    for block in BLOCKS:
        if block.language == "sh":
            assert set(block.text.splitlines()) <= SET_UP | INSTALL, block.line
        elif block.language in ("python", "toml"):
            assert block.file, block.line
        else:
            assert block.language == "console", block.line


def test_the_two_commands_of_a_fresh_machine_are_those_that_ci_runs():
    shown = {line for block in BLOCKS if block.language == "sh" for line in block.text.splitlines()}
    assert shown >= SET_UP
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in SET_UP:
        path = ROOT / command
        assert path.stat().st_mode & stat.S_IXUSR, command
        assert f'"$HERE/{path.name}"' in run, command


def test_the_conversation_of_the_demo_goes_well(tmp_path):
    shell = Shell(ROOT, tmp_path)
    shell.copy("samples/weather")
    talk = shlex.quote(str(ROOT / ".ci" / "exchange.py"))
    printed = shell.do(
        f"mcpgen build samples/weather/weather.py -o out && python -B {talk} out/server.py && echo as it should"
    )
    assert "- [M-INP-006] /days: expected integer" in printed
    assert printed.endswith("as it should\n"), printed


def test_a_build_runs_none_of_the_module(tmp_path):
    shell = Shell(ROOT, tmp_path)
    trap = 'open("ran", "w").close()\n\n\ndef f(a: int = len("x")) -> int:\n    """Do."""\n    return a\n'
    (shell.folder / "trap.py").write_text(trap, encoding="utf-8")
    ended = shell.do("mcpgen build trap.py && mcpgen inspect trap.py && mcpgen build trap.py --check")
    assert "trap-mcp  1 tool" in ended
    assert not list(tmp_path.rglob("ran"))


def test_a_module_runs_without_mcpgen_as_the_documents_say_and_is_built_with_its_markers(tmp_path):
    shell = Shell(ROOT, tmp_path)
    (block,) = (block for block in blocks(ROOT / "docs" / "authoring.md") if block.file == "greeting.py")
    shell.write(block)
    run = "import sys; sys.modules['mcpgen'] = None; import greeting; print(greeting.greet('Ada'))"
    printed = shell.do(f'python -c "{run}" && mcpgen build greeting.py')
    assert printed.startswith("Good morning, Ada\n")
    assert "greet  read-only  name: string  -> string" in printed


def test_the_settings_of_one_example_are_not_those_of_another(story):
    shell, _ = story
    assert not list(shell.folder.glob("*.py"))
    assert not list(shell.folder.glob("*.toml"))
    again = shell.do("mcpgen build prices/prices.py --check && mcpgen build shop/shop.py --check && echo fresh")
    assert again == "fresh\n"


def test_the_revisions_and_hosts_that_are_named_are_the_right_ones(story):
    shell, _ = story
    text = README.read_text(encoding="utf-8")
    assert f"The four revisions with a handshake and {max(DIALECTS)}" in " ".join(text.split())
    assert len([row for row in DIALECTS.values() if not row.modern]) == 4
    hosts = re.search(r"ready snippets for (.*?),? and `\.mcp\.json`", " ".join(text.split()))[1]
    named = set(re.split(r", | and ", hosts))
    written = (shell.folder / "prices-mcp" / "README.md").read_text(encoding="utf-8")
    snippets = written.partition("## Add it to a host")[2]
    offered = {name for line in re.findall(r"^### (.*)$", snippets, re.MULTILINE) for name in line.split(", ")}
    assert named == offered
    assert f"snippets for {number(len(offered))} hosts" in text
    entry = json.loads((shell.folder / "prices-mcp" / ".mcp.json").read_text(encoding="utf-8"))
    assert entry["mcpServers"]["prices"]["args"] == ["-I", "-S", "server.py"]


def number(count: int) -> str:
    return ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")[count]


def test_the_server_names_nothing_of_the_machine_that_built_it(story):
    shell, _ = story
    for path in (shell.folder / "prices-mcp").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert os.fsencode(shell.folder) not in path.read_bytes(), path
