"""What the versions of OpenAPI write differently comes out the same."""

import pytest


@pytest.mark.parametrize("version", ["2.0", "3.0", "3.1"])
def test_plain_keywords_are_kept_in_every_version(written, version):
    schema = {
        "type": "string",
        "minLength": 1,
        "maxLength": 5,
        "pattern": "^a",
        "description": "A code.",
        "default": "ab",
    }
    assert written(schema, version=version).arguments == schema


def test_nullable_adds_null_to_the_type(written):
    assert written({"type": "string", "nullable": True}).arguments == {"type": ["string", "null"]}


def test_swagger_2_spells_it_x_nullable(written):
    assert written({"type": "string", "x-nullable": True}, version="2.0").arguments == {"type": ["string", "null"]}


def test_null_is_added_to_the_values_of_a_nullable_enumeration(written):
    schema = written({"type": "string", "enum": ["a", "b"], "nullable": True})
    assert schema.arguments == {"type": ["string", "null"], "enum": ["a", "b", None]}


def test_nullable_beside_all_of_with_a_reference_accepts_the_referred_or_null(written):
    schema = written(
        {"allOf": [{"$ref": "#/components/schemas/Pet"}], "nullable": True, "description": "The pet."},
        {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
    )
    assert schema.arguments["description"] == "The pet."
    assert schema.accepts(None)
    assert schema.accepts({"name": "Rex"})
    assert not schema.accepts({})


def test_nullable_beside_a_union_adds_null_to_it(written):
    schema = written({"oneOf": [{"type": "string"}, {"type": "integer"}], "nullable": True})
    assert schema.arguments == {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("bound", "exclusive", "expected"),
    [
        ({"minimum": 1}, {"exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 9}, {"exclusiveMaximum": True}, {"exclusiveMaximum": 9}),
        ({"minimum": 1}, {"exclusiveMinimum": False}, {"minimum": 1}),
    ],
)
def test_true_and_false_as_exclusive_bounds_become_numbers(written, bound, exclusive, expected):
    # In whichever order they are written.
    for schema in ({"type": "integer", **bound, **exclusive}, {"type": "integer", **exclusive, **bound}):
        assert written(schema).arguments == {"type": "integer", **expected}


def test_exclusive_bounds_of_3_1_stay_numbers(written):
    schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5}
    assert written(schema, version="3.1").arguments == schema


def test_before_3_1_only_the_description_beside_a_reference_counts(written):
    schema = {"$ref": "#/components/schemas/Id", "description": "Which one.", "maxLength": 2}
    converted = written(schema, {"Id": {"type": "string"}}).arguments
    assert converted == {"$ref": "#/$defs/Id", "description": "Which one.", "$defs": {"Id": {"type": "string"}}}


def test_since_3_1_keywords_beside_a_reference_hold_too(written):
    schema = written({"$ref": "#/components/schemas/Id", "maxLength": 2}, {"Id": {"type": "string"}}, version="3.1")
    assert schema.accepts("ab")
    assert not schema.accepts("abc")
    assert not schema.accepts(1)


def test_file_of_swagger_2_is_a_string(written):
    assert written({"type": "file"}, version="2.0").arguments == {"type": "string"}


def test_example_becomes_examples_and_long_ones_are_left_out(written):
    assert written({"type": "string", "example": "x"}).arguments == {"type": "string", "examples": ["x"]}
    assert written({"type": "string", "example": "x" * 500}).arguments == {"type": "string"}
    assert written({"type": "string", "examples": ["y", "z"]}, version="3.1").arguments["examples"] == ["y"]


def test_keywords_of_json_schema_2020_12_are_kept_in_3_1(written):
    schema = {
        "type": "object",
        "properties": {
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
            "kind": {"const": "a"},
            "blob": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
            "either": {"type": ["string", "integer"]},
        },
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["blob"]},
        "else": {"required": ["pair"]},
        "dependentRequired": {"blob": ["kind"]},
        "patternProperties": {"^x": {"type": "string"}},
        "propertyNames": {"maxLength": 5},
        "unevaluatedProperties": False,
    }
    converted = written(schema, version="3.1").arguments
    assert {**converted, "if": None} == {**schema, "if": None}
    assert converted["if"]["properties"] == {"kind": {"const": "a"}}


def test_definitions_and_identifiers_inside_a_schema_become_definitions_of_the_tool(written):
    schema = written(
        {"$ref": "#/components/schemas/Tree"},
        {
            "Tree": {
                "$id": "https://example.com/tree",
                "$anchor": "tree",
                "$defs": {"leaf": {"type": "integer"}},
                "type": "object",
                "properties": {
                    "leaf": {"$ref": "#/components/schemas/Tree/$defs/leaf"},
                    "more": {"type": "array", "items": {"$ref": "#tree"}},
                },
            }
        },
        version="3.1",
    )
    converted = schema.arguments
    assert set(converted["$defs"]) == {"Tree", "leaf"}
    assert "$id" not in converted["$defs"]["Tree"]
    assert schema.accepts({"leaf": 1, "more": [{"leaf": 2}]})
    assert not schema.accepts({"more": [{"leaf": "x"}]})


def test_a_dynamic_reference_is_followed_as_a_plain_one(written):
    node = {"$dynamicAnchor": "node", "type": "object", "properties": {"next": {"$dynamicRef": "#node"}}}
    schema = written({"$ref": "#/components/schemas/Node"}, {"Node": node}, version="3.1")
    assert not schema.accepts({"next": {"next": 1}})


def test_keywords_of_draft_07_are_brought_to_2020_12(written):
    schema = written(
        {
            "type": "object",
            "properties": {
                "pair": {"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "integer"}}
            },
            "dependencies": {"a": ["b"], "c": {"required": ["d"]}},
        },
        version="3.1",
    )
    assert schema.accepts({"pair": ["x", 1]})
    assert not schema.accepts({"pair": ["x", "y"]})
    assert not schema.accepts({"a": 1})
    assert not schema.accepts({"c": 1})


def test_true_and_false_as_schemas_are_objects_where_clients_expect_one(written):
    schema = written(
        {"type": "object", "properties": {"any": True, "none": False}, "additionalProperties": False}, version="3.1"
    )
    assert schema.arguments["properties"] == {"any": {}, "none": {"not": {}}}
    assert schema.arguments["additionalProperties"] is False
    assert written(True, version="3.1").arguments == {}


def test_what_says_nothing_to_a_client_is_left_out(written):
    schema = {
        "type": "object",
        "x-go-name": "Pet",
        "xml": {"name": "pet"},
        "externalDocs": {"url": "https://example.com"},
        "customBasePath": "os.system",
        "discriminator": {"propertyName": "kind"},
        "properties": {"kind": {"type": "string", "x-enum-names": ["a"]}},
    }
    assert written(schema).arguments == {"type": "object", "properties": {"kind": {"type": "string"}}}


@pytest.mark.parametrize("name", ["date", "date-time", "uuid", "email", "ipv4", "ipv6"])
def test_formats_that_are_meant_strictly_are_kept(written, name):
    assert written({"type": "string", "format": name}).arguments == {"type": "string", "format": name}


@pytest.mark.parametrize("name", ["uri", "url", "decimal", "unix-time", "password", "binary", "hostname", "zip"])
def test_formats_that_are_meant_loosely_are_left_out(written, name):
    assert written({"type": "string", "format": name}).arguments == {"type": "string"}


def test_numbers_need_no_format_and_bytes_are_base64(written):
    assert written({"type": "integer", "format": "int64"}).arguments == {"type": "integer"}
    assert written({"type": "string", "format": "byte"}).arguments == {"type": "string", "contentEncoding": "base64"}
