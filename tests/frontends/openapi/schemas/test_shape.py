"""A body is flattened when nothing is lost by it (decision 29)."""

import pytest

OBJECT = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def test_an_object_is_its_members(written):
    shape = written(OBJECT).shape
    assert shape.properties == OBJECT["properties"]
    assert shape.required == ("a",)


def test_references_and_all_of_are_looked_through(written):
    shape = written(
        {"allOf": [ref("Base"), {"type": "object", "properties": {"c": ref("Deep")}, "additionalProperties": False}]},
        {"Base": OBJECT, "Deep": {"type": "object", "properties": {"x": {"type": "string"}}}},
    ).shape
    assert list(shape.properties) == ["a", "b", "c"]
    assert shape.properties["c"] == {"$ref": "#/$defs/Deep"}


def test_definitions_that_members_need_are_in_the_assembly(written):
    schema = written({"type": "object", "properties": {"c": ref("Deep")}}, {"Deep": OBJECT})
    assembly = schema.schemas.assembly("input")
    assembly.shape(schema.node)
    assert assembly.definitions() == {"Deep": OBJECT}


def test_members_that_are_only_in_answers_are_not_there(written):
    schema = {**OBJECT, "properties": {**OBJECT["properties"], "a": {"type": "string", "readOnly": True}}}
    shape = written(schema).shape
    assert list(shape.properties) == ["b"]
    assert shape.required == ()


def test_limits_on_the_number_of_members_are_left_to_the_service(written):
    assert written({**OBJECT, "minProperties": 1}).shape is not None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "array", "items": OBJECT},
        {},
        {"type": "object"},
        {"type": "object", "properties": {}},
        {**OBJECT, "additionalProperties": True},
        {**OBJECT, "additionalProperties": {}},
        {**OBJECT, "additionalProperties": {"type": "string"}},
        {**OBJECT, "patternProperties": {"^x": {}}},
        {**OBJECT, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {**OBJECT, "anyOf": [{"required": ["b"]}]},
        {**OBJECT, "not": {"required": ["b"]}},
        {**OBJECT, "if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {**OBJECT, "dependentRequired": {"a": ["b"]}},
        {**OBJECT, "nullable": True},
        {**OBJECT, "type": ["object", "null"]},
        {**OBJECT, "type": ["object", "string"]},
        {"allOf": [OBJECT, {"oneOf": [OBJECT]}]},
        {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}}},
        True,
    ],
    ids=str,
)
def test_anything_more_or_less_than_a_plain_object_stays_whole(written, schema):
    assert written(schema, version="3.1").shape is None


def test_a_base_with_a_union_of_its_types_gives_its_members_to_those(written):
    components = {
        "Pet": {"type": "object", "properties": {"kind": {"type": "string"}}, "oneOf": [ref("Cat")]},
        "Cat": {"allOf": [ref("Pet"), {"type": "object", "properties": {"claws": {"type": "integer"}}}]},
    }
    schema = written(ref("Cat"), components)
    assert schema.schemas.assembly("input").shape(schema.node_of("Cat")).properties.keys() == {"kind", "claws"}
