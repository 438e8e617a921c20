"""Lists of servers that others wrote: what clients would refuse is left out, what nobody sees is taken off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.servers.foreign import snapshot_of
from generator.frontends.servers.listing import Listing
from generator.ir.codec import thaw
from generator.ir.routes import Start
from generator.runtime.gateway.client_rules import judged
from generator.runtime.gateway.visible_text import visible

OBJECT = {"type": "object"}
MIME = "text/html;profile=mcp-app"


def read(capabilities=None, **lists):
    said = {"tools": {}, "resources": {}, "prompts": {}} if capabilities is None else capabilities
    return snapshot_of("bad", Start(command=("run",)), Listing(era="legacy", capabilities=said, lists=lists))


def codes(found):
    return [each.rule.name for each in found]


def test_tools_that_official_clients_refuse_are_left_out_one_by_one():
    tools = [
        {"name": "fine", "inputSchema": OBJECT},
        {"name": "", "inputSchema": OBJECT},
        {"name": "x" * 500, "inputSchema": OBJECT},
        {"name": "..", "inputSchema": OBJECT},
        {"name": "with space", "inputSchema": OBJECT},
        {"name": "naïve", "inputSchema": OBJECT},
        {"name": 5, "inputSchema": OBJECT},
        {"name": "none"},
        {"name": "array", "inputSchema": {"type": "array"}},
        {"name": "required", "inputSchema": {"type": "object", "required": "q"}},
        {"name": "meta", "inputSchema": {"type": "object", "properties": {"q": {"type": "strin"}}}},
        "text",
        None,
    ]
    snapshot, found = read(tools=tools)
    assert [tool.name for tool in snapshot.tools] == ["fine"]
    assert codes(found) == ["dropped-offer"] * (len(tools) - 1)


def test_a_wrong_member_that_may_be_missing_costs_only_itself_and_null_is_a_missing_one():
    said = {
        "name": "t", "inputSchema": OBJECT, "title": 5, "description": None, "outputSchema": {"type": "array"},
        "annotations": {"readOnlyHint": "yes"}, "icons": [{"src": 1}], "_meta": [],
    }  # fmt: skip
    snapshot, found = read(tools=[said])
    assert thaw(snapshot.tools[0].definition) == {"name": "t", "inputSchema": OBJECT}
    assert codes(found) == ["dropped-offer"] * 5
    assert "description" not in " ".join(each.message for each in found)


def test_a_property_that_is_a_boolean_is_written_as_the_schema_it_means():
    schema = {"type": "object", "properties": {"any": True, "none": False, "text": {"type": "string"}}}
    definition = judged("tools", {"name": "t", "inputSchema": schema}).definition
    assert definition["inputSchema"]["properties"] == {"any": {}, "none": {"not": {}}, "text": {"type": "string"}}


def test_what_was_cleaned_is_kept_as_it_came_so_that_the_server_is_known_again():
    schema = {"type": "object", "properties": {"q": {"description": "a\u200bb", "const": "a\u200bb"}}}
    said = {"name": "t", "description": "Read\u202e this\x07\nnow", "inputSchema": schema, "title": "T"}
    snapshot, found = read(tools=[said])
    (made,) = snapshot.tools
    assert made.definition["description"] == "Read this\nnow"
    assert thaw(made.definition["inputSchema"])["properties"]["q"] == {"description": "ab", "const": "a\u200bb"}
    assert {**thaw(made.definition), **thaw(made.was)} == said
    assert codes(found) == ["cleaned-text"]


@given(st.text())
def test_cleaning_twice_is_cleaning_once_and_what_can_be_seen_stays(text):
    once = visible(text)
    assert visible(once) == once
    assert [each for each in once if each.isprintable()] == [each for each in text if each.isprintable()]


@pytest.mark.requirement("R051")
def test_a_malformed_view_is_left_out_and_so_is_the_link_to_it_but_not_the_tool():
    snapshot, found = read(
        tools=[
            {"name": "a", "inputSchema": OBJECT, "_meta": {"ui": {"resourceUri": "ui://bad"}, "own": 1}},
            {"name": "b", "inputSchema": OBJECT, "_meta": {"ui": {"resourceUri": "https://x", "visibility": ["app"]}}},
            {"name": "c", "inputSchema": OBJECT, "_meta": {"ui/resourceUri": "ui://good"}},
            {"name": "d", "inputSchema": OBJECT, "_meta": {"ui": {"resourceUri": "ui://unlisted"}}},
        ],
        resources=[
            {"uri": "ui://bad", "name": "bad", "mimeType": "text/html"},
            {"uri": "ui://good", "name": "good", "mimeType": 'text/html; profile="mcp-app"'},
            {"uri": "file:///x", "name": "x"},
        ],
    )
    assert [tool.name for tool in snapshot.tools] == ["a", "b", "c", "d"]
    links = [None if tool.ui is None else thaw(tool.ui) for tool in snapshot.tools]
    assert links == [None, {"visibility": ["app"]}, {"resourceUri": "ui://good"},
                     {"resourceUri": "ui://unlisted"}]  # fmt: skip
    assert thaw(snapshot.tools[0].definition["_meta"]) == {"own": 1}
    assert [view.definition["mimeType"] for view in snapshot.views] == [MIME, MIME]
    assert [each.original for each in snapshot.resources] == ["file:///x"]
    assert codes(found) == ["dropped-view"] * 3


def test_arguments_are_completed_only_by_a_server_that_completes():
    prompts = [{"name": "p", "arguments": [{"name": "q"}]}, {"name": "q"}]
    plain, _ = read(prompts=prompts)
    completing, _ = read({"prompts": {}, "completions": {}}, prompts=prompts)
    assert [each.completes for each in plain.prompts] == [False, False]
    assert [each.completes for each in completing.prompts] == [True, False]


def test_what_a_server_promises_to_tell_is_known_from_its_capabilities():
    said = {"tools": {"listChanged": True}, "resources": {"subscribe": True, "listChanged": "yes"}}
    assert read(said)[0].changes == ("tools", "resource")


def test_the_digest_is_that_of_what_models_read_whatever_the_order():
    one, two = {"name": "a", "inputSchema": OBJECT}, {"name": "b", "inputSchema": OBJECT, "description": "d"}
    same = read(tools=[one, two])[0].digest
    assert read(tools=[{**two, "icons": [{"src": "x"}], "_meta": {"n": 1}}, one])[0].digest == same
    assert read(tools=[one, {**two, "description": "e"}])[0].digest != same


def test_a_definition_that_is_nested_without_end_is_left_out():
    schema = OBJECT
    for _ in range(3000):
        schema = {"type": "object", "properties": {"a": schema}}
    snapshot, found = read(tools=[{"name": "deep", "inputSchema": schema}, {"name": "fine", "inputSchema": OBJECT}])
    assert [tool.name for tool in snapshot.tools] == ["fine"]
    assert codes(found) == ["dropped-offer"]
