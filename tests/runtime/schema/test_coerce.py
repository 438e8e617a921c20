"""The fifteen coercion rules: what is put right, and what is left alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.runtime.schema.coerce import Options, coerce
from generator.runtime.schema.validator import compile_validator

INTEGER, NUMBER, BOOLEAN, STRING, NULL = ({"type": name} for name in ("integer", "number", "boolean", "string", "null"))
INTEGERS = {"type": "array", "items": INTEGER}
BASE64 = {"type": "string", "contentEncoding": "base64"}
UUID = "123e4567-e89b-12d3-a456-426614174000"
UNCHANGED = object()


def coerced(schema: Any, value: Any, **options: bool) -> Any:
    """Return the coerced member `x`, or UNCHANGED; checks what holds for every coercion on the way."""
    whole = {"type": "object", "properties": {"x": schema}, "additionalProperties": False}
    validator = compile_validator(whole)
    given_value = {"x": value}
    before = copy.deepcopy(given_value)
    result, notes = coerce(given_value, whole, validator, Options(**options))
    assert given_value == before
    if not notes:
        assert validator.accepts(given_value) or not validator.accepts(result)
        return UNCHANGED
    assert validator.accepts(result)
    return result["x"]


@pytest.mark.requirement("R029")
@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        # 1: a string arm blocks everything
        ({"anyOf": [INTEGER, STRING]}, "123", UNCHANGED),
        ({"type": ["array", "string"]}, "[1]", UNCHANGED),
        ({}, "[1]", UNCHANGED),
        (STRING, "5", UNCHANGED),
        ({"anyOf": [INTEGERS, {"$ref": "#/properties/x/$defs/s"}], "$defs": {"s": STRING}}, "[1]", UNCHANGED),
        # 2: JSON text for arrays and objects
        (INTEGERS, "[1, 2]", [1, 2]),
        (INTEGERS, " [] ", []),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        (INTEGERS, "1,2", UNCHANGED),
        (INTEGERS, '{"a": 1}', UNCHANGED),
        ({"type": "object"}, '{"a": 1, "a": 2}', UNCHANGED),
        (INTEGERS, "[" * 100_000, UNCHANGED),
        ({"type": "array"}, "[" * 65 + "]" * 65, UNCHANGED),
        ({"type": "array"}, "[NaN]", UNCHANGED),
        ({"type": "array"}, "[1e999]", UNCHANGED),
        # 3: integers
        (INTEGER, "5", 5),
        (INTEGER, "+5", 5),
        (INTEGER, "-7", -7),
        (INTEGER, "5.0", 5),
        (INTEGER, "5.5", UNCHANGED),
        (INTEGER, "1_000", UNCHANGED),
        (INTEGER, "\u0663", UNCHANGED),
        (INTEGER, " 5", UNCHANGED),
        (INTEGER, "", UNCHANGED),
        (INTEGER, "0x10", UNCHANGED),
        (INTEGER, "9" * 5000, UNCHANGED),
        # 5: numbers
        (NUMBER, "5", 5),
        (NUMBER, "-1.5e3", -1500.0),
        (NUMBER, "nan", UNCHANGED),
        (NUMBER, "inf", UNCHANGED),
        (NUMBER, "1e400", UNCHANGED),
        (NUMBER, ".5", UNCHANGED),
        (NUMBER, "01", UNCHANGED),
        # 6, 7: booleans
        (BOOLEAN, "true", True),
        (BOOLEAN, "FALSE", False),
        (BOOLEAN, "yes", UNCHANGED),
        (BOOLEAN, "1", UNCHANGED),
        (BOOLEAN, 1, UNCHANGED),
        (INTEGER, True, UNCHANGED),
        # 8: null
        ({"anyOf": [INTEGER, NULL]}, "null", None),
        ({"type": ["integer", "null"]}, "None", None),
        ({"type": ["integer", "null"]}, "", UNCHANGED),
        # 9: no dates from numbers
        ({"type": "string", "format": "date-time"}, 1_700_000_000, UNCHANGED),
        # 10: listed values by letter case, then by name
        ({"enum": ["Red", "Blue"]}, "red", "Red"),
        ({"type": "string", "enum": ["Red", "RED"]}, "red", UNCHANGED),
        ({"enum": [1, 2], "x-enum-varnames": ["ONE", "TWO"]}, "two", 2),
        ({"enum": [1, 2]}, "2", 2),
        ({"anyOf": [{"enum": ["Red"]}, NULL]}, "RED", "Red"),
        # a string that stands for something else is no text: the other arms are asked
        ({"anyOf": [{"type": "string", "enum": ["auto"]}, INTEGER]}, "3", 3),
        ({"anyOf": [{"type": "string", "enum": ["auto"]}, INTEGER]}, "AUTO", "auto"),
        ({"anyOf": [{"type": "string", "format": "date"}, NULL]}, "null", None),
        ({"anyOf": [{"type": "string", "contentEncoding": "base64"}, INTEGER]}, "5", 5),
        ({"anyOf": [{"type": "string", "minLength": 3}, INTEGER]}, "5", UNCHANGED),
        ({"anyOf": [{"type": "string", "pattern": "^[a-z]+$"}, NULL]}, "None", UNCHANGED),
        # 11, 13: by option
        (INTEGERS, "3", UNCHANGED),
        (INTEGERS, 3, UNCHANGED),
        # 12: quotes inside a string
        ({"type": "string", "format": "uuid"}, f'"{UUID}"', UUID),
        (INTEGER, '"7"', 7),
        (STRING, '"a"', UNCHANGED),
        # base64 of another alphabet, or without padding, as its schema has it; nothing that is only a word
        (BASE64, "AAH-_w==", "AAH+/w=="),
        (BASE64, "AAH-_w", "AAH+/w=="),
        (BASE64, "AAH+/w", "AAH+/w=="),
        (BASE64, "aGk", "aGk="),
        (BASE64, "AAH-/w==", UNCHANGED),
        (BASE64, "AAH-_x", UNCHANGED),
        (BASE64, "AAH-_w=", UNCHANGED),
        (BASE64, "AAH-_", UNCHANGED),
        (BASE64, "report", UNCHANGED),
        (BASE64, "a Gk", UNCHANGED),
        (BASE64, "\u00e9", UNCHANGED),
        (BASE64, '"aGk="', "aGk="),
        ({**BASE64, "maxLength": 3}, "aGk", UNCHANGED),
        ({"type": ["string", "null"], "contentEncoding": "base64"}, "aGk", "aGk="),
        ({"anyOf": [BASE64, NULL]}, "_-8", "/+8="),
        ({"type": "string", "contentEncoding": "base64url"}, "/+8=", "_-8="),
        ({"type": "string", "contentEncoding": "BASE64"}, "aGk", "aGk="),
        ({"type": "string", "contentEncoding": "base16"}, "0f0", UNCHANGED),
        # 15: at any depth
        (INTEGERS, '["1", 2]', [1, 2]),
        ({"type": "object", "properties": {"l": INTEGERS}}, '{"l": "[\\"1\\"]"}', {"l": [1]}),
        # unions: exactly one
        ({"anyOf": [INTEGER, BOOLEAN]}, "true", True),
        ({"anyOf": [INTEGER, NUMBER]}, "5", 5),
        ({"oneOf": [INTEGER, {"type": "integer", "minimum": 3}]}, "5", UNCHANGED),
        ({"anyOf": [INTEGERS, {"type": "array", "items": STRING}]}, '["1"]', UNCHANGED),
        # parts that are already right stay as they are
        ({"type": "array", "items": {"anyOf": [INTEGER, STRING]}}, ["1", 2], UNCHANGED),
        ({"type": "array", "prefixItems": [STRING, INTEGER]}, ["1", "2"], ["1", 2]),
        ({"type": "object", "additionalProperties": INTEGER}, {"a": "1"}, {"a": 1}),
        ({"type": "object", "patternProperties": {"^n": INTEGER}}, {"n1": "1", "s": "1"}, {"n1": 1, "s": "1"}),
        ({"allOf": [{"type": "object", "properties": {"a": INTEGER}}]}, {"a": "1"}, {"a": 1}),
        ({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, '{"a": 1}', {"a": 1}),
    ],
)
def test_a_rule_changes_what_it_says_and_nothing_else(schema: Any, value: Any, expected: Any) -> None:
    result = coerced(schema, value)
    assert result == expected or result is expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("schema", "value", "options", "expected"),
    [
        (BOOLEAN, "yes", {"loose_booleans": True}, True),
        (BOOLEAN, "Off", {"loose_booleans": True}, False),
        ({"type": ["integer", "null"]}, "", {"empty_is_null": True}, None),
        (INTEGERS, "3", {"bare_item": True}, [3]),
        (INTEGERS, 3, {"bare_item": True}, [3]),
    ],
)
def test_the_optional_rules_act_when_they_are_asked_for(
    schema: Any, value: Any, options: dict[str, bool], expected: Any
) -> None:
    assert coerced(schema, value) is UNCHANGED
    result = coerced(schema, value, **options)
    assert (result, type(result)) == (expected, type(expected))


ADD = {"type": "object", "properties": {"a": INTEGER}, "required": ["a"], "additionalProperties": False}


def test_arguments_that_are_one_json_text_are_read() -> None:
    validator = compile_validator(ADD)
    assert coerce('{"a": "1"}', ADD, validator) == (
        {"a": 1},
        ["/: JSON text taken as object", "/a: string taken as integer"],
    )
    assert coerce('{"a": 1}', ADD, validator, Options(whole_text=False))[0] == {"a": 1}  # by rule 2, as any object


def test_arguments_inside_a_member_of_that_name_are_unwrapped_by_option() -> None:
    validator = compile_validator(ADD)
    wrapped = {"arguments": {"a": 1}}
    assert coerce(wrapped, ADD, validator)[1] == []
    assert coerce(wrapped, ADD, validator, Options(unwrap=True))[0] == {"a": 1}
    assert wrapped == {"arguments": {"a": 1}}


def test_what_can_be_put_right_is_even_when_something_else_is_wrong() -> None:
    schema = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER}}
    assert coerce({"a": "1", "b": "x"}, schema, compile_validator(schema)) == ({"a": 1, "b": "x"}, [])


def test_notes_name_the_place_and_never_the_value() -> None:
    schema = {"type": "object", "properties": {"l": INTEGERS}}
    _, notes = coerce({"l": "[1, 77]"}, schema, compile_validator(schema))
    assert notes == ["/l: string taken as array"]


def test_a_recursive_schema_is_followed() -> None:
    tree = {
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"v": INTEGER, "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            }
        },
        "$ref": "#/$defs/node",
    }
    value = {"v": "1", "kids": [{"v": "2", "kids": []}]}
    assert coerce(value, tree, compile_validator(tree))[0] == {"v": 1, "kids": [{"v": 2, "kids": []}]}


def test_nested_unions_do_not_multiply_the_work() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/either"}, "v": INTEGER}, "required": ["next"]}
    schema = {
        "$defs": {"a": node, "b": {**node}, "either": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, NULL]}},
        "$ref": "#/$defs/either",
    }
    value: Any = {"v": "x"}
    for _ in range(60):  # 2**60 visits if each arm tried anew
        value = {"next": value, "v": "1"}
    assert coerce(value, schema, compile_validator(schema))[1] == []


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema = {"$ref": "#"}
    assert coerce("1", schema, compile_validator(schema)) == ("1", [])


SIMPLE = st.sampled_from(
    [INTEGER, NUMBER, BOOLEAN, STRING, NULL, {"enum": ["A", "b", 3]}, {"type": ["integer", "null"]}]
)
SCHEMAS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(lambda item: {"type": "array", "items": item}, inner),
        st.builds(lambda first, second: {"anyOf": [first, second]}, inner, inner),
        st.builds(lambda first, second: {"oneOf": [first, second]}, inner, inner),
        st.builds(lambda member: {"type": "object", "properties": {"a": member}}, inner),
    ),
    max_leaves=5,
)
TEXTS = st.sampled_from(["1", "1.0", "true", "null", "a", "B", "[1]", '["1"]', '{"a": "1"}', '"1"', "", "x", "[[1]]"])
VALUES = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from([1.0, 0.5])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(
    SCHEMAS,
    VALUES,
    st.builds(Options, loose_booleans=st.booleans(), empty_is_null=st.booleans(), bare_item=st.booleans()),
)
def test_what_is_claimed_is_valid_and_the_callers_value_is_never_changed(
    schema: Any, value: Any, options: Options
) -> None:
    validator = compile_validator(schema)
    before = copy.deepcopy(value)
    result, notes = coerce(value, schema, validator, options)
    assert value == before
    if notes:
        assert validator.accepts(result)
        assert not validator.accepts(value)
    if validator.accepts(value):
        assert result is value
    assert coerce(result, schema, validator, options)[0] == result


def test_names_of_listed_values_are_known_from_the_conversions_of_their_argument() -> None:
    listed = {"type": "integer", "enum": [1, 10]}
    schema = {"type": "object", "properties": {"a": listed, "b": {"type": "array", "items": listed}, "c": listed}}
    names = {"a": {"[0x1,0xa]": [("LOW", 1), ("HIGH", 10)]}, None: {"[0x1,0xa]": [("NO", 1), ("YES", 10)]}}
    value = {"a": "low", "b": ["Yes", "10"], "c": "no"}
    found, notes = coerce(value, schema, compile_validator(schema), Options(names=names))
    assert found == {"a": 1, "b": [10, 10], "c": 1}
    assert len(notes) == 4
