"""Files inside a body that is one argument: what the argument takes, and which parts the runtime takes for bytes."""

from __future__ import annotations

import pytest

from .described import body, description, inputs, operation, request, tools

FILE = {"type": "string", "format": "binary"}
FORM_DATA = "multipart/form-data"


def argument(tool):
    """Return the schema of the argument that is the whole body."""
    return inputs(tool)["properties"]["body"]


def content(tool):
    """Return what the runtime knows of the body's first media type."""
    return request(tool)["body"]["content"][0]


def takes_a_file(schema) -> bool:
    """Say whether a schema is that of a file: base64, or an object with data or a path."""
    return {"data", "path", "filename", "mimeType"} == set(schema.get("anyOf", [{}])[-1].get("properties", ()))


@pytest.mark.parametrize("required", [True, False])
def test_an_optional_upload_takes_files_as_a_required_one_does(reader, required):
    schema = {
        "type": "object",
        "required": ["file"],
        "properties": {"file": FILE, "more": {"type": "array", "items": FILE}, "note": {"type": "string"}},
    }
    tool = reader.tool(requestBody=body(schema, FORM_DATA, required=required))
    members = inputs(tool)["properties"] if required else argument(tool)["properties"]
    assert takes_a_file(members["file"])
    assert takes_a_file(members["more"]["items"])
    assert members["note"] == {"type": "string"}


def test_a_component_takes_files_as_parts_and_text_as_json(reader):
    upload = {"type": "object", "required": ["file"], "properties": {"file": FILE}}
    reference = {"$ref": "#/components/schemas/Upload"}
    document = description(
        {
            "/parts": {"post": operation(operationId="parts", requestBody=body(reference, FORM_DATA, required=False))},
            "/json": {"post": operation(operationId="json", requestBody=body(reference, required=False))},
        },
        components={"schemas": {"Upload": upload}},
    )
    found = tools(reader(document))
    assert takes_a_file(argument(found["parts"])["properties"]["file"])
    assert "$ref" in argument(found["json"]) or argument(found["json"])["properties"]["file"]["type"] == "string"


def test_members_that_are_not_named_can_be_files(reader):
    tool = reader.tool(requestBody=body({"type": "object", "additionalProperties": FILE}, FORM_DATA))
    assert takes_a_file(argument(tool)["additionalProperties"])
    assert content(tool)["kinds"] == {"*": "binary"}


def test_each_branch_of_an_upload_takes_files(reader):
    schema = {"oneOf": [{"type": "object", "properties": {name: FILE}} for name in ("photo", "film")]}
    branches = argument(reader.tool(requestBody=body(schema, FORM_DATA)))
    (first, second) = next(branches[keyword] for keyword in ("anyOf", "oneOf") if keyword in branches)
    assert takes_a_file(first["properties"]["photo"])
    assert takes_a_file(second["properties"]["film"])


def test_parts_by_position_are_what_their_encodings_name(reader):
    media = {
        "schema": {"type": "array", "prefixItems": [{"type": "object"}, {}]},
        "prefixEncoding": [{"contentType": "application/json"}, {"contentType": "image/png"}],
        "itemEncoding": {"contentType": "application/pdf"},
    }
    posted = operation(requestBody={"required": True, "content": {"multipart/mixed": media}})
    (tool,) = tools(reader({**description({"/mail": {"post": posted}}), "openapi": "3.2.0"})).values()
    assert argument(tool)["prefixItems"][0] == {"type": "object"}
    assert takes_a_file(argument(tool)["prefixItems"][1])
    assert takes_a_file(argument(tool)["items"])
    assert content(tool)["kinds"] == {"1": "binary", "*": "binary"}


