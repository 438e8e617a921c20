"""What a list costs a model, and what is shown so that it fits."""

from __future__ import annotations

import json

import pytest

from generator.definitions import definition
from generator.ir.model import HttpCall, Server, Source, Tool
from generator.passes import budget, shortening

LONG = "Lists the issues of a repository. Pull requests are issues too, and come with a link to themselves."


def tool(name: str) -> Tool:
    schema = {
        "type": "object",
        "properties": {
            "owner": {"type": "string", "title": "Owner", "description": "Who owns it. " + "More words. " * 20},
            "filter": {
                "type": "object",
                "properties": {"state": {"enum": ["open", "closed"], "description": "Inside.", "default": "open"}},
            },
            "description": {"type": "string", "examples": ["a"]},
        },
        "required": ["owner"],
    }
    return Tool(
        name=name,
        title="Issues",
        description=LONG,
        input_schema=schema,
        result_schema={"type": "object", "properties": {"id": {"type": "integer"}}},
        call=HttpCall(operation=f"GET /{name}", request={}),
    )


@pytest.fixture
def server() -> Server:
    tools = tuple(tool(f"list_{index}") for index in range(20))
    return Server(id="api", package="api_mcp", command="api-mcp", tools=tools, source=Source(kind="openapi", name="a"))


def test_a_token_is_four_bytes_of_the_compact_definition(server):
    size = len(json.dumps(definition(server.tools[0]), separators=(",", ":")))
    assert budget.tool_tokens(server.tools[0]) == -(-size // 4)
    assert budget.tokens(server) == sum(map(budget.tool_tokens, server.tools))


def test_the_fullest_exposure_that_fits_is_chosen(server):
    whole, short = budget.tokens(server), budget.tokens(shortening.apply(server))
    assert short < whole / 2
    for allowed, expected in ((whole, "full"), (whole - 1, "short"), (short, "short"), (short - 1, "discovery")):
        shown, (note,) = budget.apply(server, budget=allowed)
        assert shown.exposure == expected
        assert (note.rule.code, str(note.level)) == ("MG290", "note")
        assert f"{allowed:,}" in note.message


def test_without_a_budget_nothing_changes_and_an_exposure_that_is_asked_for_wins(server):
    assert budget.apply(server) == (server, ())
    assert budget.apply(server, exposure="discovery", budget=10**9)[0].exposure == "discovery"
    assert budget.apply(server, exposure="short")[0].exposure == "short"
    assert budget.apply(server, exposure="full", budget=1)[0] == server


def test_few_words_keep_what_a_call_needs(server):
    found = shortening.apply(server).tools[0]
    assert found.description == "Lists the issues of a repository."
    assert (found.title, found.result_schema) == (None, None)
    assert definition(found)["inputSchema"] == {
        "type": "object",
        "properties": {
            "owner": {"type": "string", "description": "Who owns it."},
            "filter": {"type": "object", "properties": {"state": {"enum": ["open", "closed"], "default": "open"}}},
            "description": {"type": "string"},
        },
        "required": ["owner"],
    }


@pytest.mark.parametrize(
    ("text", "most", "said"),
    [
        ("One. Two.", 80, "One."),
        ("Version 1.2 of it. More", 80, "Version 1.2 of it."),
        ("No end", 80, "No end"),
        ("Two\nlines and\n\na paragraph", 80, "Two lines and"),
        ("a sentence of many words without an end", 20, "a sentence of many…"),
        ("", 80, ""),
    ],
)
def test_the_first_sentence(text, most, said):
    assert shortening.first_sentence(text, most) == said
