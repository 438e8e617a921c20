"""Structured content keeps what a tool promised, whatever an API answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.structured import Shape
from generator.runtime.schema.validator import compile_validator

ITEM = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
LIST = {"type": "object", "properties": {"result": {"type": "array", "items": ITEM}}, "required": ["result"]}
PET = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
}


@pytest.mark.parametrize(
    ("schema", "wrap", "value", "structured", "places"),
    [
        (PET, False, {"id": 1, "more": None}, {"id": 1, "more": None}, None),
        (PET, False, {"id": "1", "more": 2}, {"more": 2}, ["id"]),
        (PET, False, {"tags": ["a", 1, "b", 2]}, {"tags": ["a", "b"]}, ["tags[1]", "tags[3]"]),
        (PET, False, [1], {"result": [1]}, None),
        (LIST, True, [{"id": 1}, {"x": 2}, {"id": "a"}], {"result": [{"id": 1}]}, ["result[1].id", "result[2].id"]),
        (LIST, True, "text", {"result": [], "received": "text"}, ["result"]),
        (LIST, True, None, {"result": [], "received": None}, ["result"]),
        (ITEM, False, {"x": 1}, {}, ["id"]),
    ],
)
def test_what_does_not_fit_is_left_out_and_named(schema, wrap, value, structured, places):
    made, note = Shape(schema, wrap=wrap).of(value)
    assert made == structured
    assert (note["at"] if note else None) == places


def test_nothing_promised_leaves_objects_as_they_are():
    shape = Shape(None, wrap=False)
    assert shape.of({"a": 1}) == ({"a": 1}, None)
    assert shape.of([1]) == (None, None)
    assert shape.missing() is None


def test_a_schema_nobody_can_hold_anything_against_is_no_obstacle():
    assert Shape({"type": "object", "$ref": "#/nowhere"}, wrap=False).of({"a": 1}) == ({"a": 1}, None)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "tags", "x"]), inner, max_size=3)
    ),
)


@given(VALUES)
def test_the_promise_is_kept_for_every_answer(value):
    for schema, wrap in ((LIST, True), (PET, False)):
        made, _ = Shape(schema, wrap=wrap).of(value)
        assert compile_validator(schema).accepts(made)
