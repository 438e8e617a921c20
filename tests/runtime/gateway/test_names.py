"""Names and URIs, both ways: properties of what is pure in the translation."""

from __future__ import annotations

from urllib.parse import quote as standard_quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.names import MAX_LINKS, Routing
from generator.runtime.gateway.task_routes import task_of, token_of
from generator.runtime.gateway.translate_errors import error_for
from generator.runtime.gateway.translate_questions import METHODS, answer_for, question_of, questions_of
from generator.runtime.gateway.translate_requests import passed_on
from generator.runtime.gateway.translate_results import caching, tool_result
from generator.runtime.gateway.translate_uris import MILO_PREFIX, PREFIX, matcher, quote, unquote, unwrapped, wrapped
from generator.runtime.wire.dialects import LATEST_LEGACY, LATEST_MODERN

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


def routing(**more: object) -> Routing:
    servers = {"a": {}, "b": {"uris": "b+"}}
    call = {"kind": "proxy", "server": "a"}
    tools = [{"definition": {"name": "a__t"}, "call": {**call, "original": "t"}}]
    return Routing({"gateway": {"servers": servers}, "tools": tools, **more})


@pytest.mark.requirement("R046")
@given(TEXT, TEXT)
def test_a_wrapped_uri_is_unwrapped_to_what_it_was(server: str, uri: str) -> None:
    made = wrapped(PREFIX, server, uri)
    assert unwrapped(made, PREFIX) == (server, uri)
    assert made.isascii()
    assert made.removeprefix(PREFIX).count("/") == 1, "equal URIs of two children stay apart (R049)"
    assert unwrapped(made.replace(PREFIX, MILO_PREFIX, 1), PREFIX) == (server, uri)


@pytest.mark.requirement("R046")
def test_the_form_is_the_one_hosts_have_seen() -> None:
    made = wrapped(MILO_PREFIX, "weather", "ui://weather/dashboard")
    assert made == "ui://milo-gateway/weather/ui%3A%2F%2Fweather%2Fdashboard"


@given(TEXT)
def test_quoting_is_the_standard_librarys(text: str) -> None:
    assert quote(text) == standard_quote(text, safe="")
    assert unquote(quote(text)) == text


@pytest.mark.parametrize("text", ["%", "%4", "%zz", "%ff", "a%", "%+1"])
def test_what_is_no_percent_encoding_of_a_text_is_none(text: str) -> None:
    assert unquote(text) is None


def test_a_view_that_no_list_shows_is_read_only_where_the_policy_lets_it() -> None:
    servers = {"a": {}, "b": {"deny": ["ui://b/secret*"]}, "c": {"expose": ["get_*"]}}
    found = Routing({"gateway": {"servers": servers}, "tools": []})
    for server, uri, is_routed in (
        ("a", "ui://a/secret", True),
        ("b", "ui://b/secret/1", False),
        ("b", "ui://b/other", True),
        ("c", "ui://c/any", False),
    ):
        assert (found.owner(wrapped(PREFIX, server, uri)) is not None) == is_routed, uri


@given(st.text(max_size=60))
def test_no_text_breaks_the_search_for_an_owner(text: str) -> None:
    for uri in (text, f"ui://{text}", f"{PREFIX}{text}", f"{PREFIX}a/{text}"):
        found = routing().owner(uri)
        assert found is None or found.server in ("a", "b")


@pytest.mark.parametrize(
    ("template", "uri", "is_one"),
    [
        ("file:///{id}", "file:///x", True),
        ("file:///{id}", "file:///x/y", False),
        ("file:///{+path}", "file:///x/y", True),
        ("file:///{+path}", "http:///x/y", False),
        ("a{?q,r}", "a?q=1", True),
        ("a{/x*}/end", "a/b/c/end", True),
        ("a{/x*}/end", "a/b/c/fin", False),
        ("{+any}mid{+dle}end", "xmidyend", True),
        ("{+any}mid{+dle}end", "xmend", False),
        ("plain", "plain", True),
        ("plain", "plain2", False),
    ],
)
def test_templates_of_any_level_are_matched(template: str, uri: str, is_one: bool) -> None:
    assert (matcher(template)(uri) not in (None, False)) is is_one


def test_a_link_that_two_children_made_leads_to_neither() -> None:
    found = routing()
    found.names("a").link("x://1")
    assert found.owner("x://1").server == "a"
    found.names("b").link("x://1")
    assert found.owner("b+x://1").original == "x://1"
    found._names["b"].before = ""
    found.names("b").link("x://1")
    assert found.owner("x://1") is None


