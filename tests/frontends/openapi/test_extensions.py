"""What a document says of its tools in extensions, and what it cannot say."""

from __future__ import annotations

import pytest

from generator.config import Config, ToolSetting
from generator.config.openapi import OperationRule
from generator.ir.model import Annotations

from .described import description, inputs, messages, names, operation, request, rules, tools


def one(reader, extension, value, **options):
    """Read an operation `GET /p` with an extension."""
    return reader(description({"/p": {"get": operation(summary="Get it.", **{extension: value})}}), **options)


@pytest.mark.parametrize("spelling", ["x-mcp", "x-speakeasy-mcp", "x-mcp-integration", "x-mcpgen"])
def test_an_extension_names_describes_and_bounds_a_tool(reader, spelling):
    said = {"name": "fetch", "title": "Fetch", "description": "Fetch it.", "scopes": ["read"], "timeout": 5}
    result = one(reader, spelling, said)
    (tool,) = result.server.tools
    assert (tool.name, tool.title, tool.description, tool.scopes) == ("fetch", "Fetch", "Fetch it.", ("read",))
    assert tool.limits.timeout == 5
    assert request(tool)["timeout"] == 5
    assert result.server.scopes == ("read",)
    assert rules(result) == set()


@pytest.mark.parametrize(
    "value",
    [False, {"hidden": True}, {"disabled": True}, {"enabled": False}, {"skip": True}, {"hide": True, "name": "x"}],
)
def test_an_extension_hides_an_operation(reader, value):
    assert names(one(reader, "x-mcp", value)) == []


def test_a_rule_of_the_settings_shows_what_the_document_hides(reader):
    assert names(one(reader, "x-mcp", False, rules={"GET /p": OperationRule(hide=False)})) == ["get_p"]


def test_what_is_near_wins_over_what_is_around(reader):
    paths = {
        "/a": {"x-mcp": True, "get": operation(), "post": operation(**{"x-mcp": False})},
        "/b": {"get": operation(), "put": operation(**{"x-mcp": {"enabled": True}})},
    }
    assert names(reader(description(paths, **{"x-mcp": False}))) == ["get_a", "put_b"]


def test_the_documents_extension_names_no_tool(reader):
    document = description(
        {"/a": {"get": operation()}}, **{"x-mcp": {"name": "all", "annotations": {"openWorld": False}}}
    )
    (tool,) = reader(document).server.tools
    assert tool.name == "get_a"
    assert tool.annotations.open_world is False


@pytest.mark.parametrize(
    "value",
    [
        {"readOnly": True},
        {"readOnlyHint": True},
        {"annotations": {"readOnlyHint": True}},
        {"annotations": {"read_only": True}},
    ],
)
def test_annotations_have_several_spellings(reader, value):
    (tool,) = reader(description({"/search": {"post": operation(**{"x-mcp": value})}})).server.tools
    assert tool.annotations == Annotations(read_only=True, destructive=False, idempotent=True, open_world=True)
    assert request(tool)["read_only"] is True


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("yes", "`x-mcp` must be a boolean or an object"),
        ({"name": "a b"}, "`x-mcp.name` is no name for a tool: clients accept [A-Za-z0-9_-]{1,64} only"),
        ({"title": 7}, "`x-mcp.title` must be a text"),
        ({"hidden": "no"}, "`x-mcp.hidden` must be a boolean"),
        ({"scopes": [1]}, "`x-mcp.scopes` must be an array of texts"),
        ({"timeout": -1}, "`x-mcp.timeout` must be a number of seconds up to 3600"),
        ({"timeout": True}, "`x-mcp.timeout` must be a number of seconds up to 3600"),
        ({"annotations": []}, "`x-mcp.annotations` must be an object"),
        ({"readOnly": 1}, "`x-mcp.readOnly` must be a boolean"),
    ],
)
def test_what_is_not_understood_has_no_effect_and_is_told(reader, value, message):
    result = one(reader, "x-mcp", value)
    assert names(result) == ["get_p"]
    assert messages(result, "refused-extension") == [message]


