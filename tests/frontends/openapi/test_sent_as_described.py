"""From a description to the bytes that are sent: arrays of arrays, XML in a parameter, sequences of values."""

from __future__ import annotations

import pytest

from generator.runtime.client.files import Files
from generator.runtime.client.request_body import body_of
from tests.runtime.client.building import sent

from .described import body, description, inputs, messages, operation, parameter, request, tools

GRID = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
VALUE = [[1, 2], [3], [4, None]]


def swagger(field):
    path = f"/x/{{{field['name']}}}" if field["in"] == "path" else "/x"
    form = {"consumes": ["application/x-www-form-urlencoded"]} if field["in"] == "formData" else {}
    post = {"parameters": [field], "responses": {"200": {"description": "ok"}}, **form}
    info = {"title": "Grids", "version": "1"}
    return {
        "swagger": "2.0",
        "info": info,
        "host": "api.example.com",
        "basePath": "/v1",
        "paths": {path: {"post": post}},
    }


def made(reader, field, value=VALUE):
    result = reader(swagger(field))
    (tool,) = tools(result).values()
    return sent(request(tool), {field["name"]: value}), result


def grid(place, outer, inner, **members):
    items = {**GRID["items"], **({"collectionFormat": inner} if inner else {})}
    formats = {"collectionFormat": outer} if outer else {}
    return {"name": "g", "in": place, "type": "array", "items": items, **formats, **members}


@pytest.mark.parametrize(
    ("outer", "inner", "query"),
    [
        ("csv", "pipes", "g=1%7C2,3,4"),
        ("pipes", "csv", "g=1%2C2%7C3%7C4"),
        ("multi", "ssv", "g=1%202&g=3&g=4"),
        ("ssv", "tsv", "g=1%092%203%204"),
        (None, None, "g=1%2C2,3,4"),
    ],
)
def test_each_level_of_arrays_is_joined_by_its_own_collection_format(reader, outer, inner, query):
    found, _ = made(reader, grid("query", outer, inner))
    assert found.target == f"/v1/x?{query}"


def test_inner_arrays_are_joined_in_paths_headers_and_forms_as_well(reader):
    assert made(reader, grid("path", "csv", "pipes", required=True))[0].target == "/v1/x/1%7C2,3,4"
    assert made(reader, grid("header", "pipes", "csv"))[0].header("g") == "1,2|3|4"
    assert made(reader, grid("formData", "multi", "pipes"))[0].body == b"g=1%7C2&g=3&g=4"


def test_three_levels_are_joined_and_an_unknown_format_is_told(reader):
    cube = {"type": "array", "collectionFormat": "pipes", "items": {**GRID["items"], "collectionFormat": "multi"}}
    field = {"name": "g", "in": "query", "type": "array", "items": cube}
    found, result = made(reader, field, [[[1, 2], [3]], [[4]]])
    assert found.target == "/v1/x?g=1%2C2%7C3,4"
    assert any("array inside of an array cannot have" in each for each in messages(result, "ignored-member"))


XML_PET = {
    "type": "object",
    "xml": {"name": "pet"},
    "properties": {"id": {"type": "integer", "xml": {"attribute": True}}, "tag": {"type": "string"}},
}


@pytest.mark.parametrize("place", ["query", "header", "cookie", "path"])
def test_a_parameter_of_xml_is_written_by_its_xml_objects(reader, place):
    described = {"name": "pet", "in": place, "content": {"application/xml": {"schema": XML_PET}}}
    described |= {"required": True} if place == "path" else {}
    path = "/x/{pet}" if place == "path" else "/x"
    (tool,) = tools(reader(description({path: {"get": operation(parameters=[described])}}))).values()
    found = sent(request(tool), {"pet": {"id": 7, "tag": "a<b"}})
    if place == "header":
        assert found.header("pet") == '<?xml version="1.0" encoding="UTF-8"?><pet id="7"><tag>a&lt;b</tag></pet>'
    else:
        target = found.target if place != "cookie" else found.header("Cookie")
        assert "%3Cpet%20id%3D%227%22%3E%3Ctag%3Ea%26lt%3Bb%3C%2Ftag%3E%3C%2Fpet%3E" in target


def test_a_parameter_of_xml_by_reference_keeps_its_definitions(reader):
    pets = {"type": "object", "xml": {"name": "pets"}, "properties": {"first": {"$ref": "#/components/schemas/Pet"}}}
    described = {"name": "pets", "in": "query", "content": {"text/xml": {"schema": pets}}}
    (tool,) = tools(reader(description({"/x": {"get": operation(parameters=[described])}}))).values()
    found = sent(request(tool), {"pets": {"first": {"name": "a"}}}).target
    assert "%3Cfirst%3E%3Cname%3Ea%3C%2Fname%3E%3C%2Ffirst%3E" in found


@pytest.mark.parametrize(
    ("media_type", "name", "expected"),
    [
        ("application/jsonl", "body_jsonl", b'{"name":"a"}\n{"name":"b"}\n'),
        ("application/x-ndjson", "body_ndjson", b'{"name":"a"}\n{"name":"b"}\n'),
        ("application/json-seq", "body_json_seq", b'\x1e{"name":"a"}\n\x1e{"name":"b"}\n'),
        ("text/event-stream", "body_event_stream", b'data: {"name":"a"}\n\ndata: {"name":"b"}\n\n'),
    ],
)
def test_a_sequence_beside_json_is_an_array_called_by_its_type(reader, media_type, name, expected):
    pets = {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}, media_type: {"schema": pets}}
    (tool,) = tools(
        reader(description({"/x": {"post": operation(requestBody={"required": True, "content": content})}}))
    ).values()
    assert inputs(tool)["properties"][name]["type"] == "array"
    given = {name: [{"name": "a"}, {"name": "b"}]}
    assert body_of(request(tool)["body"], given, Files(None)) == (media_type, expected)


def test_a_stream_of_events_takes_events_and_a_text_stays_one(reader):
    event = {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}
    document = description(
        {"/x": {"post": operation(requestBody={"content": {"text/event-stream": {"itemSchema": event}}})}}
    )
    (tool,) = tools(reader(document | {"openapi": "3.2.0"})).values()
    assert inputs(tool)["properties"]["body"]["type"] == "array"
    found = body_of(request(tool)["body"], {"body": [{"data": "a\nb", "event": "e"}]}, Files(None))
    assert found == ("text/event-stream", b"event: e\ndata: a\ndata: b\n\n")
    text = reader.tool(requestBody=body({"type": "string"}, "text/event-stream"))
    assert body_of(request(text)["body"], {"body": "data: x\n\n"}, Files(None))[1] == b"data: x\n\n"


def test_a_whole_body_is_not_called_a_member(reader):
    json_body = {"type": "object", "properties": {"body_multipart": {"type": "string"}}}
    upload = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
    content = {"application/json": {"schema": json_body}, "multipart/form-data": {"schema": upload}}
    same = [parameter("body", "query")]
    found = reader(
        description(
            {
                "/x": {"post": operation(requestBody={"required": True, "content": content})},
                "/y": {"post": operation(parameters=same, requestBody=body({"type": "array", "items": {}}))},
            }
        )
    )
    assert messages(found, "renamed-parameter") == [
        "the whole body of `POST /x` is the argument `body_multipart__body`",
        "the whole body of `POST /y` is the argument `body__body`",
    ]
