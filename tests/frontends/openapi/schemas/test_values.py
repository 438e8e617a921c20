"""Enumerations, defaults and bounds agree with the type beside them, or are left out and reported."""

import pytest


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "enum": [1, 2]}, ["1", "2"]),
        ({"type": "string", "enum": [True, 1.0, "x"]}, ["true", "1", "x"]),
        ({"type": "integer", "enum": ["1", "2"]}, [1, 2]),
        ({"type": "number", "enum": ["1.5", 2]}, [1.5, 2]),
        ({"type": "boolean", "enum": ["true", "False"]}, [True, False]),
        ({"type": "string", "enum": ["a", "b", "a"]}, ["a", "b"]),
        ({"type": "string", "enum": ["a", None]}, ["a"]),
        ({"enum": [1, "a", None, True]}, [1, "a", None, True]),
        ({"enum": [1, True, 0, False]}, [1, True, 0, False]),
    ],
    ids=str,
)
def test_enumerated_values_get_the_type_that_is_said(written, schema, expected):
    converted = written(schema)
    assert repr(converted.arguments["enum"]) == repr(expected)
    assert converted.rules == []


def test_values_that_cannot_have_the_type_are_left_out(written):
    schema = written({"type": "integer", "enum": [1, "x"]})
    assert schema.arguments == {"type": "integer", "enum": [1]}
    assert schema.rules == ["contradictory-schema"]


@pytest.mark.parametrize("listed", [[], ["x"], [None]])
def test_an_enumeration_without_a_fitting_value_says_nothing(written, listed):
    assert written({"type": "integer", "enum": listed}).arguments == {"type": "integer"}


def test_an_enumeration_beside_an_array_is_meant_for_its_items(written):
    schema = written({"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]})
    assert schema.arguments == {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "default": "10"}, 10),
        ({"type": "boolean", "default": "true"}, True),
        ({"type": "string", "default": 5}, "5"),
        ({"type": "number", "default": 1}, 1),
        ({"type": "array", "items": {"type": "string"}, "default": ["a"]}, ["a"]),
        ({"type": "string", "nullable": True, "default": None}, None),
    ],
    ids=str,
)
def test_a_default_gets_the_type_that_is_said(written, schema, expected):
    converted = written(schema)
    assert converted.arguments["default"] == expected
    assert converted.rules == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "default": "ten"},
        {"type": "string", "enum": ["a"], "default": "b"},
        {"type": "integer", "maximum": 5, "default": 6},
        {"type": "string", "maxLength": 1, "default": "ab"},
        {"type": "array", "default": "a"},
    ],
    ids=str,
)
def test_a_default_its_own_schema_refuses_is_left_out(written, schema):
    converted = written(schema)
    assert "default" not in converted.arguments
    assert converted.rules == ["contradictory-schema"]


def test_null_as_a_default_only_says_that_there_is_none(written):
    schema = written({"type": "string", "default": None})
    assert schema.arguments == {"type": "string"}
    assert schema.rules == []


@pytest.mark.parametrize(
    "bounds",
    [
        {"minimum": 5, "maximum": 1},
        {"minLength": 5, "maxLength": 1},
        {"minItems": 2, "maxItems": 1},
        {"exclusiveMinimum": 1, "maximum": 1},
    ],
    ids=str,
)
def test_bounds_that_nothing_satisfies_are_left_out(written, bounds):
    schema = written({"type": ["integer", "string", "array"], **bounds}, version="3.1")
    assert schema.arguments == {"type": ["integer", "string", "array"]}
    assert schema.rules == ["contradictory-schema"]


def test_required_names_are_kept_once_even_of_members_nobody_describes(written):
    schema = written({"type": "object", "properties": {"a": {}}, "required": ["a", "b", "a"]})
    assert schema.arguments["required"] == ["a", "b"]


def test_exact_large_integers_stay_exact(written):
    schema = written(
        {"type": "integer", "format": "int64", "default": 9007199254740993, "maximum": 9223372036854775807}
    )
    assert schema.arguments == {"type": "integer", "maximum": 9223372036854775807, "default": 9007199254740993}
