"""Children that break one rule each: their calls fail at once and by name, or are answered, and others never notice."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.runtime.gateway.conversing import Client
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.runtime.gateway.worse_child import GOOD, Kinds
from tests.stdio_client import CallFailed

PROGRAM = Path(__file__).with_name("worse_child.py")

SECONDS = 5.0
"""How long a call may take: a few times what the largest answers take, a fraction of the time-out."""

TIMEOUT = 20.0

ANSWERED = {
    "behind_a_banner": None,
    "half_character": "a\ufffdb",
    "pair": "a\U0001f600b",
    "byte_order_mark": "fine",
    "returns": "fine",
    "by_bytes": "fine",
    "blank_lines": "fine",
    "in_a_batch": "fine",
    "separators": "a\u2028b\u2029c\x85d",
    "twice": "fine",
    "extras": "fine",
    "foreign_progress": "fine",
    "changes": "fine",
    "pings": "fine",
    "gives_up": "fine",
    "strange_notes": "fine",
    "numbers_told": "fine",
    "logs": "fine",
}
"""What is unusual, and still an answer."""

REFUSED = {"id_null_error": "I could not read that", "loud_error": "it failed it failed"}
"""Errors of the protocol that their caller gets."""

BIG = ("json_in_text",)

SAID = {
    "nan": "NaN is not JSON",
    "infinity": "-Infinity is not JSON",
    "invalid_utf8": "not UTF-8",
    "number": "the number is too large",
    "number_behind_spaces": "the number is too large",
    "number_in_an_error": "the number is too large",
    "number_in_a_batch": "the number is too large",
    "objects": "more than 209715 values",
    "numbers_and_id_last": "more than 209715 values",
    "long_line": "a message of more than",
    "id_float": "its id is ",
    "id_text": 'its id is \\"',
    "id_true": "its id is true",
    "method_too": "it is a request as well",
    "content_text": "its content is no list",
    "block_unknown": "content[0] is of the kind 'video', which is unknown",
    "text_number": "content[0] of the kind text has no text as its text",
    "resource_without_contents": "content[0] has contents without text or blob",
    "is_error_text": "something else than true or false as its isError",
}
"""What a caller is told of some of them."""

KINDS = [name for name in vars(Kinds) if not name.startswith("_")]
FAILED = [name for name in KINDS if ANSWERED.get(name) is None and name not in (*REFUSED, *BIG)]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A client of one gateway over all of them, and over a good one."""
    servers, tools = {}, []
    for kind in (*KINDS, "interleaved", "good"):
        servers[kind] = {"command": ["${python}", "-I", "-S", str(PROGRAM), kind], "era": "legacy"}
        tools += [tool(kind, name, limits={"timeout": TIMEOUT}) for name in ("ready", "bad")]
    with Client(gateway(tmp_path_factory.mktemp("worse") / "made", servers, tools)) as made:
        yield made


@pytest.fixture(autouse=True)
def _others_never_notice(client):
    yield
    assert client.call("good__ready") == GOOD


def _is_idle(client, kind):
    """Have a child run and answer everything: the gateway itself asks for its lists when it has started."""
    for _ in range(2):
        assert client.call(f"{kind}__ready") == GOOD


def test_there_are_many_kinds():
    assert len(KINDS) >= 50


@pytest.mark.requirement("R113", "R117")
@pytest.mark.parametrize("kind", FAILED)
def test_the_call_fails_at_once_and_says_whose_fault_it_is(client, kind):
    _is_idle(client, kind)
    begun = time.monotonic()
    told = client.call(f"{kind}__bad")
    assert time.monotonic() - begun < SECONDS
    facts = told["_meta"]["mcpgen/error"]
    assert (told["isError"], facts["reason"], facts["child"]) == (True, "child_parse_error", kind)
    text = told["content"][0]["text"]
    assert f"the server {kind} behind this gateway" in text
    assert SAID.get(kind, "").replace("\\", "") in text
    assert text.endswith("ask the user to look at that server.")
    assert client.call(f"{kind}__ready") == GOOD


@pytest.mark.parametrize("kind", [name for name, text in ANSWERED.items() if text is not None])
def test_what_is_unusual_is_answered(client, kind):
    for _ in range(2):
        told = client.call(f"{kind}__bad")
        assert told["content"][0]["text"] == ANSWERED[kind]
        assert not told.get("isError")


def test_members_that_nobody_knows_go_through(client):
    told = client.call("extras__bad")
    assert told["x-extra"] == {"a": None}
    assert told["content"][0]["x-more"] == [1]


def test_json_within_a_text_is_no_weight(client):
    told = client.call("json_in_text__bad")
    assert len(told["content"][0]["text"]) > 3_000_000


@pytest.mark.parametrize("kind", REFUSED)
def test_an_error_of_the_protocol_is_passed_on_in_bounds(client, kind):
    _is_idle(client, kind)
    with pytest.raises(CallFailed) as failed:
        client.call(f"{kind}__bad")
    assert REFUSED[kind] in failed.value.error["message"]
    assert len(failed.value.error["message"]) < 3_000


def test_answers_that_were_written_into_one_another_fail_both_their_calls(client):
    begun = time.monotonic()
    calls = [client.begin("interleaved__bad") for _ in range(2)]
    reasons = [client.wait_for(each)["_meta"]["mcpgen/error"]["reason"] for each in calls]
    assert time.monotonic() - begun < SECONDS
    assert reasons == ["child_parse_error"] * 2
