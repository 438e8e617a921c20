"""Changes over HTTP, with a handshake: a session's own stream, and calls that let go of theirs."""

from __future__ import annotations

import json
import time

import pytest

from tests.asgi_servers import SERVERS
from tests.http_client import call, modern, request

from .changing import EVENTS, NOW, UPDATED, change, changing_server, listens, methods, update


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return changing_server(tmp_path_factory.mktemp("changing"))


@pytest.fixture(scope="module", params=SERVERS)
def server(argv, request):
    with request.param(argv) as running:
        yield running


@pytest.mark.requirement("R021")
def test_a_session_is_told_on_the_stream_that_its_client_opened(server):
    headers = server.session()
    assert server.post(request(1, "resources/subscribe", {"uri": NOW}), headers).json["result"] == {}
    with listens(server, headers) as wire:
        events = wire.events()
        prime = next(events)
        assert (prime.data, prime.retry is not None) == ("", True)
        change(server, "tools")
        assert next(events).json == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        server.post(call(2, "update", {"uri": NOW}), headers)
        updated = next(events)
        assert updated.json["params"] == {"uri": NOW}
        assert updated.id > prime.id


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_older_revisions_are_told_without_an_event_to_resume_from(server, version):
    headers = server.session(version)
    with listens(server, headers) as wire:
        change(server, "prompts")
        first = next(wire.events())
        assert first.json["method"] == "notifications/prompts/list_changed"
        assert first.id


def test_what_came_while_nobody_listened_waits_each_change_once(server):
    headers = server.session()
    server.post(request(1, "resources/subscribe", {"uri": NOW}), headers)
    for _ in range(3):
        change(server, "tools", "resources")
        update(server)
    change(server, "prompts")
    with listens(server, headers) as wire:
        events = wire.events()
        assert next(events).data == ""
        waiting = ["tools/list_changed", "resources/list_changed", "resources/updated", "prompts/list_changed"]
        assert methods(events, 4) == [f"notifications/{each}" for each in waiting]
        update(server)
        assert methods(events, 1) == [UPDATED]


def test_a_stream_is_resumed_behind_the_event_that_came_last(server):
    headers = server.session()
    with listens(server, headers) as wire:
        events = wire.events()
        next(events)
        change(server, "tools", "prompts")
        first, second = next(events), next(events)
    change(server, "resources")
    with listens(server, headers, last=first.id) as wire:
        events = wire.events()
        next(events)
        assert [next(events).id, next(events).json["method"]] == [second.id, "notifications/resources/list_changed"]
    with listens(server, headers, last="0-999999") as wire:
        events = wire.events()
        next(events)
        change(server, "tools")
        assert methods(events, 1) == ["notifications/tools/list_changed"]


def test_who_resumes_what_is_not_there_any_more_hears_of_changes(server):
    headers = server.session()
    with listens(server, headers, last="99-7") as wire:
        events = wire.events()
        next(events)
        change(server, "tools")
        assert methods(events, 1) == ["notifications/tools/list_changed"]


def test_a_resource_nobody_subscribes_to_any_more_is_not_told(server):
    headers = server.session()
    server.post(request(1, "resources/subscribe", {"uri": NOW}), headers)
    update(server)
    assert server.post(request(2, "resources/unsubscribe", {"uri": NOW}), headers).json["result"] == {}
    update(server)
    change(server, "tools")
    with listens(server, headers) as wire:
        events = wire.events()
        next(events)
        assert methods(events, 1) == ["notifications/tools/list_changed"]


def test_of_several_streams_the_latest_is_told_and_the_one_before_when_it_goes(server):
    headers = server.session()
    with listens(server, headers) as older:
        before = older.events()
        next(before)
        with listens(server, headers) as newer:
            events = newer.events()
            next(events)
            change(server, "tools")
            assert methods(events, 1) == ["notifications/tools/list_changed"]
            newer.end_input()
            assert newer.is_closed()
        change(server, "prompts")
        assert methods(before, 1) == ["notifications/prompts/list_changed"]


