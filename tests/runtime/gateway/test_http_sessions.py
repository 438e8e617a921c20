"""Sessions of legacy children behind a URL: begun, forgotten, taken up, and what comes outside of any answer."""

import itertools
import threading
import time

import pytest

from tests.runtime.gateway.linking import SECONDS, Child, connected
from tests.runtime.gateway.remote import LEGACY, TAKEN, as_json, event, legacy, opening, remote, reply, result


def seen(server, what):
    return [asked for asked in server.asked if asked.what == what]


UNKNOWN = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32000, "message": "Bad Request: No valid session ID provided"},
}


@pytest.mark.requirement("R133")
@pytest.mark.parametrize("refusal", [reply(404), as_json(UNKNOWN, 400)], ids=["404", "400"])
def test_a_forgotten_session_is_begun_anew_once_and_the_errand_repeated(refusal):
    numbers = itertools.count(1)
    good = {"s1"}

    def more(asked, _):
        if asked.what == "initialize":
            good.add(f"s{next(numbers)}")
            return result(asked, LEGACY, Mcp_Session_Id=max(good))
        if asked.what == "tools/call":
            known = asked.headers["mcp-session-id"] in good
            return result(asked, {"session": asked.headers["mcp-session-id"]}) if known else refusal
        return None

    with remote(legacy(more)) as server, connected(server.row) as child:
        assert child.call("t").result == {"session": "s1"}
        good.clear()
        takers = [child.call("t") for _ in range(6)]
        assert [taker.result for taker in takers] == [{"session": "s2"}] * 6
        assert len(seen(server, "initialize")) == 2
        assert [asked.headers["mcp-session-id"] for asked in seen(server, "notifications/initialized")] == ["s1", "s2"]


def test_a_refusal_that_does_not_speak_of_the_session_is_the_answer():
    def more(asked, _):
        body = {
            "jsonrpc": "2.0",
            "id": asked.message.get("id"),
            "error": {"code": -32602, "message": "session of what?"},
        }
        return as_json(body, 400) if asked.what == "tools/call" else None

    with remote(legacy(more, session="s")) as server, connected(server.row) as child:
        assert child.call("t").end()[1]["error"]["code"] == -32602
        assert len(seen(server, "initialize")) == 1


def test_a_session_that_is_always_forgotten_loses_the_errand():
    def more(asked, _):
        return reply(404) if asked.what == "tools/call" else None

    with remote(legacy(more, session="s")) as server, connected(server.row) as child:
        assert child.call("t").end()[:2] == ("lost", "child_transport_error")
        assert len(seen(server, "tools/call")) == 2


def test_a_stream_that_breaks_off_is_taken_up_behind_its_last_event_when_it_was_told_to():
    times = {}

    def more(asked, peer):
        if asked.what == "tools/call":
            number = asked.message["id"]
            peer.send(opening() + b"id: a1\nretry: 300\ndata: \n\n")
            peer.send(event({"method": "notifications/progress", "params": {"progressToken": number}}, "a2"))
            times["broke"] = time.monotonic()
            times["id"] = number
            return TAKEN
        if asked.method == "GET" and "last-event-id" in asked.headers:
            times.setdefault("back", time.monotonic())
            peer.send(opening())
            if asked.headers["last-event-id"] == "a2":
                peer.send(b"id: a3\ndata: \n\n")
            else:
                peer.send(event({"id": times["id"], "result": {"behind": asked.headers["last-event-id"]}}, "a4"))
            return TAKEN
        return None

    with remote(legacy(more, session="s")) as server, connected(server.row) as child:
        taker = child.call("t", wants_progress=True)
        assert taker.result == {"behind": "a3"}
        assert len(taker.notes) == 1
        assert times["back"] - times["broke"] >= 0.28
        resumed = [asked for asked in seen(server, "GET") if "last-event-id" in asked.headers]
        assert [asked.headers["mcp-session-id"] for asked in resumed] == ["s", "s"]


def test_a_stream_without_ids_cannot_be_taken_up():
    def more(asked, peer):
        if asked.what == "tools/call":
            peer.send(opening() + event({"method": "notifications/message", "params": {}}))
            return TAKEN
        return None

    with remote(legacy(more)) as server, connected(server.row) as child:
        assert child.call("t").end() == ("lost", "child_disconnected", "its stream ended before the answer")


