"""The bytes that a value takes in a file are counted as they will be written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.backends.catalog import readable
from generator.frontends.openapi.read import read
from generator.frontends.openapi.settings import OpenApiRequest
from generator.frontends.openapi.tool_room import ToolRoom, _size
from generator.frontends.openapi.written import at_most, written

from .described import tools

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


@given(VALUES)
def test_the_count_is_that_of_the_catalog(value):
    assert written(value, 0) == len(readable(value).rstrip(b"\n"))


@given(VALUES)
def test_a_value_further_in_takes_more(value):
    around = len(readable([["x"]])) - len('"x"')
    assert written(value, 2) == len(readable([[value]])) - around


def test_spaces_of_deep_values_are_counted():
    value: object = "x"
    for _ in range(50):
        value = {"items": value}
    assert written(value, 0) > 4 * 50 * len('{"items":}')


@given(VALUES, st.integers(0, 6))
def test_what_is_found_out_quickly_is_never_less(value, level):
    assert at_most(value, level, 100) >= written(value, level, 100)


def test_a_tool_is_never_larger_than_it_is_taken_for(complaints):
    seen = 0
    for path in sorted(complaints.glob("*/spec.yaml"))[:20]:
        found = read(OpenApiRequest(source=str(path)))
        for tool in tools(found).values() if found.server is not None else ():
            assert ToolRoom(int)._most_of(tool) >= _size(tool)
            seen += 1
    assert seen > 10
