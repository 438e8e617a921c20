"""What is told of a call in brief, beside what the long way makes of the same value."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.answer import Finished, answer
from generator.runtime.server.brief import Brief, brief_of
from generator.runtime.server.call import Call
from generator.runtime.server.plan import FunctionPlan
from generator.runtime.server.tool import Tool
from generator.runtime.wire import jsonrpc
from generator.runtime.wire.dialects import LATEST_LEGACY

MODULE = "brief_tools"
LIMIT = 60
TREE = {"$ref": "#/$defs/tree", "$defs": {"tree": {"items": {"$ref": "#/$defs/tree"}}}}
RESULTS: dict[str, dict[str, Any]] = {
    "anything": {"kind": "json"},
    "wrapped": {"kind": "json", "schema": {}, "wrap": True},
    "texts": {"kind": "json", "schema": {"type": "string"}, "wrap": True},
    "objects": {"kind": "json", "schema": {"type": "object", "additionalProperties": {"type": ["integer", "string"]}}},
    "trees": {"kind": "json", "schema": TREE},
}


class Catalog:
    """As much of a catalog as a plan asks for."""

    package = MODULE

    def __init__(self) -> None:
        self.data: dict[str, Any] = {"id": "brief", "tools": []}
        self.settings: dict[str, Any] = {}


def tool_of(name: str = "same", **entry: Any) -> Tool:
    module = sys.modules.setdefault(MODULE, ModuleType(MODULE))
    module.same = lambda **given: given
    catalog: Any = Catalog()
    definition = {"name": name, "inputSchema": {"type": "object"}}
    call = {"kind": "python", "target": f"{MODULE}:same", **entry.pop("call", {})}
    made = Tool({"definition": definition, "call": call, "result": {"kind": "json"}, **entry}, catalog)
    made.prepare()
    return made


@pytest.fixture(scope="module")
def plans():
    """Plans of tools whose results may have sixty bytes, by name."""
    limits = {"max_result_bytes": LIMIT}
    tools = {name: tool_of(name, result=result, limits=limits) for name, result in RESULTS.items()}
    return {name: tool.plan for name, tool in tools.items()}


def long_way(plan: Any, value: Any) -> dict[str, Any]:
    call = Call(plan.tool, 1, {}, raw=b"", meta={}, dialect=LATEST_LEGACY, log_level=None, client={})
    return answer(call, plan, value)


class Sub(dict):
    """An object that is not plainly one."""


ODD_TEXTS = ["", "\x7f", "é", '"\\\n', "\ud800", "\u2028", "x" * 61, "é" * 31, "😀" * 15]
TEXTS = st.text(max_size=30) | st.sampled_from(ODD_TEXTS)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.just(Sub(a=1))
VALUES = st.recursive(
    LEAVES | st.just(b"x") | st.just(Finished(content=[])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(TEXTS | st.integers(), inner, max_size=3)
        | st.builds(Sub, st.dictionaries(TEXTS, inner, max_size=2))
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(RESULTS)), VALUES)
def test_what_is_told_in_brief_is_what_the_long_way_tells(plans, name, value):
    brief = Brief(plans[name])
    members = brief.members(value)
    if members:
        assert "{" + members + "}" == jsonrpc.encode(long_way(plans[name], value)).decode("ascii")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("anything", {"sum": 3, "name": "a", "share": 0.5, "is": True, "none": None}),
        ("anything", {"deep": [1, {"é": "\x7f"}]}),
        ("anything", {"deleted": "\x7f"}),
        ("anything", "\x7fé"),
        ("anything", [1, 2]),
        ("anything", 1.5),
        ("wrapped", [1]),
        ("texts", "é"),
        ("objects", {"a": 1}),
        ("trees", [[[1]]]),
    ],
)
def test_what_is_plainly_right_is_told_in_brief(plans, name, value):
    expected = jsonrpc.encode(long_way(plans[name], value)).decode("ascii")
    assert "{" + Brief(plans[name]).members(value) + "}" == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("anything", None),
        ("anything", {"share": float("nan")}),
        ("anything", {"share": float("inf")}),
        ("anything", {"number": 1 << 14_285}),
        ("anything", {1: 2}),
        ("anything", {"a": (1,)}),
        ("anything", Sub(a=1)),
        ("anything", "\ud800"),
        ("anything", {"\ud800": 1}),
        ("anything", "x" * (LIMIT + 1)),
        ("anything", "é" * (LIMIT // 2 + 1)),
        ("anything", {"a": "x" * LIMIT}),
        ("texts", 1),
        ("objects", {"a": None}),
    ],
)
def test_what_needs_a_second_look_is_not(plans, name, value):
    assert Brief(plans[name]).members(value) == ""


@pytest.mark.parametrize(
    "entry",
    [
        {"capture_output": True},
        {"task": {"support": "optional"}},
        {"confirm": True},
        {"result": {"kind": "none"}},
        {"result": {"kind": "content"}},
        {"call": {"exact_numbers": True}},
        {"call": {"prepare": {"a": ["strip"]}}},
        {"call": {"names": {"a": "ä"}}},
    ],
)
def test_tools_whose_calls_all_need_more_are_not_called_in_brief(entry):
    assert brief_of(tool_of(**entry)) is None


def test_others_are():
    tool = tool_of()
    assert type(tool.plan) is FunctionPlan
    assert type(brief_of(tool)) is Brief


def test_a_tool_that_is_not_prepared_is_not():
    tool = tool_of()
    tool.plan = None
    assert brief_of(tool) is None