def test_links_that_are_remembered_are_bounded() -> None:
    found = routing()
    for number in range(MAX_LINKS + 10):
        found.names("a").link(f"x://{number}")
    assert len(found._links) == MAX_LINKS
    assert found.owner("x://0") is None
    assert found.owner(f"x://{MAX_LINKS + 9}") is not None


@given(TEXT, TEXT, TEXT)
def test_a_tasks_token_is_good_for_its_principal_only(principal: str, server: str, original: str) -> None:
    token = token_of("gateway", principal, server, original)
    assert token == token_of("gateway", principal, server, original), "who listens finds it again"
    assert task_of("gateway", principal, token) == (server, original)
    assert task_of("gateway", principal + "x", token) is None
    assert task_of("another", principal, token) is None
    assert task_of("gateway", principal, token[:-1] + ("A" if token[-1] != "A" else "B")) is None


def test_meta_of_one_hop_stays_there() -> None:
    meta = {"progressToken": 1, "io.modelcontextprotocol/related-task": {}, "traceparent": "x", "own.example/k": 2}
    assert passed_on(meta) == {"traceparent": "x", "own.example/k": 2}
    assert passed_on({}) == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON, st.sampled_from(["content", "_meta", "structuredContent", "errorData", "own"]))
def test_whatever_a_child_sends_is_translated_to_something(value: object, other: object, member: str) -> None:
    result = {"content": [value], member: other}
    for dialect in (LATEST_LEGACY, LATEST_MODERN):
        before = repr(result)
        changed = tool_result(result, routing().names("a"), dialect)
        assert repr(result) == before, "what came is not changed under anybody's hands"
        assert type(changed["content"]) is list
        if member == "own":
            assert changed["own"] == other


@given(JSON)
def test_whatever_error_a_child_sends_is_one_with_code_and_message(error: object) -> None:
    for method in ("tools/call", "resources/read"):
        body = error_for(error, routing().names("a"), LATEST_MODERN, method)
        assert type(body["code"]) is int
        assert type(body["message"]) is str


def test_a_tool_that_the_child_has_no_more_is_told_with_what_helps() -> None:
    said = {"errorCode": "M-CMD-001", "reason": "unknown_tool", "suggestion": "Ask tools/list for the tools."}
    error = {"code": -32602, "message": "Unknown tool: t", "data": said}
    body = error_for(error, routing().names("a"), LATEST_MODERN, "tools/call")
    assert body["message"] == "Unknown tool: t, which 'a' behind this gateway has no more"
    assert body["data"]["reason"] == "unknown_tool"
    assert "build the gateway again" in body["data"]["suggestion"]
    assert error_for(error, routing().names("a"), LATEST_MODERN, "prompts/get")["message"] == "Unknown tool: t"


@given(JSON)
def test_whatever_a_child_asks_is_a_question_or_refused(params: object) -> None:
    assert question_of("sampling/createMessage", params, routing().names("a"))["method"] == "sampling/createMessage"
    askable = type(params) is dict and all(
        type(each) is dict and each.get("method") in METHODS for each in params.values()
    )
    if askable or type(params) is not dict:
        questions_of(params, routing().names("a"))
    else:
        with pytest.raises(ValueError, match="it asks"):
            questions_of(params, routing().names("a"))


def test_a_models_answer_of_several_blocks_is_one_for_older_children() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    said = {"role": "assistant", "model": "m", "content": blocks, "resultType": "complete"}
    newest = answer_for("sampling/createMessage", said, "2025-11-25")
    assert newest == {"role": "assistant", "model": "m", "content": blocks}
    older = answer_for("sampling/createMessage", said, "2025-06-18")
    assert older["content"] == {"type": "text", "text": "a\nb"}
    one = answer_for("sampling/createMessage", {**said, "content": blocks[:1]}, "2025-06-18")
    assert one["content"] == blocks[0]


@pytest.mark.parametrize(
    ("result", "private", "wanted"),
    [
        ({}, False, (0, "private")),
        ({"ttlMs": 5, "cacheScope": "public"}, False, (5, "public")),
        ({"ttlMs": 5, "cacheScope": "public"}, True, (5, "private")),
        ({"ttlMs": 5}, False, (5, "private")),
        ({"ttlMs": -1, "cacheScope": "public"}, False, (0, "private")),
        ({"ttlMs": True, "cacheScope": "public"}, False, (0, "private")),
    ],
)
def test_contents_are_kept_as_the_child_allows(result: dict, private: bool, wanted: tuple) -> None:
    found = caching(result, private=private)
    assert (found["ttlMs"], found["cacheScope"]) == wanted
