"""Definitions have short, stable names, and as many as a tool can carry."""

import json

from generator.frontends.openapi.model import SchemaNode
from generator.frontends.openapi.place import Place
from generator.frontends.openapi.schemas import file_schema
from generator.frontends.openapi.schemas.assembly import MAX_BYTES
from generator.frontends.openapi.schemas.naming import MAX_NAME, Names
from generator.frontends.openapi.schemas.raw import Raw
from generator.jsonschema.meta import first_error
from generator.runtime.schema.validator import compile_validator


def ref(name):
    escaped = name.replace("~", "~0").replace("/", "~1")
    return {"$ref": f"#/components/schemas/{escaped}"}


def names(schema):
    return list(schema.arguments["$defs"])


def test_definitions_are_named_like_components(written):
    assert names(written(ref("pet.Store-v1_X"), {"pet.Store-v1_X": {"type": "string"}})) == ["pet.Store-v1_X"]


def test_characters_that_references_would_escape_are_replaced(written):
    assert names(written(ref("a/b~c d%é"), {"a/b~c d%é": {"type": "string"}})) == ["a_b_c_d"]


def test_names_that_become_the_same_are_told_apart(written):
    schema = written(
        {"type": "object", "properties": {"x": ref("a b"), "y": ref("a/b")}},
        {"a b": {"type": "string", "maxLength": 1}, "a/b": {"type": "integer"}},
    )
    first, second = names(schema)
    assert first == "a_b"
    assert second.startswith("a_b_")
    assert schema.accepts({"x": "x", "y": 1})


def test_names_do_not_depend_on_where_the_description_lies(memory_file):
    found = []
    for shown in ("api.json", "/srv/apis/api.json"):
        file = memory_file(shown)
        names = Names({}, Place(file))
        pointers = [("paths", "a", "schema"), ("paths", "b", "schema")]
        found.append([names.name(Raw({}, Place(file, pointer)), "3.0") for pointer in pointers])
    assert found[0] == found[1]
    assert len(set(found[0])) == 2


def test_something_inside_a_component_never_takes_the_name_of_another(written):
    components = {
        "Outer": {"type": "object", "properties": {"Pet": {"type": "integer"}}},
        "Pet": {"type": "string"},
    }
    inner = {"$ref": "#/components/schemas/Outer/properties/Pet"}
    schema = written({"type": "object", "properties": {"inner": inner, "pet": ref("Pet")}}, components)
    assert schema.arguments["$defs"]["Pet"] == {"type": "string"}
    assert schema.accepts({"inner": 1, "pet": "x"})


def test_very_long_names_are_cut_and_stay_apart(written):
    long = [f"{'Generated' * 20}{i}" for i in range(2)]
    schema = written(
        {"type": "object", "properties": {name: ref(name) for name in long}},
        {name: {"type": "string", "minLength": index} for index, name in enumerate(long)},
    )
    found = names(schema)
    assert len(set(found)) == 2
    assert all(len(name) <= MAX_NAME for name in found)


def test_only_the_definitions_a_tool_needs_are_in_its_assembly(written):
    schema = written(ref("A"), {"A": {"type": "object", "properties": {"b": ref("B")}}, "B": {}, "C": {}})
    assert names(schema) == ["A", "B"]


def test_definitions_beyond_what_a_tool_can_carry_are_outlined_and_reported(written):
    wide = {
        f"T{i}": {"type": "object", "properties": {f"member_{j}": ref(f"T{(i * 7 + j) % 400}") for j in range(40)}}
        for i in range(400)
    }
    schema = written(ref("T0"), wide)
    converted = schema.arguments
    assert first_error(converted) is None
    assert len(json.dumps(converted)) < MAX_BYTES * 1.2
    assert converted["$defs"]["T0"]["properties"]["member_1"] == {"$ref": "#/$defs/T1"}
    assert schema.rules == ["large-schema"]


def test_a_file_is_its_bytes_or_what_names_it():
    check = compile_validator(file_schema("A picture."))
    assert check.accepts("aGVsbG8=")
    assert check.accepts({"path": "a.png", "mimeType": "image/png"})
    assert check.accepts({"data": "aGVsbG8=", "filename": "a.png"})
    assert not check.accepts({"file": "a.png"})
    assert not check.accepts(5)


def test_schemas_that_were_made_up_for_one_place_are_told_apart(written):

    schema = written({})
    assembly = schema.schemas.assembly("input")
    nodes = [SchemaNode(value={"type": kind}, place=schema.node.place, dialect="2.0") for kind in ("string", "integer")]
    assert [assembly.schema(node) for node in nodes] == [{"type": "string"}, {"type": "integer"}]