def test_sessions_are_told_apart_and_end_with_their_streams(server):
    one, other = server.session(), server.session()
    server.post(request(1, "resources/subscribe", {"uri": NOW}), one)
    with listens(server, one) as wire, listens(server, other) as second:
        events, others = wire.events(), second.events()
        next(events)
        next(others)
        update(server)
        change(server, "tools")
        assert methods(events, 2) == [UPDATED, "notifications/tools/list_changed"]
        assert methods(others, 1) == ["notifications/tools/list_changed"]
        assert server.get("/mcp", one, method="DELETE").status == 200
        assert [*events] == []
        change(server, "tools")
        assert methods(others, 1) == ["notifications/tools/list_changed"]


def test_a_request_without_a_session_cannot_subscribe(server):
    answer = server.post(request(1, "resources/subscribe", {"uri": NOW}))
    assert answer.json["error"]["code"] == -32600


def test_a_change_is_told_after_the_call_that_made_it_too(server):
    headers = server.session()
    server.post(request(1, "resources/subscribe", {"uri": NOW}), headers)
    with listens(server, headers) as wire:
        events = wire.events()
        next(events)
        assert server.post(call(2, "later", {"uri": NOW}), headers).json["result"]["content"][0]["text"] == "soon"
        assert methods(events, 1) == [UPDATED]


def test_what_is_no_uri_is_the_tools_own_mistake(server):
    result = server.post(call(1, "wrong")).json["result"]
    assert result["isError"]
    assert "TypeError" in result["content"][0]["text"]


# -- calls that let go of their stream


@pytest.mark.parametrize("first", [False, True])
def test_a_call_lets_go_of_its_stream_and_its_client_comes_back_for_the_rest(server, first):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.bytes_of(call("p", "polls", {"first": first}), headers))
        assert wire.head().headers["content-type"] == "text/event-stream"
        begun = [*wire.events()]  # it ends without an answer
        assert begun[0].data == ""
        assert begun[0].retry is not None
        assert [each.json["params"]["data"] for each in begun[1:]] == ["before"] * first
        wire.send(server.head("GET", headers={**headers, **EVENTS, "Last-Event-ID": begun[-1].id}))  # the same one
        assert wire.head().status == 200
        rest = [*wire.events()]
    assert [each.json.get("params", {}).get("data") for each in rest] == ["meanwhile 0", None]
    assert rest[-1].json["result"]["content"][0]["text"] == "polled"


def test_a_client_that_comes_back_may_be_sent_away_again(server):
    headers = server.session()
    seen, last = [], None
    for _ in range(20):
        with server.wire() as wire:
            if last is None:
                wire.send(server.bytes_of(call("p", "polls", {"times": 3}), headers))
            else:
                wire.send(server.head("GET", headers={**headers, **EVENTS, "Last-Event-ID": last}))
            wire.head()
            for each in wire.events():
                last = each.id or last
                seen += [each.json] if each.data else []
        if seen and "result" in seen[-1]:
            break
    assert [each["params"]["data"] for each in seen[:-1]] == [f"meanwhile {number}" for number in range(3)]
    assert seen[-1]["id"] == "p"


def test_an_answer_that_was_ready_before_its_client_came_back_waits(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.bytes_of(call("p", "polls"), headers))
        wire.head()
        (prime,) = wire.events()
    until = time.monotonic() + 20
    while server.post(call("q", "polls", {"times": 0}), headers).status != 200 and time.monotonic() < until:
        pass  # something that takes as long has been done since
    with listens(server, headers, last=prime.id) as wire:
        assert [*wire.events()][-1].json["id"] == "p"


@pytest.mark.parametrize("how", ["older", "alone", "modern", "json"])
def test_where_no_client_could_come_back_nothing_happens(server, how):
    message, headers = call("p", "polls"), {}
    if how == "older":
        headers = server.session("2025-06-18")
    elif how == "modern":
        message, headers = modern(message)
    elif how == "json":
        headers = {**server.session(), "Accept": "application/json"}
    with server.wire() as wire:
        wire.send(server.bytes_of(message, headers))
        head = wire.head()
        if head.headers["content-type"] == "text/event-stream":
            answer = [*wire.events()][-1].json
        else:
            answer = json.loads(wire._exactly(int(head.headers["content-length"])))
    assert answer["result"]["content"][0]["text"] == "polled"
