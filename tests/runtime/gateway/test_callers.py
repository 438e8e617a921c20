"""What children are told of callers that are nearly the same: what each said, to the type."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from generator.runtime.gateway.callers import Callers
from generator.runtime.server.call import Call
from generator.runtime.wire import jsonrpc
from generator.runtime.wire.dialects import LATEST_MODERN, META_CAPABILITIES

OURS = {"name": "gateway", "version": "1"}
PAIRS: list[tuple[Any, Any]] = [
    (1, True), (True, 1), (0, False), (1, 1.0), (0.0, -0.0), ([1], [True]), ({"a": [0]}, {"a": [False]}),
]  # fmt: skip


def call_of(meta: dict[str, Any], client: dict[str, Any] | None = None) -> Call:
    tool: Any = SimpleNamespace(framing=None)
    return Call(
        tool, 1, {}, raw=b"", meta=meta, dialect=LATEST_MODERN, log_level=None, client=client or {"name": "caller"}
    )


def told(end: bytes) -> str:
    return repr(json.loads(b"{" + end[1:].removesuffix(b"}}\n") + b"}")["_meta"])


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_values_that_are_equal_in_python_are_not_taken_for_each_other(first, second):
    callers = Callers(OURS)
    for value in (first, second, first):
        caller = callers.of(call_of({"example.com/x": value}))
        assert repr(caller.meta["example.com/x"]) == repr(value)
        assert repr({"example.com/x": value}) == told(caller.plain)
        caller = callers.of(call_of({META_CAPABILITIES: {"x": value}}))
        assert repr(caller.capabilities) == repr({"x": value})
        assert f"'x': {value!r}" in told(caller.end)
    for value in (first, second, first):
        assert repr(callers.of(call_of({}, {"name": "c", "x": value})).client["x"]) == repr(value)


@pytest.mark.parametrize("meta", [{}, {"example.com/x": "y", "z": [None, {}]}, {"example.com/x": 1}])
def test_a_caller_that_says_the_same_again_is_made_once(meta):
    callers = Callers(OURS)
    first = callers.of(call_of(meta, {"name": "c", "x": True}))
    again = json.loads(json.dumps(meta))
    assert callers.of(call_of(again, {"name": "c", "x": True})) is first


@pytest.mark.parametrize(
    ("meta", "client"),
    [
        ({"example.com/x": float("inf")}, {}),
        ({META_CAPABILITIES: {"x": [float("-inf")]}}, {}),
        ({}, {"name": "c", "x": float("inf")}),
    ],
)
def test_a_caller_that_says_what_cannot_be_written_is_refused(meta, client):
    callers = Callers(OURS)
    with pytest.raises(jsonrpc.Refusal) as refused:
        callers.of(call_of(meta, client))
    assert refused.value.body["code"] == jsonrpc.INVALID_PARAMS
    assert callers.of(call_of({})).client == {"name": "caller"}
