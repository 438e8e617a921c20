"""Enumerations, literals and unions choose by JSON type and value."""

from __future__ import annotations

import datetime as dt
import decimal
import uuid

import pytest
from conversion_samples import Color, Lenient, Level, Mixed, Mode, Opaque, Perm, Point

from generator.runtime.schema.convert import ConversionProblem, compile_conversion
from generator.runtime.schema.imports import load


def convert(spec, value, **options):
    return compile_conversion(spec, load=load, **options)(value)


def refused(spec, value, **options):
    with pytest.raises(ConversionProblem) as caught:
        convert(spec, value, **options)
    return caught.value


def enum_of(name, by="value"):
    return {"enum": {"target": f"conversion_samples:{name}", "by": by}}


@pytest.mark.parametrize(
    ("spec", "value", "expected"),
    [
        (enum_of("Color"), "red", Color.RED),
        (enum_of("Level"), 1, Level.LOW),
        (enum_of("Level"), 1.0, Level.LOW),
        (enum_of("Mode"), "fast", Mode.FAST),
        (enum_of("Mixed"), 1, Mixed.A),
        (enum_of("Mixed"), "b", Mixed.B),
        (enum_of("Mixed"), None, Mixed.N),
        (enum_of("Opaque", by="name"), "X", Opaque.X),
        (enum_of("Perm"), 0, Perm(0)),
        (enum_of("Perm"), 3, Perm.R | Perm.W),
        (enum_of("Perm"), 4.0, Perm.X),
        (enum_of("Lenient"), "1", Lenient.ONE),
        ({"members": {"target": "conversion_samples:Color", "names": [["red", "RED"]]}}, "red", Color.RED),
        ({"literal": [[1], ["a"], [True], [None]]}, 1, 1),
        ({"literal": [[1], ["a"], [True], [None]]}, 1.0, 1),
        ({"literal": [[1], ["a"], [True], [None]]}, True, True),
        ({"literal": [[1], ["a"], [True], [None]]}, None, None),
        ({"nullable": "integer"}, None, None),
        ({"nullable": "integer"}, 1.0, 1),
        ({"nullable": None}, None, None),
    ],
)
def test_a_choice_gives_the_declared_value_of_the_declared_type(spec, value, expected):
    converted = convert(spec, value)
    assert converted == expected
    assert type(converted) is type(expected)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (enum_of("Level"), True),
        (enum_of("Level"), 3),
        (enum_of("Level"), "1"),
        (enum_of("Mixed"), True),
        (enum_of("Color"), "RED"),
        (enum_of("Color"), ["red"]),
        (enum_of("Opaque", by="name"), "Z"),
        (enum_of("Opaque"), [1, 2]),
        (enum_of("Perm"), 8),
        (enum_of("Perm"), -1),
        (enum_of("Perm"), True),
        (enum_of("Perm"), 1.5),
        (enum_of("Lenient"), "bang"),
        ({"literal": [[1]]}, True),
        ({"literal": [[True]]}, 1),
        ({"literal": [["1"]]}, 1),
        ({"literal": [[1]]}, [1]),
        ({"members": {"target": "conversion_samples:Color", "names": [["red", "RED"]]}}, "blue"),
    ],
)
def test_a_value_that_is_only_equal_in_python_or_not_declared_is_refused(spec, value):
    assert refused(spec, value).path == ()


def test_exact_numbers_are_compared_as_the_numbers_they_are():
    assert convert(enum_of("Level"), decimal.Decimal("1.0"), exact_numbers=True) is Level.LOW
    assert convert({"literal": [[1.5]]}, decimal.Decimal("1.5"), exact_numbers=True) == 1.5


UNION = {
    "union": [
        {"schema": {"type": "integer"}, "convert": "integer"},
        {"schema": {"type": "string", "format": "date-time"}, "convert": "datetime"},
        {"schema": {"type": "string", "format": "uuid"}, "convert": "uuid"},
        {"schema": {"type": "string"}, "convert": None},
        {"schema": {"$ref": "#/$defs/Point"}, "convert": {"ref": "Point"}},
        {"schema": {"type": "array"}, "convert": {"set": "integer"}},
    ]
}
POINT = {"record": {"target": "conversion_samples:Point", "fields": {"x": {"convert": "integer"}, "y": {}}}}
DEFINITIONS = {
    "conversions": {"Point": POINT},
    "schemas": {"Point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5.0, 5),
        ("2020-01-02T03:04:05Z", dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC)),
        ("12345678-1234-5678-1234-567812345678", uuid.UUID("12345678-1234-5678-1234-567812345678")),
        ("text", "text"),
        ({"x": 1}, Point(1)),
        ([1, 2.0], {1, 2}),
    ],
)
def test_a_union_takes_the_first_arm_whose_schema_accepts(value, expected):
    converted = convert(UNION, value, definitions=DEFINITIONS)
    assert converted == expected
    assert type(converted) is type(expected)


def test_an_arm_that_accepts_and_cannot_convert_gives_way_to_a_later_one():
    spec = {"union": [{"schema": {"type": "string"}, "convert": "date"}, {"schema": {"type": "string"}}]}
    assert convert(spec, "2020-02-30") == "2020-02-30"


def test_when_no_arm_converts_the_first_problem_is_told():
    assert refused(UNION, {"x": 1.5}, definitions=DEFINITIONS).path == ("x",)
    assert refused(UNION, None, definitions=DEFINITIONS).message == "none of the allowed types"


def test_a_union_that_converts_nothing_compiles_to_nothing():
    value = {"a": 1}
    assert convert({"union": [{"schema": {"type": "object"}, "convert": None}, {"schema": {}}]}, value) is value


def test_a_union_sees_exact_numbers_as_numbers():
    spec = {"union": [{"schema": {"type": "number"}, "convert": "decimal"}, {"schema": {"type": "string"}}]}
    assert convert(spec, decimal.Decimal("0.10"), exact_numbers=True) == decimal.Decimal("0.10")
