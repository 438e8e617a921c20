"""What a request needs to know of a schema, after references and `allOf`."""

import pytest

from generator.frontends.openapi.schemas import allows_null, items_kind, kind_of, property_items, property_kinds


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


COMPONENTS = {
    "Text": {"type": "string"},
    "List": {"type": "array", "items": {"type": "integer"}},
    "Thing": {"type": "object", "properties": {"n": {"type": "number"}}},
    "Maybe": {"type": "string", "nullable": True},
    "Self": {"oneOf": [ref("Self"), {"type": "string"}]},
    "Left": {"anyOf": [ref("Right"), ref("Left")]},
    "Right": {"anyOf": [ref("Left"), ref("Right")]},
    "First": ref("Second"),
    "Second": ref("First"),
}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer", "format": "int64"}, "integer"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": ["string", "null"]}, "string"),
        ({"type": ["integer", "number"]}, "number"),
        ({"type": ["integer", "string"]}, "any"),
        ({"properties": {"a": {}}}, "object"),
        ({"items": {}}, "array"),
        ({}, "any"),
        (True, "any"),
        ({"type": "nonsense"}, "any"),
        ({"type": "string", "format": "binary"}, "binary"),
        ({"type": "string", "format": "byte"}, "string"),
        ({"type": "file"}, "binary"),
        ({"type": "string", "contentMediaType": "image/png"}, "binary"),
        ({"contentMediaType": "application/octet-stream"}, "binary"),
        ({"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"}, "string"),
        ({"type": "string", "contentMediaType": "application/json"}, "string"),
        ({"type": "string", "contentMediaType": "text/html; charset=utf-8"}, "string"),
        (ref("List"), "array"),
        ({"allOf": [ref("Thing"), {"description": "x"}]}, "object"),
        ({"allOf": [{"description": "x"}, ref("Text")]}, "string"),
        ({"oneOf": [{"type": "string"}, ref("Text")]}, "string"),
        ({"anyOf": [ref("Thing"), {"type": "null"}]}, "object"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "any"),
        (ref("Gone"), "any"),
        (ref("Left"), "any"),
        (ref("First"), "any"),
    ],
    ids=str,
)
def test_the_kind_of_a_value(written, schema, kind):
    asked = written(schema, COMPONENTS)
    assert kind_of(asked.node, asked.documents) == kind


def test_a_union_with_itself_has_the_kind_of_the_rest(written):
    asked = written(ref("Self"), COMPONENTS)
    assert kind_of(asked.node, asked.documents) in ("string", "any")


def test_the_kinds_of_members_and_of_their_items(written):
    asked = written(
        {
            "allOf": [{"type": "object", "properties": {"list": ref("List"), "thing": ref("Thing")}}],
            "oneOf": [{"properties": {"file": {"type": "string", "format": "binary"}}}],
            "properties": {"files": {"type": "array", "items": {"type": "string", "format": "binary"}}},
        },
        COMPONENTS,
    )
    assert property_kinds(asked.node, asked.documents) == {
        "files": "array",
        "list": "array",
        "thing": "object",
        "file": "binary",
    }
    assert property_items(asked.node, asked.documents) == {"files": "binary", "list": "integer"}


def test_the_kind_of_an_arrays_items(written):
    asked = written(ref("List"), COMPONENTS)
    assert items_kind(asked.node, asked.documents) == "integer"
    other = written({"type": "string"})
    assert items_kind(other.node, other.documents) == "any"


@pytest.mark.parametrize(
    ("schema", "null"),
    [
        ({"type": "string"}, False),
        ({"type": ["string", "null"]}, True),
        ({"type": "null"}, True),
        (ref("Maybe"), True),
        ({"enum": ["a", None]}, True),
        ({"enum": ["a"]}, False),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, True),
        ({"oneOf": [ref("Text"), ref("Maybe")]}, True),
        ({"allOf": [ref("Text")], "nullable": True}, False),
        ({}, False),
        (ref("Left"), False),
    ],
    ids=str,
)
def test_whether_null_is_a_value(written, schema, null):
    asked = written(schema, COMPONENTS)
    assert allows_null(asked.node, asked.documents) is null
