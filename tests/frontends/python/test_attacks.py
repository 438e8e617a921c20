"""Hostile modules: read or refused, never run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.config import Config
from generator.frontends.python.environment import own_environment
from generator.frontends.python.read import read

from .front import front

SHARED = Path(os.environ.get("MCPGEN_SHARED", Path(__file__).parents[4] / "shared"))
ATTACKS = SHARED / "cases" / "attacks" / "python"
CANARY = "__import__('pathlib').Path(__import__('os').environ['MCPGEN_CANARY']).touch()"


@pytest.fixture
def canary(tmp_path, monkeypatch):
    path = tmp_path / "canary"
    monkeypatch.setenv("MCPGEN_CANARY", str(path))
    yield path
    assert not path.exists()


def attack(name: str):
    if not ATTACKS.is_dir():
        pytest.skip("the shared attack files are not on this machine")
    return read(str(ATTACKS / name), Config(), own_environment())


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("annotations-exec.py", "syntax-error"),
        ("deep-expr.py", "source-too-deep"),
        ("docstring-inject.py", "syntax-error"),
        ("encoding-utf7.py", "source-encoding"),
        ("syntax-error.py", "syntax-error"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_refused_with_a_place(name, rule, canary):
    result = attack(name)
    assert result.server is None
    (found,) = result.diagnostics
    assert found.rule.name == rule
    assert found.span is not None


def test_defaults_are_never_evaluated(canary):
    result = attack("defaults-exec.py")
    (tool,) = result.server.tools
    assert "default" not in tool.input_schema["properties"]["a"]
    assert tool.input_schema["properties"]["b"]["default"] == "xy"
    assert "required" not in tool.input_schema
    assert {"computed-default"} <= {each.rule.name for each in result.diagnostics}


def test_a_module_body_is_never_run(canary):
    result = attack("top-level-exec.py")
    assert [tool.name for tool in result.server.tools] == ["add"]


ANNOTATIONS = [
    CANARY,
    f'"{CANARY}"',
    "(lambda: int)()",
    "'List['",
    "'list[' * 2",
    f"list[{CANARY}]",
    f"Annotated[int, {CANARY}]",
]


@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_annotations_are_never_evaluated(annotation, canary):
    found = front(
        f"from typing import Annotated, List\ndef f(a: {annotation}) -> int: ...\ndef g() -> {annotation}: ..."
    )
    refused = [each for each in found.diagnostics if each.unit in ("f", "g") and each.rule.code in ("MG101", "MG102")]
    assert all(each.span is not None for each in refused)
    assert refused or "f" in found.tools


@pytest.mark.parametrize(
    "line",
    [
        f"VALUE = {CANARY}",
        f"@({CANARY})\ndef f() -> int: ...",
        f"class X(metaclass={CANARY}): ...",
        f"__all__ = [{CANARY}]",
        f"if {CANARY}:\n    def f() -> int: ...",
        f"from mcpgen import tool\n@tool(title={CANARY})\ndef f() -> int: ...",
        f"import functools\nf = functools.partial({CANARY})",
        f"f = lambda x={CANARY}: x",
        f"__version__ = {CANARY}",
        f"import enum\nclass E(enum.Enum):\n    A = {CANARY}\ndef f(e: E) -> int: ...",
    ],
)
def test_nothing_in_a_module_is_run_wherever_it_stands(line, canary):
    front(f"{line}\ndef g(x: int) -> int: ...\n", config=Config(expose=("*", "f")))


def test_a_docstring_is_text_whatever_it_holds(canary):
    text = f"def f(a: int) -> int:\n    '''Doc \"\"\"\n{CANARY}\n\"\"\" \\N{{BULLET}} \\\\ {{{{ x }}}} \\'\\''''\n"
    tool = front(text).tools["f"]
    assert '"""' in tool.description
    assert CANARY in tool.description
    assert "• \\ {{ x }} ''" in tool.description


def test_deep_structures_end_in_a_diagnostic_of_their_own_function():
    deep = "list[" * 90 + "int" + "]" * 90
    found = front(f"def f(a: {deep}) -> int: ...\ndef g(a: int) -> int: ...\n")
    assert "g" in found.tools
    if "f" not in found.tools:
        assert found.errors()


def test_a_cycle_of_aliases_ends():
    found = front(
        "A = B\nB = C\nC = A\ndef f(a: A) -> int: ...\nf2 = f3\nf3 = f2\n", config=Config(expose=("f", "f2*"))
    )
    assert found.tools == {}


def test_a_module_that_imports_itself_ends():
    found = front("from m import *\nfrom m import f as h\n__all__ = ['f', 'h', 'k']\ndef f(a: int) -> int: ...\n")
    assert "f" in found.tools
