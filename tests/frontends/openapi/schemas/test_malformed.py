"""Mistakes in schemas cost the keyword they are in, never the operation, and are reported once for each kind."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.frontends.openapi.schemas import (
    SchemaProblem,
    allows_null,
    items_kind,
    kind_of,
    property_kinds,
    xml_plan,
)
from generator.jsonschema.meta import first_error
from generator.runtime.schema.validator import compile_validator


@pytest.mark.parametrize(
    "mistake",
    [
        {"type": "strng"},
        {"type": 5},
        {"type": [None]},
        {"properties": []},
        {"properties": "x"},
        {"required": True},
        {"required": "name"},
        {"enum": "x"},
        {"enum": {"a": 1}},
        {"minimum": "3"},
        {"maximum": True},
        {"minLength": -1},
        {"maxLength": 1.5},
        {"multipleOf": 0},
        {"pattern": 5},
        {"format": ["date"]},
        {"items": "string"},
        {"allOf": {"type": "string"}},
        {"allOf": []},
        {"oneOf": []},
        {"anyOf": "x"},
        {"nullable": "yes"},
        {"uniqueItems": 1},
        {"additionalProperties": "x"},
        {"default": float("nan")},
        {"not": None},
    ],
    ids=str,
)
@pytest.mark.parametrize("version", ["2.0", "3.0", "3.1"])
def test_a_malformed_keyword_is_left_out_and_reported(written, mistake, version):
    schema = written({"type": "object", "description": "Kept.", **mistake}, version=version)
    converted = schema.arguments
    assert first_error(converted) is None
    assert converted["description"] == "Kept."
    assert schema.rules == ["malformed-keyword"]


@pytest.mark.parametrize("value", ["a string", None, 3, ["list"]])
def test_a_schema_that_is_none_accepts_anything(written, value):
    schema = written({"type": "object", "properties": {"odd": value}})
    assert schema.arguments == {"type": "object", "properties": {"odd": {}}}
    assert schema.rules == ["malformed-keyword"]


def test_a_mistake_made_a_thousand_times_is_one_diagnostic_at_the_first_place(written):
    schema = written({"type": "object", "properties": {f"p{i}": {"type": "strng"} for i in range(1000)}})
    assert len(schema.arguments["properties"]) == 1000
    assert schema.rules == ["malformed-keyword"]
    [found] = schema.found
    assert found.pointer == "api.json#/asked/properties/p0/type"
    assert found.notes == ("and in 999 more places",)


def test_the_same_schema_read_for_arguments_and_answers_is_one_place(written):
    schema = written({"type": "strng"})
    assert schema.arguments == {}
    assert schema.answer == {}
    assert schema.rules == ["malformed-keyword"]
    assert schema.found[0].notes == ()


KEYWORDS = [
    "type",
    "properties",
    "required",
    "enum",
    "const",
    "items",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "multipleOf",
    "pattern",
    "default",
    "example",
    "examples",
    "nullable",
    "additionalProperties",
    "patternProperties",
    "discriminator",
    "readOnly",
    "writeOnly",
    "$ref",
    "description",
    "title",
    "dependentRequired",
    "dependencies",
    "prefixItems",
    "uniqueItems",
    "contentEncoding",
    "xml",
    "unevaluatedProperties",
    "propertyNames",
    "$defs",
    "$id",
    "$anchor",
    "$dynamicRef",
    "contains",
    "deprecated",
    "additionalItems",
    "minProperties",
    "maxProperties",
]
REFERENCES = ["#/components/schemas/A", "#/components/schemas/B", "#/components/schemas/C", "#/gone", "http://x/y"]
ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["", "a", "object", "string", "array", "null", "integer", "file", "[", "date", *REFERENCES]),
)


def nested(inner):
    schemas = st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=5)
    maps = st.dictionaries(st.sampled_from(["a", "b", "$ref", "type"]), inner, max_size=3)
    refs = st.sampled_from(REFERENCES).map(lambda reference: {"$ref": reference})
    return st.one_of(st.lists(inner, max_size=3), schemas, maps, refs)


ANYTHING = st.recursive(ATOMS, nested, max_leaves=20)


@given(
    asked=ANYTHING,
    components=st.fixed_dictionaries(dict.fromkeys("ABC", ANYTHING)),
    version=st.sampled_from(["2.0", "3.0", "3.1"]),
)
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_whatever_is_written_becomes_valid_schemas_or_a_schema_problem(written, asked, components, version):
    schema = written(asked, components, version)
    for convert in ("arguments", "answer"):
        with suppress(SchemaProblem):
            assert first_error(getattr(schema, convert)) is None
    with suppress(SchemaProblem):
        shape = schema.shape
        assert shape is None or shape.properties
    for fact in (kind_of, property_kinds, items_kind, allows_null, xml_plan):
        fact(schema.node, schema.documents)


@given(members=st.lists(ANYTHING, min_size=1, max_size=4), value=ATOMS | st.dictionaries(st.sampled_from("ab"), ATOMS))
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_servers_can_check_values_against_whatever_comes_out(written, members, value):
    components = {"A": {"allOf": members}, "B": {"anyOf": members}, "C": {"oneOf": members}}
    schema = written({"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in "ABC"]}, components)
    with suppress(SchemaProblem):
        # What matters is that the check ends.
        assert compile_validator(schema.arguments).accepts(value) in (True, False)
