"""Plain results are handed on as they are, quickly, and what only looks plain is found."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.schema.results import (
    Bounds,
    ResultProblem,
    is_awaitable,
    is_content,
    to_json,
)
from generator.runtime.wire import jsonrpc


def problem_of(value, **bounds):
    with pytest.raises(ResultProblem) as caught:
        to_json(value, limits=Bounds(**bounds))
    return caught.value


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=15,
)


@given(JSON_VALUES)
def test_a_plain_tree_is_returned_itself(value):
    assert to_json(value) is value


@given(st.recursive(st.text() | st.floats() | st.integers(), lambda inner: st.lists(inner) | st.tuples(inner, inner)))
def test_what_is_returned_can_always_be_encoded(value):
    try:
        converted = to_json(value)
    except ResultProblem:
        return
    assert jsonrpc.parse(jsonrpc.encode(converted)) == converted


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        (float("nan"), "result", "not-json-number"),
        ([1.0, float("inf")], "result[1]", "not-json-number"),
        ({"a": {"b c": [1, float("-inf")]}}, 'result.a["b c"][1]', "not-json-number"),
        ("\ud800", "result", "lone-surrogate"),
        (["ok", {"k": "é\udfff"}], "result[1].k", "lone-surrogate"),
        ({"\ud800": 1}, "result", "lone-surrogate"),
        (10**4300, "result", "integer-too-large"),
        ([-(10**4300)], "result[0]", "integer-too-large"),
        ({None: 1}, "result", "bad-key"),
        ({"x": {(1, 2): 1}}, "result.x", "bad-key"),
        ({1: "a", None: "b", (1, 2): "c"}, "result", "bad-key"),
        ({float("nan"): 1}, "result", "bad-key"),
        ({1: 1, "1": 2}, "result", "duplicate-key"),
        ({True: 1, "true": 2}, "result", "duplicate-key"),
        ([object()], "result[0]", "not-serialisable"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isascii() else type(value).__name__,
)
def test_what_has_no_json_form_is_a_problem_with_its_path(value, path, reason):
    problem = problem_of(value)
    assert (problem.path, problem.reason) == (path, reason)
    assert "0x" not in str(problem)


def test_the_largest_integers_that_python_writes_are_sent():
    assert to_json(10**4299) == 10**4299
    assert to_json(2**70) == 2**70


def test_cycles_are_found_and_named():
    endless: list[object] = []
    endless.append({"again": endless})
    problem = problem_of(endless)
    assert (problem.path, problem.reason) == ("result[0].again", "circular-reference")
    wide: list[object] = []
    wide += [wide, wide, wide]
    assert problem_of(wide).reason == "circular-reference"


def test_a_value_that_is_only_shared_is_no_cycle():
    part = [1]
    assert to_json((part, part)) == [[1], [1]]


def test_nesting_is_bounded_without_a_crash():
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    assert problem_of(deep).reason == "too-deep"
    tuples: object = 1
    for _ in range(100_000):
        tuples = (tuples,)
    assert problem_of(tuples).reason == "too-deep"
    allowed: object = 1
    for _ in range(190):
        allowed = (allowed,)
    assert jsonrpc.encode(to_json(allowed)) == b"[" * 190 + b"1" + b"]" * 190


def test_little_stack_is_a_problem_and_no_crash():
    nested: object = 1
    for _ in range(150):
        nested = (nested,)
    before = sys.getrecursionlimit()
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + 120)
    try:
        problem = problem_of(nested)
    finally:
        sys.setrecursionlimit(before)
    assert problem.reason == "too-deep"


def test_branches_shared_many_times_are_counted_and_not_expanded_for_ever():
    tree: list[object] = [1]
    for _ in range(60):
        tree = [tree, tree]
    started = time.monotonic()
    assert problem_of(tree, values=10_000).reason == "too-many-values"
    assert time.monotonic() - started < 5


def test_a_path_never_shows_a_whole_key():
    problem = problem_of({"k" * 1_000: float("nan")})
    assert len(problem.path) < 100


class Content:
    __mcp_content__ = True


def test_a_content_block_is_recognised_and_refused_inside_data():
    assert is_content(Content())
    assert not is_content("text")
    problem = problem_of({"picture": Content()})
    assert (problem.path, problem.reason) == ("result.picture", "content-inside-data")
    assert problem_of(Content()).reason == "content-inside-data"


def test_what_is_still_to_be_awaited_is_recognised_and_refused_inside_data():
    async def later():
        return 1

    async def items():
        yield 1

    coroutine, stream = later(), items()
    assert is_awaitable(coroutine)
    assert not is_awaitable(stream)
    assert not is_awaitable(1)
    assert problem_of([coroutine]).reason == "not-serialisable"
    assert problem_of([stream]).path == "result[0]"


def test_a_coroutine_made_from_a_generator_is_awaitable():
    import types

    @types.coroutine
    def old():
        yield

    assert is_awaitable(old())
    assert not is_awaitable(x for x in ())
