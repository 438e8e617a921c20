"""The door of the front end: what is served, what is left out and why, and what is said of each tool."""

from __future__ import annotations

import json

import pytest

from generator.frontends.openapi.descriptions import bounded
from generator.frontends.openapi.read import read
from generator.frontends.openapi.scale import CROWD, CROWDED, ROOMY
from generator.frontends.openapi.settings import OpenApiRequest
from generator.pipeline import refine

from .described import body, description, inputs, messages, names, operation, parameter, request, rules, tools

MISSING = {"$ref": "#/components/schemas/Missing"}


def test_a_simple_description_is_a_server(reader):
    paths = {
        "/pets/{id}": {
            "get": operation(
                operationId="getPet",
                summary="Get a pet.",
                description="Returns one pet by its id.",
                tags=["pets"],
                parameters=[parameter("id", "path"), parameter("X-Trace", "header")],
            )
        }
    }
    result = reader(description(paths))
    (tool,) = result.server.tools
    assert result.diagnostics == ()
    assert result.left_out == ()
    assert (tool.title, tool.tags) == ("Get a pet", ("pets",))
    assert tool.description == "Get a pet.\n\nReturns one pet by its id."
    assert tool.call.operation == "GET /pets/{id}"
    assert request(tool)["method"] == "GET"
    assert request(tool)["path"] == "/pets/{id}"
    assert result.server.http["servers"] == [{"url": "https://api.example.com/v1"}]


def test_an_operation_whose_schema_leads_nowhere_is_left_out_with_its_reason(reader):
    paths = {
        "/good": {"get": operation()},
        "/bad": {"get": operation(parameters=[parameter("p", schema=MISSING)])},
        "/worse": {"post": operation(requestBody=body(MISSING))},
    }
    result = reader(description(paths))
    assert names(result) == ["get_good"]
    assert result.left_out == ("GET /bad", "POST /worse")
    errors = [each for each in result.diagnostics if each.level == "error"]
    assert {each.unit for each in errors} == {"GET /bad", "POST /worse"}
    assert all(each.span is not None and each.pointer and "Missing" in each.message for each in errors)


def test_a_broken_schema_that_costs_many_operations_is_one_error(reader):
    components = {"schemas": {"Bad": {"type": "object", "properties": {"x": MISSING}}}}
    paths = {
        f"/p{number}": {"post": operation(requestBody=body({"$ref": "#/components/schemas/Bad"}))}
        for number in range(20)
    }
    result = reader(description(paths, components=components))
    (error,) = [each for each in result.diagnostics if each.level == "error"]
    assert len(result.left_out) == 20
    assert error.unit == "POST /p0"
    assert error.notes[-1].startswith("also left out: `POST /p1`")
    assert error.notes[-1].endswith("and 14 more")


def test_a_part_of_an_answer_that_leads_nowhere_costs_only_itself(reader):
    schema = {"type": "object", "properties": {"a": MISSING, "b": {"type": "string"}}}
    responses = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
    result = reader(description({"/p": {"get": operation(responses=responses)}}))
    assert names(result) == ["get_p"]
    assert "unreadable-answer-schema" in rules(result, "warning")


@pytest.mark.parametrize("content", ["", "[]", "{", "openapi: 4.0.0\n", "just text"])
def test_what_is_no_description_is_no_server(tmp_path, content):
    path = tmp_path / "api.yaml"
    path.write_text(content, encoding="utf-8")
    result = read(OpenApiRequest(source=str(path)))
    assert result.server is None
    assert [each.level for each in result.diagnostics] == ["error"]


def test_a_file_that_is_not_there_is_no_server(tmp_path):
    result = read(OpenApiRequest(source=str(tmp_path / "absent.yaml")))
    assert result.server is None
    assert rules(result) == {"unreadable-description"}


def test_an_overlay_changes_what_is_read(reader, tmp_path):
    overlay = {
        "overlay": "1.0.0",
        "info": {"title": "o", "version": "1"},
        "actions": [{"target": "$.paths['/p'].get", "update": {"operationId": "renamed"}}],
    }
    (tmp_path / "o.json").write_text(json.dumps(overlay), encoding="utf-8")
    document = description({"/p": {"get": operation()}})
    assert names(reader(document, overlays=(str(tmp_path / "o.json"),))) == ["renamed"]