def test_a_stream_that_cannot_be_taken_up_is_given_up(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.http_errands.RETRY_SECONDS", 0.01)

    def more(asked, peer):
        if asked.what == "tools/call":
            peer.send(opening() + b"id: 1\ndata: \n\n")
            return TAKEN
        return TAKEN if "last-event-id" in asked.headers else None

    with remote(legacy(more)) as server, connected(server.row) as child:
        assert child.call("t").end()[1] == "child_disconnected"
        assert len([asked for asked in seen(server, "GET") if "last-event-id" in asked.headers]) in (8, 9)


def test_a_server_may_close_a_stream_as_often_as_it_likes(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.http_errands.RETRY_SECONDS", 0.01)
    ids = []

    def more(asked, peer):
        if asked.what == "tools/call":
            ids.append(asked.message["id"])
            peer.send(opening() + b"id: 1\ndata: \n\n")
            return TAKEN
        if "last-event-id" in asked.headers:
            ids.append(None)
            peer.send(opening())
            if len(ids) > 30:
                peer.send(event({"id": ids[0], "result": {}}))
            return TAKEN
        return None

    with remote(legacy(more)) as server, connected(server.row) as child:
        assert child.call("t").result == {}


def test_what_belongs_to_no_errand_comes_on_the_stream_of_the_session():
    def more(asked, peer):
        if asked.method == "GET":
            peer.send(opening() + event({"method": "notifications/tools/list_changed"}, "n1"))
            peer.server.over.wait(SECONDS)
            return TAKEN
        return None

    with remote(legacy(more, session="s")) as server, connected(server.row) as child:
        assert child.told.wait(SECONDS)
        assert child.notifications == [("notifications/tools/list_changed", {})]
        (asked,) = seen(server, "GET")
        assert (asked.headers["accept"], asked.headers["mcp-session-id"]) == ("text/event-stream", "s")
        server.over.set()


def test_the_stream_of_a_session_is_taken_up_when_it_breaks_off():
    def more(asked, peer):
        if asked.method == "GET":
            last = asked.headers.get("last-event-id")
            peer.send(
                opening() + b"retry: 50\n" + event({"method": "notifications/message", "params": {"after": last}}, "n1")
            )
            if last is not None:
                peer.server.over.wait(SECONDS)
            return TAKEN
        return None

    with remote(legacy(more)) as server, connected(server.row) as child:
        until = time.monotonic() + SECONDS
        while len(child.notifications) < 2 and time.monotonic() < until:
            child.told.wait(0.05)
        assert [params["after"] for _, params in child.notifications] == [None, "n1"]
        server.over.set()


@pytest.mark.parametrize("stream", ["own", "session"])
def test_what_a_child_asks_is_answered_with_a_post_of_its_own(stream):
    replied, asked_for = threading.Event(), threading.Event()
    said = []

    def more(asked, peer):
        if asked.what == "tools/call":
            asked_for.set()
            question = event({"id": "q1", "method": "elicitation/create", "params": {"message": "?"}})
            peer.send(opening() + (question if stream == "own" else b""))
            assert replied.wait(SECONDS)
            peer.send(event({"id": asked.message["id"], "result": {"said": said}}))
            return TAKEN
        if asked.method == "GET":
            peer.send(opening())
            assert asked_for.wait(SECONDS)
            if stream == "session":
                peer.send(event({"id": "q1", "method": "elicitation/create", "params": {"message": "?"}}))
            peer.server.over.wait(SECONDS)
            return TAKEN
        if asked.what == "response":
            said.append(asked.message["result"])
            replied.set()
        return None

    with remote(legacy(more, session="s")) as server:
        child = Child(server.row)
        child.link.on_request = lambda identifier, *_: child.link.reply(identifier, {"action": "decline"})
        try:
            taker = child.start().call("t")
            if stream == "own":
                taker.heard()
                assert taker.questions == [("q1", "elicitation/create", {"message": "?"})]
                child.link.reply("q1", {"action": "decline"})
            assert taker.result == {"said": [{"action": "decline"}]}
            assert [asked.headers["mcp-session-id"] for asked in seen(server, "response")] == ["s"]
        finally:
            server.over.set()
            child.link.close()
            assert child.link.join(SECONDS)


def test_a_ping_and_an_unknown_question_are_answered_without_anybody():
    replies, both = [], threading.Event()

    def more(asked, peer):
        if asked.what == "tools/call":
            peer.send(opening() + event({"id": 1, "method": "ping"}) + event({"id": 2, "method": "odd"}))
            assert both.wait(SECONDS)
            peer.send(event({"id": asked.message["id"], "result": {}}))
            return TAKEN
        if asked.what == "response":
            replies.append(asked.message)
            if len(replies) == 2:
                both.set()
        return None

    with remote(legacy(more)) as server, connected(server.row) as child:
        taker = child.call("t")
        assert taker.result == {}
        assert taker.questions == []
        by_id = {message["id"]: message for message in replies}
        assert (by_id[1]["result"], by_id[2]["error"]["code"]) == ({}, -32601)


def test_cancelling_tells_a_legacy_child():
    told = threading.Event()

    def more(asked, peer):
        if asked.what == "tools/call":
            peer.send(opening() + event({"method": "notifications/message", "params": {}}))
            told.wait(SECONDS)
            return TAKEN
        if asked.what == "notifications/cancelled":
            told.set()
        return None

    with remote(legacy(more)) as server, connected(server.row) as child:
        slow = child.call("t")
        slow.heard()
        child.link.cancel(slow.errand, "enough")
        assert told.wait(SECONDS)
        (asked,) = seen(server, "notifications/cancelled")
        assert asked.message["params"] == {"requestId": slow.errand.id, "reason": "enough"}
        assert slow.ends == []


def test_a_handshake_that_is_answered_by_an_event_begins_a_session_too():
    def more(asked, peer):
        if asked.what == "initialize":
            peer.send(opening(Mcp_Session_Id="by-event") + event({"id": asked.message["id"], "result": LEGACY}))
            return TAKEN
        return result(asked, {}) if asked.what == "tools/call" else None

    with remote(legacy(more)) as server, connected(server.row) as child:
        assert child.call("t").result == {}
        assert seen(server, "tools/call")[0].headers["mcp-session-id"] == "by-event"
        assert seen(server, "notifications/initialized")[0].headers["mcp-session-id"] == "by-event"
