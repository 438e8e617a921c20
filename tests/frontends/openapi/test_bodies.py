"""Bodies: which media type is sent, when members are arguments, and what a file is."""

from __future__ import annotations

import pytest

from generator.frontends.openapi.media_types import body_kind
from generator.frontends.openapi.nullable import allows_null, with_null
from generator.frontends.openapi.schemas import file_schema
from generator.runtime.client.files import Files
from generator.runtime.client.values import ArgumentProblem
from generator.runtime.schema.problems import Problem
from generator.runtime.schema.repair import report

from .described import PET, body, inputs, parameter, request

FILE = {"type": "string", "format": "binary"}


def plan(tool):
    """Return the request's description of the body."""
    return request(tool)["body"]


def test_the_members_of_a_plain_object_are_arguments(reader):
    tool = reader.tool(requestBody=body({"$ref": "#/components/schemas/Pet"}))
    assert inputs(tool)["properties"] == {"name": {"type": "string"}, "age": {"type": "integer"}}
    assert inputs(tool)["required"] == ["name"]
    assert plan(tool) == {
        "required": True,
        "fields": {"name": "name", "age": "age"},
        "content": [{"type": "application/json", "kind": "json"}],
    }


def test_objects_joined_by_all_of_are_one(reader):
    more = {"type": "object", "required": ["owner"], "properties": {"owner": {"type": "string"}}}
    tool = reader.tool(requestBody=body({"allOf": [{"$ref": "#/components/schemas/Pet"}, more]}))
    assert list(inputs(tool)["properties"]) == ["name", "age", "owner"]
    assert inputs(tool)["required"] == ["name", "owner"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": True, "properties": {"a": {}}},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "string"},
        {"oneOf": [PET, {"type": "object", "properties": {"lives": {"type": "integer"}}}]},
        {"type": "object", "properties": {"a": {}}, "patternProperties": {"^x": {}}},
        True,
    ],
)
def test_what_cannot_be_taken_apart_without_loss_is_the_argument_body(reader, schema):
    tool = reader.tool(requestBody=body(schema))
    assert list(inputs(tool)["properties"]) == ["body"]
    assert inputs(tool)["required"] == ["body"]
    assert plan(tool)["argument"] == "body"
    assert "fields" not in plan(tool)


def test_an_optional_body_with_required_members_is_one_argument(reader):
    tool = reader.tool(requestBody=body(PET, required=False))
    assert list(inputs(tool)["properties"]) == ["body"]
    assert "required" not in inputs(tool)
    assert "required" not in plan(tool)


def test_an_optional_body_without_required_members_is_flattened(reader):
    tool = reader.tool(requestBody=body({"type": "object", "properties": {"a": {"type": "string"}}}, required=False))
    assert plan(tool)["fields"] == {"a": "a"}
    assert "required" not in plan(tool)


def test_a_member_called_body_stays_one_member(reader):
    schema = {"type": "object", "properties": {"body": {"type": "string"}, "title": {"type": "string"}}}
    assert plan(reader.tool(requestBody=body(schema)))["fields"] == {"body": "body", "title": "title"}


def test_a_body_beside_a_parameter_called_body_is_told_apart(reader):
    tool = reader.tool(parameters=[parameter("body")], requestBody=body({"type": "array", "items": {}}))
    assert list(inputs(tool)["properties"]) == ["body", "body__body"]
    assert plan(tool)["argument"] == "body__body"


def test_members_that_may_be_null_are_listed(reader):
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string"}, "c": {}, "d": {"enum": [1, None]}},
    }
    assert plan(reader.tool(requestBody=body(schema)))["nullable_fields"] == ["a", "c", "d"]


def test_a_merge_patch_can_clear_every_member(reader):
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": ["x", "y"]}}}
    tool = reader.tool(requestBody=body(schema, "application/merge-patch+json"))
    assert inputs(tool)["properties"]["a"] == {"type": ["string", "null"]}
    assert all(allows_null(each, {}) for each in inputs(tool)["properties"].values())
    assert plan(tool)["nullable_fields"] == ["a", "b"]


