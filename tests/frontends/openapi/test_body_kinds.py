"""Bodies of text, lines of JSON and objects that say more than their members: what their arguments take."""

from __future__ import annotations

import pytest

from generator.runtime.client.files import Files
from generator.runtime.client.request_body import body_of

from .described import body, description, inputs, operation, parameter, request, tools


def argument(tool):
    """Return the schema of the argument that is the whole body, without its description."""
    return {key: value for key, value in inputs(tool)["properties"]["body"].items() if key != "description"}


@pytest.mark.parametrize(
    "schema", [{"type": "string", "enum": ["on", "off"]}, {"type": "integer", "minimum": 3}, {"type": "boolean"}]
)
def test_a_text_that_is_one_value_keeps_its_schema(reader, schema):
    assert argument(reader.tool(requestBody=body(schema, "text/plain"))) == schema


@pytest.mark.parametrize("media_type", ["application/yaml", "text/html", "text/csv"])
def test_a_text_made_from_an_object_is_written_by_the_caller(reader, media_type):
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert argument(reader.tool(requestBody=body(schema, media_type))) == {"type": "string"}


@pytest.mark.parametrize("media_type", ["application/x-ndjson", "application/jsonl", "application/json-seq"])
@pytest.mark.parametrize("keyword", ["schema", "itemSchema"])
def test_lines_of_json_are_given_as_an_array(reader, media_type, keyword):
    item = {"type": "object", "properties": {"k": {"type": "integer"}}}
    media = {"schema": {"type": "array", "items": item}} if keyword == "schema" else {"itemSchema": item}
    posted = operation(requestBody={"required": True, "content": {media_type: media}})
    (tool,) = tools(reader({**description({"/log": {"post": posted}}), "openapi": "3.2.0"})).values()
    assert argument(tool) == {"type": "array", "items": item}


def test_a_base_of_other_types_is_not_taken_apart(reader):
    base = {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}}
    dog = {"allOf": [{"$ref": "#/components/schemas/Animal"}, {"properties": {"bark": {"type": "string"}}}]}
    paths = {
        f"/{name}": {"post": operation(operationId=name, requestBody=body({"$ref": f"#/components/schemas/{name}"}))}
        for name in ("Animal", "Dog")
    }
    found = tools(reader(description(paths, components={"schemas": {"Animal": base, "Dog": dog}})))
    assert list(inputs(found["Animal"])["properties"]) == ["body"]
    assert list(inputs(found["Dog"])["properties"]) == ["kind", "bark"]


def test_a_required_member_that_is_not_described_is_an_argument(reader):
    schema = {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}}}
    tool = reader.tool(requestBody=body(schema))
    assert inputs(tool)["properties"] == {"a": {"type": "string"}, "b": {}}
    assert inputs(tool)["required"] == ["a", "b"]


def test_a_file_of_a_range_of_types_keeps_the_range(reader):
    tool = reader.tool(requestBody=body({"type": "string", "format": "binary"}, "image/*"))
    assert request(tool)["body"]["content"] == [{"type": "image/*", "kind": "binary"}]


def test_a_text_of_a_range_of_types_is_sent_as_it_is(reader):
    tool = reader.tool(requestBody=body({"type": "string"}, "text/*"))
    assert request(tool)["body"]["content"] == [{"type": "text/plain", "kind": "text"}]
    assert body_of(request(tool)["body"], {"body": "a"}, Files(None)) == ("text/plain; charset=utf-8", b"a")


def test_a_whole_query_is_encoded_as_its_media_type_says(reader):
    media = {
        "schema": {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "string"}}}},
        "encoding": {"ids": {"explode": False}},
    }
    whole = parameter("q", "querystring", content={"application/x-www-form-urlencoded": media})
    del whole["schema"]
    document = {**description({"/find": {"get": operation(parameters=[whole])}}), "openapi": "3.2.0"}
    (tool,) = tools(reader(document)).values()
    assert request(tool)["parameters"][0]["encoding"] == {"ids": {"explode": False}}
