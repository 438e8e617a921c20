"""Arrays in the place of named tuples are read by position, wherever the conversions lead to one."""

from __future__ import annotations

import pytest

from generator.runtime.schema.named_tuples import read_by_position

POINT = {"record": {"target": "m:Pt", "fields": {"x": {"name": "x"}, "y": {"name": "y"}}, "array": True}}
LINE = {"record": {"target": "m:Line", "fields": {"start": {"name": "start", "convert": POINT}}}}


@pytest.mark.parametrize(
    ("spec", "sent", "read"),
    [
        (POINT, [1, 2], {"x": 1, "y": 2}),
        (POINT, [1], {"x": 1}),
        ({"list": POINT}, [[1, 2], {"x": 3}], [{"x": 1, "y": 2}, {"x": 3}]),
        ({"nullable": POINT}, [1, 2], {"x": 1, "y": 2}),
        ({"ref": "Pt"}, [1, 2], {"x": 1, "y": 2}),
        (LINE, {"start": [1, 2]}, {"start": {"x": 1, "y": 2}}),
        ({"dict": {"key": None, "value": POINT}}, {"a": [1, 2]}, {"a": {"x": 1, "y": 2}}),
        ({"tuple": {"prefix": [POINT], "rest": None}}, [[1, 2], 5], [{"x": 1, "y": 2}, 5]),
        ({"typed_dict": {"fields": {"p": POINT}, "extra": None}}, {"p": [1], "q": [2]}, {"p": {"x": 1}, "q": [2]}),
    ],
)
def test_an_array_becomes_an_object_by_field_names(spec, sent, read):
    call = {"conversions": {"p": spec}, "definitions": {"conversions": {"Pt": POINT}}}
    arguments, notes = read_by_position({"p": sent}, call)
    assert arguments == {"p": read}
    assert notes


@pytest.mark.parametrize(
    ("spec", "sent"),
    [
        (POINT, [1, 2, 3]),
        (POINT, {"x": 1}),
        (LINE, [[1, 2]]),
        ({"union": [{"schema": {}, "convert": POINT}]}, [1, 2]),
        ("integer", [1, 2]),
        (None, [1, 2]),
    ],
)
def test_anything_else_stays_as_it_was_sent(spec, sent):
    arguments = {"p": sent}
    assert read_by_position(arguments, {"conversions": {"p": spec}}) == (arguments, [])


def test_recursion_is_bounded():
    node = {"record": {"target": "m:N", "fields": {"next": {"name": "next", "convert": {"ref": "N"}}}, "array": True}}
    value: list = []
    for _ in range(100):
        value = [value]
    call = {"conversions": {"p": node}, "definitions": {"conversions": {"N": node}}}
    arguments, notes = read_by_position({"p": value}, call)
    assert "next" in arguments["p"]
    assert len(notes) <= 60
