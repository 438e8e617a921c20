"""Bodies of several media types with unlike schemas: each schema beside the default's is an argument of its own."""

from __future__ import annotations

import pytest

from generator.frontends.openapi.media_choices import MAX_UNLIKE, MAX_UNLIKE_BYTES
from generator.runtime.client.body_plans import schema_of
from generator.runtime.client.files import Files
from generator.runtime.client.request_body import body_of

from .described import PET, description, inputs, messages, operation, parameter, request, rules, tools

FILE = {"type": "string", "format": "binary"}
UPLOAD = {"type": "object", "required": ["file"], "properties": {"file": FILE, "note": {"type": "string"}}}


def posted(**content):
    """Return a required body of JSON and of further media types."""
    types = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}, **content}
    return {"required": True, "content": types}


def read_body(reader, body, **members):
    result = reader(description({"/up": {"post": operation(requestBody=body, **members)}}))
    (tool,) = tools(result).values()
    return result, inputs(tool), request(tool)["body"]


def test_another_schema_is_an_argument_beside_the_members_of_the_default(reader):
    result, schema, plan = read_body(reader, posted(**{"multipart/form-data": {"schema": UPLOAD}}))
    assert list(schema["properties"]) == ["name", "age", "body_multipart", "content_type"]
    assert schema["properties"]["body_multipart"]["required"] == ["file"]
    assert schema["properties"]["body_multipart"]["description"] == "Sent as multipart/form-data."
    assert schema["properties"]["content_type"]["enum"] == ["application/json", "multipart/form-data"]
    assert plan["fields"] == {"name": "name", "age": "age"}
    assert plan["content"][1]["argument"] == "body_multipart"
    assert plan["content"][1]["kinds"] == {"file": "binary", "note": "string"}
    assert "argument" not in plan["content"][0]
    assert "unoffered-media-type" not in rules(result)


def test_what_only_the_default_needs_is_no_longer_required_of_all_but_told(reader):
    path = parameter("id", "query", required=True)
    _, schema, plan = read_body(reader, posted(**{"text/csv": {"schema": {"type": "string"}}}), parameters=[path])
    assert schema["required"] == ["id"]
    assert plan["needs"] == ["name"]
    text = schema["properties"]["content_type"]["description"]
    assert text == (
        "The media type of the body; application/json unless given. That one needs `name`. "
        "Others have the whole body in one argument: text/csv in `body_text`."
    )
    assert not {"oneOf", "anyOf", "allOf", "if", "not", "dependentRequired"} & schema.keys()


def test_media_types_with_one_schema_between_them_share_an_argument(reader):
    shared = {"schema": {"type": "object", "properties": {"url": {"type": "string"}}}}
    body = posted(**{"multipart/form-data": shared, "application/x-www-form-urlencoded": shared})
    _, schema, plan = read_body(reader, body)
    assert [name for name in schema["properties"] if name.startswith("body")] == ["body_form"]
    assert [each.get("argument") for each in plan["content"]] == [None, "body_form", "body_form"]


def test_a_default_that_cannot_be_taken_apart_is_needed_as_body(reader):
    body = posted(**{"text/plain": {"schema": {"type": "string"}}})
    body["content"]["application/json"] = {"schema": {"type": "array", "items": {"type": "integer"}}}
    _, schema, plan = read_body(reader, body)
    assert list(schema["properties"]) == ["body", "body_text", "content_type"]
    assert "required" not in schema
    assert plan["argument"] == "body"
    assert plan["needs"] == ["body"]


def test_an_optional_body_needs_nothing_of_any_type(reader):
    body = {**posted(**{"text/plain": {"schema": {"type": "string"}}}), "required": False}
    _, _, plan = read_body(reader, body)
    assert not {"needs", "required"} & plan.keys()


def test_types_of_one_kind_are_told_apart_by_name(reader):
    patch = {"schema": {"type": "array", "items": {"type": "object"}}}
    body = posted(
        **{
            "application/merge-patch+json": {"schema": PET},
            "application/json-patch+json": patch,
            "text/csv": {"schema": {"type": "string"}},
            "text/plain": {"schema": {"type": "string", "maxLength": 9}},
        }
    )
    _, schema, _ = read_body(reader, body)
    own = [name for name in schema["properties"] if name.startswith("body")]
    assert own == ["body_merge_patch", "body_json_patch", "body_text", "body_text__body"]
    clearable = schema["properties"]["body_merge_patch"]
    assert clearable["properties"] == {"name": {"type": "string"}, "age": {"type": ["integer", "null"]}}
    assert clearable["description"] == "Sent as application/merge-patch+json."


def test_a_parameter_of_that_name_keeps_it(reader):
    body = posted(**{"text/plain": {"schema": {"type": "string"}}})
    _, schema, plan = read_body(reader, body, parameters=[parameter("body_text")])
    assert next(iter(schema["properties"])) == "body_text"
    assert plan["content"][1]["argument"] == "body_text__body"


@pytest.mark.parametrize("place", ["member", "query"])
def test_a_value_that_nobody_gives_keeps_that_name_too(reader, place):
    constant = {"type": "string", "enum": ["fixed"]}
    properties = {"name": {"type": "string"}, **({"content_type": constant} if place == "member" else {})}
    pet = {"type": "object", "required": list(properties), "properties": properties}
    body = posted(**{"application/json": {"schema": pet}, "text/csv": {"schema": {"type": "string"}}})
    query = [parameter("content_type", "query", required=True, schema=constant)] if place == "query" else []
    _, schema, plan = read_body(reader, body, parameters=query)
    assert list(schema["properties"]) == ["name", "body_text", "content_type__body"]
    assert plan["select"] == "content_type__body"
    given = {"content_type": "fixed", "content_type__body": "text/csv", "body_text": "a"}
    assert body_of(plan, given, Files(None)) == ("text/csv; charset=utf-8", b"a")