@pytest.mark.parametrize("more", [{}, {"additionalProperties": True}, {"required": ["name"]}])
@pytest.mark.parametrize("written", [{"schema": {"$ref": "#/components/schemas/Place"}}, {}])
def test_a_merge_patch_can_clear_what_is_inside_a_member(reader, more, written):
    place = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "city": {"type": "string"}}}
    members = {"name": {"type": "string"}, "at": {"allOf": [place]} if written else place}
    schema = {"type": "object", "properties": {**members, "tags": {"type": "array", "items": place}}, **more}
    posted = body(schema, "application/merge-patch+json", required="required" not in more)
    found = inputs(reader.tool(requestBody=posted))["properties"]
    at = found["body"]["properties"]["at"] if more else found["at"]
    assert at["type"] == ["object", "null"]
    assert at["properties"] == {"id": {"type": "string"}, "city": {"type": ["string", "null"]}}
    tags = found["body"]["properties"]["tags"] if more else found["tags"]
    assert tags["items"]["properties"]["city"] == {"type": "string"}


def test_json_is_preferred_and_others_of_the_same_schema_can_be_chosen(reader):
    pet = {"schema": {"$ref": "#/components/schemas/Pet"}}
    content = {"application/xml": pet, "application/x-www-form-urlencoded": pet, "application/json": pet}
    tool = reader.tool(requestBody={"required": True, "content": content})
    assert [each["type"] for each in plan(tool)["content"]] == [
        "application/json",
        "application/xml",
        "application/x-www-form-urlencoded",
    ]
    assert plan(tool)["select"] == "content_type"
    assert inputs(tool)["properties"]["content_type"]["enum"] == [each["type"] for each in plan(tool)["content"]]
    assert inputs(tool)["required"] == ["name"]


def test_a_member_called_content_type_does_not_become_the_choice(reader):
    schema = {"type": "object", "properties": {"content_type": {"type": "string"}}}
    content = {"application/json": {"schema": schema}, "application/x-www-form-urlencoded": {"schema": schema}}
    tool = reader.tool(requestBody={"required": True, "content": content})
    assert plan(tool)["select"] == "content_type__body"
    assert plan(tool)["fields"] == {"content_type": "content_type"}


def test_the_parts_of_a_multipart_body_know_their_kinds(reader):
    schema = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "title": {"type": "string"},
            "meta": {"type": "object", "properties": {"k": {"type": "integer"}}},
            "file": {**FILE, "description": "The picture."},
            "more": {"type": "array", "items": FILE},
        },
    }
    content = {"multipart/form-data": {"schema": schema, "encoding": {"file": {"contentType": "image/png, image/gif"}}}}
    tool = reader.tool(requestBody={"required": True, "content": content})
    (entry,) = plan(tool)["content"]
    assert entry["kinds"] == {"title": "string", "meta": "object", "file": "binary", "more": "array"}
    assert entry["items"] == {"more": "binary"}
    assert entry["encoding"] == {"file": {"content_type": "image/png, image/gif"}}
    properties = inputs(tool)["properties"]
    assert properties["file"]["description"] == "The picture."
    assert [each["type"] for each in properties["file"]["anyOf"]] == ["string", "object"]
    assert [each["type"] for each in properties["more"]["items"]["anyOf"]] == ["string", "object"]


def test_headers_of_parts_are_written_as_they_are_described(reader):
    media = {"schema": {"type": "object", "properties": {"one": {"type": "string"}}}}
    headers = {
        "X-Pairs": {"explode": True, "schema": {"type": "object"}},
        "X-Json": {"content": {"application/json": {"schema": {"type": "array"}}}},
    }
    posted = {
        "required": True,
        "content": {"multipart/form-data": {**media, "encoding": {"one": {"headers": headers}}}},
    }
    tool = reader.tool(requestBody=posted)
    assert inputs(tool)["properties"]["X-Json"] == {"type": "array"}
    assert request(tool)["body"]["content"][0]["encoding"]["one"]["headers"] == {
        "X-Pairs": {"argument": "X-Pairs", "explode": True},
        "X-Json": {"argument": "X-Json", "content": "application/json"},
    }


def test_headers_of_parts_are_arguments(reader):
    schema = {"type": "object", "properties": {"one": FILE, "two": FILE}}
    header = {"headers": {"X-Digest": {"required": True, "schema": {"type": "string"}, "description": "Its digest."}}}
    content = {"multipart/form-data": {"schema": schema, "encoding": {"one": header, "two": header}}}
    tool = reader.tool(requestBody={"required": True, "content": content})
    (entry,) = plan(tool)["content"]
    assert entry["encoding"] == {
        "one": {"headers": {"X-Digest": "X-Digest"}},
        "two": {"headers": {"X-Digest": "X-Digest__two"}},
    }
    assert inputs(tool)["properties"]["X-Digest"] == {"type": "string", "description": "Its digest."}
    assert "required" not in inputs(tool)