def test_a_document_cannot_load_code_or_show_views(reader):
    result = one(reader, "x-mcpgen", {"lazy": "os", "ui": "ui://evil", "title": "It"})
    (tool,) = result.server.tools
    assert (tool.title, tool.ui) == ("It", None)
    assert messages(result, "refused-extension") == [
        "`x-mcpgen.lazy` has no effect in a description",
        "`x-mcpgen.ui` has no effect in a description",
    ]


@pytest.mark.parametrize("spelling", ["x-mcp", "x-mcpgen"])
@pytest.mark.parametrize(
    ("value", "key", "meant"),
    [
        ({"hiden": True}, "hiden", "; did you mean `hidden`?"),
        ({"Description": "It."}, "Description", "; did you mean `description`?"),
        ({"annotations": {"readonly": True}}, "annotations.readonly", "; did you mean `read_only`?"),
        ({"tags": ["a"]}, "tags", ""),
    ],
)
def test_a_member_that_nobody_reads_is_told_with_its_place_and_the_nearest_name(reader, spelling, value, key, meant):
    result = one(reader, spelling, value)
    (found,) = (each for each in result.diagnostics if each.rule.name == "refused-extension")
    assert found.message == f"`{spelling}.{key}` has no effect in a description{meant}"
    assert found.pointer.endswith(f"/get/{spelling}/{key.replace('.', '/')}")
    assert found.span is not None


def test_all_spellings_of_hints_are_known_and_members_of_others_are_theirs(reader):
    hints = {"read_only": True, "openWorldHint": False, "annotations": {"idempotent": True, "destructive": False}}
    assert rules(one(reader, "x-mcpgen", hints)) == set()
    assert rules(one(reader, "x-mcp", {"x-mine": 1})) == set()
    assert rules(one(reader, "x-speakeasy-mcp", {"disabled": False, "tags": ["a"]})) == set()


def test_of_very_many_unknown_members_a_few_are_told(reader):
    found = messages(one(reader, "x-mcp", {f"k{number}": 1 for number in range(1000)}), "refused-extension")
    assert len(found) == 10


def test_unknown_extensions_say_nothing(reader):
    plain = reader(description({"/p": {"get": operation(summary="Get it.")}}))
    hostile = one(reader, "x-codegen-request-body-name", "__import__('os').system('true')")
    assert hostile.server.tools == plain.server.tools
    assert rules(hostile) == set()


def test_settings_win_over_the_documents_extension(reader):
    result = one(
        reader,
        "x-mcp",
        {"title": "Document's", "description": "Document's.", "readOnly": True},
        config=Config(
            tools={"get_p": ToolSetting(title="Setting's", tags=("mine",), max_result_bytes=10, confirm=True)}
        ),
        rules={"GET /p": OperationRule(title="Rule's", annotations=Annotations(read_only=False))},
    )
    (tool,) = result.server.tools
    assert (tool.title, tool.description, tool.tags) == ("Rule's", "Document's.", ("mine",))
    assert tool.annotations.read_only is False
    assert tool.limits.max_result_bytes == 10
    assert tool.confirm is True


def test_a_tool_setting_for_python_only_is_an_error(reader):
    config = Config(tools={"get_p": ToolSetting(input_schema={"type": "object"})})
    result = one(reader, "x-other", 1, config=config)
    assert messages(result, "invalid-setting") == ["`input_schema` of `get_p` has no effect on an operation of an API"]


def test_the_given_document_with_hostile_extensions_is_read_as_the_plain_one(attacks):
    from generator.frontends.openapi.read import read
    from generator.frontends.openapi.settings import OpenApiRequest

    hostile = read(OpenApiRequest(source=str(attacks / "vendor-extensions.json")))
    plain = read(OpenApiRequest(source=str(attacks / "00-benign.json")))
    assert inputs(tools(hostile)["get_item"]) == inputs(tools(plain)["get_item"])
    assert request(tools(hostile)["get_item"]) == request(tools(plain)["get_item"])
