"""The three tools of a server in discovery, and the index they search."""

from __future__ import annotations

import json

from generator.backends.discovery import META_TOOLS, meta_entries, search_index
from generator.ir.model import HttpCall, Server, Source, Tool
from generator.jsonschema.meta import first_error

TEXTS = {
    "issues_list": "List the issues assigned to a user",
    "issues_create": "Create an issue in a repository",
    "repos_delete": "Delete a repository for good",
}


def server(*more: str) -> Server:
    tools = tuple(
        Tool(
            name=name,
            description=TEXTS.get(name, ""),
            input_schema={"type": "object", "properties": {"owner": {"type": "string"}}},
            call=HttpCall(operation=f"GET /{name}", request={}),
        )
        for name in (*TEXTS, *more)
    )
    return Server(id="git", package="git_mcp", command="git-mcp", tools=tools, source=Source(kind="openapi", name="g"))


def test_three_tools_have_valid_schemas_and_say_what_they_do_to_the_world():
    entries = meta_entries(server())
    assert [entry["definition"]["name"] for entry in entries] == ["search_tools", "describe_tool", "call_tool"]
    assert all(first_error(entry["definition"]["inputSchema"]) is None for entry in entries)
    assert [entry["definition"]["annotations"]["readOnlyHint"] for entry in entries] == [True, True, False]
    assert len(json.dumps(entries)) < 2_500


def test_a_tool_of_the_server_keeps_its_name_and_texts_name_the_others_rightly():
    entries = meta_entries(server("call_tool"))
    assert entries[2]["definition"]["name"] == "git_call_tool"
    assert "git_call_tool" in entries[0]["definition"]["description"]
    assert "{" not in json.dumps([entry["definition"]["description"] for entry in entries])
    assert {each.does for each in META_TOOLS} == {"search", "describe", "call"}


def test_the_index_weighs_rare_words_and_words_of_a_name_most():
    index = search_index(server())
    assert index["tools"] == list(TEXTS)
    weights = {word: dict(zip(pairs[::2], pairs[1::2], strict=True)) for word, pairs in index["words"].items()}
    assert set(weights["issue"]) == {0, 1}
    assert weights["delete"][2] > weights["issue"][0] > 0
    assert weights["repo"][2] > weights["repository"][2]
    assert list(index["words"]) == sorted(index["words"])


def test_the_index_knows_names_titles_and_operations_whole():
    phrases = search_index(server())["phrases"]
    assert phrases["issue list"] == [0]
    assert phrases["get issue create"] == [1]
    assert list(phrases) == sorted(phrases)
