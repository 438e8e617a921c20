"""Bodies of text, lines of JSON and objects that say more than their members: what their arguments take."""

from __future__ import annotations

import pytest
import yaml

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


YAML_TYPES = ["application/yaml", "application/x-yaml", "text/yaml; charset=utf-8", "application/vnd.oai.openapi+yaml"]


@pytest.mark.parametrize("media_type", YAML_TYPES)
def test_yaml_of_a_structured_schema_is_made_from_its_values(reader, media_type):
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "n": {"type": "number"}}}
    tool = reader.tool(requestBody=body(schema, media_type))
    assert inputs(tool)["properties"] == {"a": {"type": "string"}, "n": {"type": "number"}}
    sent_type, data = body_of(request(tool)["body"], {"a": "x: y", "n": 2}, Files(None))
    assert sent_type == media_type
    assert yaml.safe_load(data) == {"a": "x: y", "n": 2}
    rows = reader.tool(requestBody=body({"type": "array", "items": {"type": "integer"}}, media_type))
    assert argument(rows) == {"type": "array", "items": {"type": "integer"}}
    assert body_of(request(rows)["body"], {"body": [1]}, Files(None))[1] == b"[1]"


@pytest.mark.parametrize("schema", [{"type": "string"}, {}, None])
def test_yaml_that_is_a_text_or_of_which_nothing_is_said_is_written_by_the_caller(reader, schema):
    content = {"application/yaml": {} if schema is None else {"schema": schema}}
    tool = reader.tool(requestBody={"required": True, "content": content})
    assert argument(tool) == {"type": "string"}
    found = body_of(request(tool)["body"], {"body": "a: 1\n"}, Files(None))
    assert found == ("application/yaml", b"a: 1\n")


def test_yaml_beside_json_is_another_form_of_the_same_arguments(reader):
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    content = {kind: {"schema": schema} for kind in ("application/yaml", "application/json")}
    tool = reader.tool(requestBody={"required": True, "content": content})
    assert inputs(tool)["properties"]["content_type"]["enum"] == ["application/json", "application/yaml"]
    given = {"a": "x", "content_type": "application/yaml"}
    assert body_of(request(tool)["body"], given, Files(None)) == ("application/yaml", b'{"a":"x"}')


def test_yaml_of_another_schema_is_an_argument_called_after_it(reader):
    content = {
        "application/json": {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}},
        "application/x-yaml": {"schema": {"type": "object", "properties": {"b": {"type": "string"}}}},
    }
    tool = reader.tool(requestBody={"required": True, "content": content})
    assert list(inputs(tool)["properties"]) == ["a", "body_yaml", "content_type"]
    found = body_of(request(tool)["body"], {"body_yaml": {"b": "x"}}, Files(None))
    assert found == ("application/x-yaml", b'{"b":"x"}')


@pytest.mark.parametrize("media_type", ["text/html", "text/csv"])
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
