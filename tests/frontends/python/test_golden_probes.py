"""The golden probes through the whole front end: which functions become tools, and everything said about each.

The files below `tests/cases/python` state what is right (schemas, `wrap`, descriptions, diagnostics); `MCPGEN_PROBES`
names another folder of such files. Values (conversions, results) are the runtime's tests' business.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from pathlib import Path

import pytest

from generator.config import Config
from generator.diagnostics.model import Severity
from generator.frontends.python.environment import Environment, own_environment
from generator.frontends.python.read import ReadResult, read
from generator.ir.codec import thaw

from .canonical import canonical

PROBES = Path(os.environ.get("MCPGEN_PROBES", Path(__file__).parents[2] / "cases" / "python"))
FILES = sorted(PROBES.glob("p*.json"))

OPT_IN = frozenset({"p14_decorators", "p15_classes"})
"""Probes about what is a tool only when `expose` names it."""

GAPS = {
    ("p15_classes", "Child.add"): "a method of a class needs an instance; only instances of the module are served",
}
"""What is not as the probes want it, and why. A gap that closes fails its test: remove it then."""

WORDS = {"singledispatch": "unknown-decorator"}
"""Diagnostics that a probe describes without naming a rule."""


def golden(stem: str) -> dict:
    return json.loads((PROBES / f"{stem}.json").read_text(encoding="utf-8"))


@cache
def result(stem: str) -> ReadResult:
    expected = golden(stem)
    expose = tuple(expected["tools"]) if stem in OPT_IN else ()
    own = own_environment()
    environment = Environment(paths=own.paths, version=(3, 13, 0))
    path = PROBES / expected["module"].removesuffix("/__init__.py")
    return read(str(path), Config(expose=expose), environment)


def tools(stem: str) -> dict:
    found = result(stem)
    assert found.server is not None, found.diagnostics
    return {tool.name: tool for tool in found.server.tools}


def rules_of(stem: str, unit: str) -> set[str]:
    return {each.rule.name for each in result(stem).diagnostics if each.unit == unit}


def each_tool() -> list:
    return [
        pytest.param(file.stem, name, expected, id=f"{file.stem}-{name}")
        for file in FILES
        for name, expected in golden(file.stem)["tools"].items()
    ]


def differences(stem: str, name: str, expected: dict) -> list[str]:
    """Return in what a tool differs from what its probe wants."""
    tool = tools(stem).get(name.replace(".", "_"))
    if tool is None:
        return [f"no tool: {[each.message for each in result(stem).diagnostics if each.unit == name]}"]
    found = []
    arguments, wanted = canonical(thaw(tool.input_schema)), canonical(expected["inputSchema"])
    if arguments != wanted:
        found.append(f"inputSchema {json.dumps(arguments)} is not {json.dumps(wanted)}")
    sent, wanted = canonical(thaw(tool.result_schema)), canonical(expected.get("resultSchema"))
    if sent != wanted:
        found.append(f"resultSchema {json.dumps(sent)} is not {json.dumps(wanted)}")
    simple = {
        "wrap": (tool.wrap, expected.get("wrap", False)),
        "is_async": (tool.call.is_async, expected.get("is_async", tool.call.is_async)),
        "injected": (sorted(tool.call.inject), sorted(expected.get("injected", []))),
        "description": (tool.description, expected.get("description", tool.description)),
        "deprecated": (tool.deprecated, expected.get("deprecated", tool.deprecated)),
        "raises": ([list(each) for each in tool.raises], expected.get("raises", [list(each) for each in tool.raises])),
        "examples": (list(tool.examples), expected.get("examples", list(tool.examples))),
        "target": (tool.call.target.lstrip("."), expected.get("target", tool.call.target.lstrip("."))),
    }
    found += [f"{key} {ours!r} is not {theirs!r}" for key, (ours, theirs) in simple.items() if ours != theirs]
    missing = set(expected.get("lazy_imports", [])) - set(tool.call.lazy_imports)
    found += [f"no lazy import of {each}" for each in missing]
    for text in expected.get("diagnostics", []):
        rule = text.partition(":")[0].partition(";")[0].strip()
        rule = WORDS.get(rule, rule)
        if rule not in rules_of(stem, name):
            found.append(f"no diagnostic {rule}")
    return found


def test_there_are_probes():
    assert len(FILES) >= 18


@pytest.mark.requirement("R056")
@pytest.mark.requirement("R058")
@pytest.mark.requirement("R059")
@pytest.mark.skipif(sys.version_info < (3, 13), reason="some probes use syntax or names of Python 3.13")
@pytest.mark.parametrize(("stem", "name", "expected"), each_tool())
def test_a_function_becomes_the_tool_its_probe_states(stem, name, expected):
    found = differences(stem, name, expected)
    if (stem, name) in GAPS:
        assert found, f"this gap is closed; remove it: {GAPS[stem, name]}"
        return
    assert not found, "\n".join(found)


@pytest.mark.skipif(sys.version_info < (3, 13), reason="some probes use syntax or names of Python 3.13")
@pytest.mark.parametrize("stem", [file.stem for file in FILES])
def test_nothing_else_becomes_a_tool_and_what_is_refused_says_so(stem):
    expected = golden(stem)
    wanted = {name.replace(".", "_") for name in expected["tools"] if (stem, name) not in GAPS}
    assert set(tools(stem)) == wanted
    for name in expected.get("refused", {}):
        errors = [each for each in result(stem).diagnostics if each.unit == name and each.level is Severity.ERROR]
        assert errors, f"{name} is refused without a reason"
        assert all(each.span is not None for each in errors)
    for name in expected.get("not_tools", {}):
        assert name not in tools(stem)


@pytest.mark.skipif(sys.version_info < (3, 13), reason="some probes use syntax or names of Python 3.13")
@pytest.mark.parametrize("stem", sorted(OPT_IN))
def test_without_expose_only_functions_become_tools(stem):
    expected = golden(stem)
    found = read(str(PROBES / expected["module"]), Config(), own_environment())
    assert found.server is not None
    names = {tool.name for tool in found.server.tools}
    opt_in = {
        name
        for name, each in expected["tools"].items()
        if any("opt-in" in text for text in each.get("diagnostics", []))
    }
    assert not names & (opt_in | set(expected.get("not_tools", {})))
    noted = {each.unit for each in found.diagnostics if each.rule.name == "opt-in"}
    assert opt_in <= noted
