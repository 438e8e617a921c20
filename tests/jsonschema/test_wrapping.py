"""Results that are no objects, wrapped."""

from __future__ import annotations

import jsonschema
import pytest

from generator.jsonschema.wrapping import is_object, wrapped

TREE = {"type": "array", "items": {"$ref": "#"}}


def accepts(schema, value) -> bool:
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def test_a_wrapped_schema_asks_for_the_result():
    schema = wrapped({"type": "integer"})
    assert schema == {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
    assert accepts(schema, {"result": 1})
    assert not accepts(schema, {"result": "1"})
    assert not accepts(schema, {})


@pytest.mark.parametrize("keyword", ["$defs", "definitions"])
def test_definitions_move_to_the_root_and_are_found_there(keyword):
    schema = wrapped({"type": "array", "items": {"$ref": f"#/{keyword}/N"}, keyword: {"N": {"type": "integer"}}})
    assert schema[keyword] == {"N": {"type": "integer"}}
    assert keyword not in schema["properties"]["result"]
    assert accepts(schema, {"result": [1]})
    assert not accepts(schema, {"result": ["1"]})


def test_a_reference_to_the_root_follows_the_root():
    schema = wrapped(TREE)
    assert accepts(schema, {"result": [[], [[]]]})
    assert not accepts(schema, {"result": [[1]]})


def test_a_reference_from_a_definition_to_the_root_follows_too():
    schema = wrapped({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/L"}], "$defs": {"L": TREE}})
    assert accepts(schema, {"result": [None, [None]]})
    assert not accepts(schema, {"result": [1]})


def test_a_reference_into_the_schema_follows_too():
    schema = wrapped({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"$ref": "#/prefixItems/0"}})
    assert accepts(schema, {"result": [1, 2]})
    assert not accepts(schema, {"result": [1, "2"]})


def test_a_schema_with_an_identifier_keeps_its_own_references():
    schema = wrapped({"$id": "urn:example:tree", **TREE})
    assert accepts(schema, {"result": [[]]})
    assert not accepts(schema, {"result": [1]})


def test_the_dialect_moves_to_the_root():
    dialect = "https://json-schema.org/draft/2020-12/schema"
    schema = wrapped({"$schema": dialect, "type": "integer"})
    assert schema["$schema"] == dialect
    assert schema["properties"]["result"] == {"type": "integer"}


def test_data_that_looks_like_a_reference_stays():
    assert wrapped({"const": {"$ref": "#"}})["properties"]["result"] == {"const": {"$ref": "#"}}


def test_a_schema_that_accepts_everything_is_written_as_an_object():
    assert wrapped(True)["properties"]["result"] == {}
    assert wrapped(False)["properties"]["result"] is False


@pytest.mark.parametrize(
    ("schema", "expected"),
    [({"type": "object"}, True), ({"type": ["object", "null"]}, False), ({}, False), (True, False), (None, False)],
)
def test_only_a_root_that_is_always_an_object_counts_as_one(schema, expected):
    assert is_object(schema) is expected