def test_the_headers_of_parts_belong_to_the_type_that_has_parts(reader):
    encoding = {"file": {"headers": {"X-Digest": {"schema": {"type": "string"}}}}}
    body = posted(**{"multipart/form-data": {"schema": UPLOAD, "encoding": encoding}})
    _, schema, plan = read_body(reader, body)
    assert "X-Digest" in schema["properties"]
    assert plan["content"][1]["encoding"] == {"file": {"headers": {"X-Digest": "X-Digest"}}}
    assert plan["content"][1]["argument"] == "body_multipart"


def test_more_schemas_than_a_tool_is_offered_with_are_named_and_not_offered(reader):
    many = {f"text/x-{size}": {"schema": {"type": "string", "maxLength": size}} for size in range(1, MAX_UNLIKE + 2)}
    result, schema, plan = read_body(reader, posted(**many))
    assert list(schema["properties"]) == ["name", "age"]
    assert schema["required"] == ["name"]
    assert len(plan["content"]) == 1
    (message,) = messages(result, "unoffered-media-type")
    assert message.startswith("the body of `POST /up` is sent as `application/json`, never as `text/x-1`, ")


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/components/schemas/Missing"},
        {"type": "string", "enum": [f"{number:09}" for number in range(MAX_UNLIKE_BYTES // 10)]},
    ],
)
def test_a_schema_that_cannot_be_read_or_is_too_large_costs_only_its_own_type(reader, schema):
    result, found, plan = read_body(reader, posted(**{"multipart/form-data": {"schema": schema}}))
    assert list(found["properties"]) == ["name", "age"]
    assert found["required"] == ["name"]
    assert len(plan["content"]) == 1
    assert messages(result, "unoffered-media-type") == [
        "the body of `POST /up` is sent as `application/json`, never as `multipart/form-data`"
    ]


def test_what_the_default_needs_as_well_makes_no_schema_too_large(reader):
    large = {"type": "string", "enum": [f"{number:09}" for number in range(MAX_UNLIKE_BYTES // 10)]}
    shared = {"$ref": "#/components/schemas/Large"}
    types = {
        "application/json": {"schema": {"type": "object", "properties": {"a": shared, "b": shared}}},
        "multipart/form-data": {"schema": {"type": "object", "properties": {"a": shared, "b": shared, "file": FILE}}},
    }
    paths = {"/up": {"post": operation(requestBody={"content": types})}}
    (tool,) = tools(reader(description(paths, components={"schemas": {"Large": large}}))).values()
    assert list(inputs(tool)["properties"]) == ["a", "b", "body_multipart", "content_type"]


def test_a_file_costs_nothing_of_the_schema_it_stands_for(reader):
    large = {"type": "string", "enum": [f"{number:09}" for number in range(MAX_UNLIKE_BYTES // 10)]}
    _, schema, _ = read_body(reader, posted(**{"application/octet-stream": {"schema": large}}))
    assert [each["type"] for each in schema["properties"]["body_binary"]["anyOf"]] == ["string", "object"]


def test_a_range_of_types_is_met_by_any_of_them(reader):
    result, schema, _ = read_body(reader, posted(**{"*/*": {"schema": {"type": "string"}}}))
    assert list(schema["properties"]) == ["name", "age"]
    assert "unoffered-media-type" not in rules(result)


def test_a_range_that_no_other_type_is_part_of_is_offered(reader):
    picture = {"schema": {"type": "string", "format": "binary"}}
    result, schema, plan = read_body(reader, posted(**{"image/*": picture, "text/*": {"schema": {"type": "string"}}}))
    assert list(schema["properties"]) == ["name", "age", "body_text", "body_binary", "content_type"]
    assert schema["properties"]["content_type"]["enum"] == ["application/json", "text/plain", "image/*"]
    assert body_of(plan, {"body_text": "a"}, Files(None)) == ("text/plain; charset=utf-8", b"a")
    file = {"data": "R0lG", "mimeType": "image/gif"}
    assert body_of(plan, {"body_binary": file, "content_type": "image/*"}, Files(None)) == ("image/gif", b"GIF")
    assert "unoffered-media-type" not in rules(result)


def test_a_range_that_cannot_be_offered_is_named(reader):
    dead = {"schema": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/Nowhere"}}}}
    result, schema, _ = read_body(reader, posted(**{"text/*": dead}))
    assert list(schema["properties"]) == ["name", "age"]
    assert "unoffered-media-type" in rules(result)


def test_the_runtime_understands_what_is_written(reader):
    _, schema, plan = read_body(reader, posted(**{"multipart/form-data": {"schema": UPLOAD}}))
    default, upload = schema_of(schema, plan, None), schema_of(schema, plan, "body_multipart")
    assert default["required"] == ["name"]
    assert list(default["properties"]) == ["name", "age", "content_type"]
    assert upload["required"] == ["body_multipart"]
    assert list(upload["properties"]) == ["body_multipart", "content_type"]
    kind, data = body_of(plan, {"body_multipart": {"file": "aGVsbG8=", "note": "n"}}, Files(None))
    assert kind.startswith("multipart/form-data; boundary=")
    assert b"hello" in data