def test_an_overlay_that_cannot_be_applied_is_no_server(reader, tmp_path):
    (tmp_path / "o.json").write_text("{}", encoding="utf-8")
    result = reader(description({"/p": {"get": operation()}}), overlays=(str(tmp_path / "o.json"),))
    assert result.server is None
    assert "invalid-overlay" in rules(result, "error")


@pytest.mark.parametrize(
    ("summary", "text", "title", "said"),
    [
        ("", "", None, "Request `GET /p` of the API."),
        ("List them", "", "List them", "List them"),
        ("", "Lists them.", None, "Lists them."),
        ("Lists", "Lists them all.", "Lists", "Lists them all."),
        ("x" * 90, "Text.", None, "x" * 90 + "\n\nText."),
        ("two\nlines", "Text.", None, "two\nlines\n\nText."),
        ("A", "See [the manual](https://x.example/a), `![](y)`.", "A", "A\n\nSee the manual, `![](y)`."),
    ],
)
def test_title_and_description_come_from_summary_and_description(reader, summary, text, title, said):
    (tool,) = reader(description({"/p": {"get": operation(summary=summary, description=text)}})).server.tools
    assert (tool.title, tool.description) == (title, said)


def test_a_deprecated_operation_is_marked_first(reader):
    result = reader(description({"/p": {"get": operation(summary="Old one", deprecated=True)}}))
    server, _ = refine(result.server)
    assert server.tools[0].description == "Deprecated.\n\nOld one"


def test_long_texts_are_cut_after_a_sentence():
    text = "This is a sentence. " * 100
    assert bounded(text, 200).endswith("sentence. …")
    assert len(bounded(text, 200)) <= 200
    assert len(bounded("x" * 500, 100)) <= 100
    assert len(bounded("word " * 100, 100)) <= 100
    assert bounded("short", 100) == "short"


def test_tools_say_less_where_there_are_very_many(reader):
    paths = {f"/p{number}": {"get": operation(description="A sentence. " * 100)} for number in range(CROWD)}
    many = reader(description(paths)).server.tools
    few = reader(description({"/p0": paths["/p0"]})).server.tools
    assert len(many) == CROWD
    assert CROWDED.description // 2 < len(many[0].description) <= CROWDED.description
    assert CROWDED.description < len(few[0].description) <= ROOMY.description


def test_nothing_is_shortened_where_no_list_shows_it(reader):
    text = "A sentence. " * 300
    paths = {f"/p{number}": {"get": operation(description=text)} for number in range(CROWD)}
    assert reader(description(paths), listed=False).server.tools[0].description == text.strip()


def test_webhooks_callbacks_and_links_are_told_and_not_served(reader):
    callback = {"onEvent": {"{$request.body#/url}": {"post": operation()}}}
    links = {"200": {"description": "ok", "links": {"next": {"operationId": "x"}}}}
    document = description({"/p": {"get": operation(callbacks=callback, responses=links)}}, webhooks={"new": {}})
    result = reader(document)
    assert names(result) == ["get_p"]
    assert messages(result, "unserved-part") == [
        "webhooks are no tools, the API calls them: `new`",
        "callbacks are no tools, the API calls them: `onEvent`",
        "links are no tools, they are kept beside their operations: `next`",
    ]


def test_what_is_read_passes_through_the_passes_and_keeps_its_tools(reader):
    paths = {"/p": {"post": operation(requestBody=body({"$ref": "#/components/schemas/Pet"}))}}
    server, found = refine(reader(description(paths)).server)
    assert found == ()
    assert inputs(server.tools[0])["required"] == ["name"]


def test_reading_twice_gives_the_same(reader):
    paths = {"/b": {"get": operation()}, "/a": {"get": operation(operationId="a b")}}
    assert reader(description(paths)).server == reader(description(paths)).server


def test_the_limits_of_the_settings_are_part_of_the_service(reader):
    result = reader(description({"/p": {"get": operation()}}), limits={"timeout": 5, "rate_limit": {"per_second": 2}})
    limits = result.server.http["limits"]
    assert (limits["timeout"], limits["retries"], limits["rate_limit"]) == (5, 2, {"per_second": 2})
    assert result.server.http["hooks"] is True


def test_versions_of_all_kinds_are_read(complaints):
    served = {}
    for name in ("params30", "oas31", "oas32", "swagger2", "ext30", "resp30", "body30"):
        result = read(OpenApiRequest(source=str(complaints / "probes" / "specs" / f"{name}.json")))
        assert result.left_out == (), messages(result)
        served[name] = len(tools(result))
    assert served["oas32"] == served["swagger2"] == 4
    assert served["body30"] == 27
