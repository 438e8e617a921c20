"""Answers: which schema clients see, what is asked for, and where fields can be picked."""

from __future__ import annotations

import pytest

from generator.ir.codec import thaw

from .described import ANSWERS_PET, inputs, request, tools


def answering(**responses):
    """Return responses of these media types, all with the schema of a pet."""
    pet = {"schema": {"$ref": "#/components/schemas/Pet"}}
    return {
        status.lstrip("_"): {"description": "ok", "content": dict.fromkeys(types, pet)}
        for status, types in responses.items()
    }


def test_a_json_answer_has_a_relaxed_schema_and_fields_can_be_picked(reader):
    tool = reader.tool(responses=ANSWERS_PET)
    assert tool.result == "json"
    assert thaw(tool.result_schema) == {
        "type": "object",
        "properties": {"name": {"type": ["string", "null"]}, "age": {"type": ["integer", "null"]}},
    }
    assert inputs(tool)["properties"]["_fields"]["type"] == "array"
    assert request(tool)["fields"] is True
    assert request(tool)["accept"] == "application/json"
    assert request(tool)["answers"] == {"200": ["application/json"]}


def test_the_first_success_with_json_counts(reader):
    tool = reader.tool(
        responses=answering(_default=["application/json"], _204=[], _201=["text/plain"], _2XX=["application/hal+json"])
    )
    assert tool.result == "json"
    assert request(tool)["accept"] == "application/hal+json"


def test_the_default_answer_counts_only_without_a_success(reader):
    json = ["application/json"]
    assert reader.tool(responses=answering(_default=json)).result == "json"
    assert reader.tool(responses=answering(_default=json, _204=[])).result == "content"


def test_redirects_that_are_described_are_known_to_the_server(reader):
    found = {"description": "The file is elsewhere."}
    tool = reader.tool(responses={"200": {"description": "ok"}, "302": found, "404": found})
    assert request(tool)["answers"] == {"302": []}


def test_answers_that_are_no_json_are_content(reader):
    tool = reader.tool(responses=answering(_200=["text/csv", "image/png"]))
    assert tool.result == "content"
    assert tool.result_schema is None
    assert request(tool)["accept"] == "text/csv, image/png"
    assert request(tool)["json"] is False
    assert "_fields" not in inputs(tool)["properties"]


def swagger(responses, produces):
    get = {"responses": responses, **({"produces": produces} if produces else {})}
    info = {"title": "Files", "version": "1"}
    return {"swagger": "2.0", "info": info, "host": "a.example", "produces": [JSON], "paths": {"/f": {"get": get}}}


JSON, PDF = "application/json", "application/pdf"
FILE = {"description": "ok", "schema": {"type": "file"}}


@pytest.mark.parametrize(
    ("produces", "accept"),
    [
        ([JSON, PDF], "application/pdf, application/json"),
        ([PDF], "application/pdf"),
        ([JSON], "*/*"),
        ([], "*/*"),  # the document's, which is about all its operations
        (["application/hal+json", "*/*"], "*/*, application/hal+json"),
    ],
)
def test_a_file_of_swagger_2_is_asked_for_beside_json(reader, produces, accept):
    (tool,) = tools(reader(swagger({"200": FILE, "404": {"description": "no"}}, produces))).values()
    assert (tool.result, tool.result_schema, request(tool)["json"]) == ("content", None, False)
    assert request(tool)["accept"] == accept
    assert request(tool)["answers"] == {"200": accept.split(", ")}  # what bytes without a type are taken for


def test_a_file_under_another_status_is_asked_for_beside_the_value(reader):
    value = {"description": "ok", "schema": {"type": "object", "properties": {"id": {"type": "integer"}}}}
    (tool,) = tools(reader(swagger({"200": value, "201": FILE}, [JSON, PDF]))).values()
    assert tool.result == "json"
    assert request(tool)["accept"] == "application/json, application/pdf"


def test_a_scalar_has_no_fields_to_pick(reader):
    content = {"application/json": {"schema": {"type": "integer"}}}
    tool = reader.tool(responses={"200": {"description": "ok", "content": content}})
    assert "_fields" not in inputs(tool)["properties"]


def test_json_without_a_schema_is_json_all_the_same(reader):
    tool = reader.tool(responses={"200": {"description": "ok", "content": {"application/json": {}}}})
    assert tool.result == "json"
    assert tool.result_schema is None
    assert request(tool)["fields"] is True


def test_what_only_requests_have_is_not_in_the_answer(reader):
    schema = {"type": "object", "properties": {"password": {"type": "string", "writeOnly": True}, "id": {}}}
    content = {"application/json": {"schema": schema}}
    tool = reader.tool(responses={"200": {"description": "ok", "content": content}})
    assert list(thaw(tool.result_schema)["properties"]) == ["id"]


def test_an_argument_called_fields_is_not_taken_for_the_choice_of_fields(reader):
    members = {"name": "_fields", "in": "query", "schema": {"type": "string"}}
    tool = reader.tool(responses=ANSWERS_PET, parameters=[members])
    assert inputs(tool)["properties"]["_fields"] == {"type": "string"}
    assert "fields" not in request(tool)


def test_links_are_kept_beside_the_request(reader):
    links = {"next": {"operationId": "getPet", "parameters": {"id": "$response.body#/id"}}, "broken": {}}
    tool = reader.tool(responses={"201": {"description": "made", "links": links}})
    assert request(tool)["links"] == {"next": {"operation": "getPet", "parameters": {"id": "$response.body#/id"}}}