def test_a_form_keeps_what_is_stated_of_its_encoding(reader):
    schema = {"type": "object", "properties": {"metadata": {"type": "object", "additionalProperties": {}}}}
    encoding = {"metadata": {"style": "deepObject", "explode": True, "allowReserved": True}}
    content = {"application/x-www-form-urlencoded": {"schema": schema, "encoding": encoding}}
    (entry,) = plan(reader.tool(requestBody={"required": True, "content": content}))["content"]
    assert entry["encoding"] == {"metadata": {"style": "deepObject", "explode": True, "reserved": True}}


def test_bytes_are_a_file_and_text_is_text(reader):
    octets = reader.tool(requestBody={"content": {"application/octet-stream": {}}})
    assert [each["type"] for each in inputs(octets)["properties"]["body"]["anyOf"]] == ["string", "object"]
    assert plan(octets)["content"] == [{"type": "application/octet-stream", "kind": "binary"}]
    text = reader.tool(requestBody=body({"type": "string"}, "text/plain"))
    assert inputs(text)["properties"]["body"] == {"type": "string", "description": "Sent as text/plain."}


def test_xml_comes_with_its_plan(reader):
    schema = {
        "type": "object",
        "xml": {"name": "pet"},
        "properties": {"id": {"type": "integer", "xml": {"attribute": True}}},
    }
    (entry,) = plan(reader.tool(requestBody=body(schema, "application/xml")))["content"]
    assert entry["kind"] == "xml"
    assert entry["xml"]["name"] == "pet"
    assert entry["xml"]["properties"]["id"]["attribute"] is True


def test_what_only_answers_have_is_no_argument(reader):
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"readOnly": True}, "name": {}}}
    tool = reader.tool(requestBody=body(schema))
    assert list(inputs(tool)["properties"]) == ["name"]
    assert "required" not in inputs(tool)


@pytest.mark.parametrize(
    ("media_type", "schema_kind", "kind"),
    [
        ("application/json; charset=utf-8", "object", "json"),
        ("application/vnd.api+json", "array", "json"),
        ("*/*", "object", "json"),
        ("*/*", "binary", "binary"),
        ("application/x-www-form-urlencoded", "object", "form"),
        ("multipart/mixed", "object", "multipart"),
        ("text/xml", "object", "xml"),
        ("application/soap+xml", "string", "text"),
        ("text/csv", "string", "text"),
        ("application/x-ndjson", "any", "text"),
        ("image/png", "string", "binary"),
        ("application/pdf", "any", "binary"),
        ("application/octet-stream", "string", "binary"),
        ("application/x-thing", "object", "json"),
        ("application/x-thing", "string", "text"),
        ("application/x-thing", "any", "binary"),
    ],
)
def test_how_a_body_is_written_follows_from_type_and_schema(media_type, schema_kind, kind):
    assert body_kind(media_type, schema_kind) == kind


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": ["string", "integer"]},
        {"enum": ["a"]},
        {"const": 1},
        {"$ref": "#/$defs/A"},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        False,
    ],
)
def test_null_is_added_where_it_was_not_allowed(schema):
    definitions = {"A": {"type": "object"}}
    assert not allows_null(schema, definitions)
    assert allows_null(with_null(schema, definitions), definitions)


def test_a_schema_that_refers_to_itself_allows_null_or_not_in_bounded_time():
    assert allows_null({"$ref": "#/$defs/A"}, {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}) is False


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "application/json"])
def test_a_body_that_takes_nothing_is_no_argument(reader, kind):
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    tool = reader.tool(requestBody={"content": {kind: {"schema": empty, "encoding": {}}}})
    assert "body" not in inputs(tool)["properties"]
    assert "body" not in request(tool)


def test_a_body_that_takes_anything_or_is_required_stays_an_argument(reader):
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    for members in (
        {"requestBody": body(empty)},
        {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}},
    ):
        assert "body" in inputs(reader.tool(**members))["properties"]


def test_a_file_that_is_no_base64_is_refused_with_an_example_that_is():
    schema = {"type": "object", "properties": {"file": file_schema()}}
    for value in ("hello!", {"data": "hello!"}):
        with pytest.raises(ArgumentProblem) as caught:
            Files(None).read(value)
        path = ("file", *caught.value.path)
        said = report("upload", [Problem(path, "conversion", caught.value.message, value, file_schema())], schema)[
            "text"
        ]
        assert '"aGVsbG8="' in said
        assert '{"path": "report.pdf"}' in said