@pytest.mark.parametrize(("version", "kind"), [("3.0.4", "any"), ("3.1.1", "binary"), ("3.2.0", "binary")])
def test_a_part_of_which_nothing_is_said_is_a_file_since_3_1(reader, version, kind):
    schema = {"type": "object", "properties": {"file": {}, "files": {"type": "array", "items": {}}}}
    document = {**description({"/up": {"post": operation(requestBody=body(schema, FORM_DATA))}}), "openapi": version}
    (tool,) = tools(reader(document)).values()
    assert content(tool)["kinds"]["file"] == kind
    assert content(tool)["items"]["files"] == kind
    assert takes_a_file(inputs(tool)["properties"]["file"]) == (kind == "binary")


def test_a_part_that_its_encoding_calls_json_is_none_although_its_schema_is_silent(reader):
    posted = body(
        {"type": "object", "properties": {"meta": {}, "rows": {"items": {}}, "pic": {}, "csv": FILE}}, FORM_DATA
    )
    posted["content"][FORM_DATA]["encoding"] = {
        "meta": {"contentType": "application/json"},
        "rows": {"contentType": "application/json"},
        "pic": {"contentType": "image/png"},
        "csv": {"contentType": "text/csv"},
    }
    document = {**description({"/up": {"post": operation(requestBody=posted)}}), "openapi": "3.1.1"}
    (tool,) = tools(reader(document)).values()
    members = inputs(tool)["properties"]
    assert {name for name in members if takes_a_file(members[name])} == {"pic", "csv"}
    assert content(tool)["kinds"] == {"meta": "any", "rows": "array", "pic": "binary", "csv": "binary"}


@pytest.mark.parametrize(
    "media",
    [
        {"schema": {"type": "array", "items": FILE}, "itemEncoding": {"contentType": "text/csv"}},
        {"itemSchema": FILE, "itemEncoding": {"contentType": "text/csv"}},
        {"itemSchema": FILE},
    ],
)
def test_items_that_their_schema_calls_bytes_are_files_whatever_type_they_are_of(reader, media):
    posted = operation(requestBody={"required": True, "content": {"multipart/mixed": media}})
    (tool,) = tools(reader({**description({"/mail": {"post": posted}}), "openapi": "3.2.0"})).values()
    assert takes_a_file(argument(tool)["items"])
    assert content(tool)["kinds"] == {"*": "binary"}


def test_a_part_is_of_the_media_type_its_schema_states(reader):
    schema = {
        "type": "object",
        "properties": {
            "photo": {"contentMediaType": "image/png"},
            "scan": {"contentMediaType": "image/png"},
            "table": {"type": "string", "contentMediaType": "text/csv"},
            "text": {"type": "string", "contentMediaType": "application/json"},
            "encoded": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
            "opaque": {"type": "string", "contentEncoding": "base64"},
            "all": {"type": "array", "items": {"contentMediaType": "image/gif"}},
        },
    }
    posted = body(schema, FORM_DATA)
    posted["content"][FORM_DATA]["encoding"] = {"scan": {"contentType": "image/tiff"}}
    assert content(reader.tool(requestBody=posted))["encoding"] == {
        "photo": {"content_type": "image/png"},
        "scan": {"content_type": "image/tiff"},
        "table": {"content_type": "text/csv"},
        "encoded": {"content_type": "image/png"},
        "opaque": {"content_type": "application/octet-stream"},
        "all": {"content_type": "image/gif"},
    }


def test_a_part_of_xml_is_written_by_its_xml_object(reader):
    pet = {"type": "object", "xml": {"name": "pet"}, "properties": {"id": {"xml": {"attribute": True}}}}
    posted = body(
        {
            "type": "object",
            "properties": {"pet": pet, "pets": {"type": "array", "items": pet}, "raw": {"type": "string"}},
        },
        FORM_DATA,
    )
    posted["content"][FORM_DATA]["encoding"] = {
        member: {"contentType": "application/xml"} for member in ("pet", "pets", "raw")
    }
    found = content(reader.tool(requestBody=posted))["encoding"]
    assert found["pet"]["xml"]["name"] == found["pets"]["xml"]["name"] == "pet"
    assert "xml" not in found["raw"]
