"""The bytes that a value takes in a file are counted as they will be written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.backends.catalog import readable
from generator.frontends.openapi.written import written

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
