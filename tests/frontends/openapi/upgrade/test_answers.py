"""Responses of OpenAPI 3.x with their links, and what else an operation says."""

import pytest


def test_statuses_are_brought_to_one_form(upgrade_operation):
    responses = {200: {}, "2xx": {}, "Default": {}, "404": None, "OK": {}, "600": {}, "x-a": {}}
    read = upgrade_operation({"responses": responses})
    assert [each.status for each in read.only.responses] == ["200", "2XX", "default", "404"]
    assert read.rules == ["ignored-member"]
    assert "(2 times)" in read.diagnostics[0].message


def test_content_and_links_are_read_whatever_the_headers_are(upgrade_operation):
    response = {
        "description": "d",
        "content": {"application/json": {"schema": {"type": "array"}}},
        "headers": {"Location": {"schema": {"type": "string"}}, "X-B": 1, "X-C": {"$ref": "#/nowhere"}},
        "links": {"next": {"operationId": "o", "parameters": {"id": "$response.body#/id"}}, "bad": []},
    }
    (found,) = upgrade_operation(
        {"responses": {"200": {"$ref": "#/x-r"}}, "x-a": 1}, **{"x-r": response}
    ).only.responses
    assert (found.description, found.content[0].schema.value) == ("d", {"type": "array"})
    assert [(each.name, each.operation_id, each.parameters) for each in found.links] == [
        ("next", "o", {"id": "$response.body#/id"})
    ]
    assert found.place.text == "api.json#/x-r"


@pytest.mark.parametrize(
    "wrong", [[], "ok", {"200": "ok"}, {"200": []}, {"200": {"content": "x"}}, {"200": {"$ref": "#/n"}}]
)
def test_responses_of_another_type_cost_the_operation(upgrade_operation, wrong):
    read = upgrade_operation({"responses": wrong})
    assert read.api.operations == ()
    assert len(read.errors) == 1
    assert read.errors[0].unit == "GET /x"


def test_missing_responses_are_no_fault(upgrade_operation):
    assert upgrade_operation({}).only.responses == ()


def test_callbacks_and_webhooks_are_names(upgrade_operation):
    read = upgrade_operation({"callbacks": {"onData": {}, "x-y": {}}}, webhooks={"newPet": {}})
    assert read.only.callbacks == ("onData",)
    assert read.api.webhooks == ("newPet",)


def test_texts_of_another_type_are_never_a_reason_to_fail(upgrade_operation):
    odd = {
        "operationId": 5,
        "summary": ["a"],
        "description": {"a": 1},
        "tags": ["a", 1, None, {"b": 1}],
        "deprecated": "true",
        "externalDocs": {"url": "https://docs.example"},
        "callbacks": [],
    }
    operation = upgrade_operation(odd).only
    assert (operation.operation_id, operation.summary, operation.description) == ("5", "", "")
    assert (operation.tags, operation.deprecated) == (("a", "1"), True)
    assert operation.external_docs == "https://docs.example"


def test_what_the_document_says_of_itself_is_kept(upgrade):
    read = upgrade(
        {
            "openapi": "3.2.0",
            "info": {"title": "T", "version": 1.0, "summary": "S", "description": "D"},
            "tags": [{"name": "a", "summary": "A", "parent": "b"}, {"name": "b", "description": "B"}, 1, {"x": 1}],
            "externalDocs": {"url": "https://docs.example"},
            "x-mcp": {"title": "X"},
        }
    )
    api = read.api
    assert (api.title, api.api_version, api.summary, api.description) == ("T", "1.0", "S", "D")
    assert [(each.name, each.description) for each in api.tags] == [("a", "A"), ("b", "B")]
    assert (api.external_docs, api.extensions) == ("https://docs.example", {"x-mcp": {"title": "X"}})
    assert read.diagnostics == []
