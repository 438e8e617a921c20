"""Changes over HTTP: a session's own stream, listen requests, and calls that let go of theirs."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.asgi_servers import SERVERS
from tests.http_client import LEGACY, HttpServer, Wire, call, modern, request

from .changing import changing_server

EVENTS = {"Accept": "text/event-stream"}
NOW = "changing://now"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
UPDATED = "notifications/resources/updated"
ALL = {
    "toolsListChanged": True,
    "promptsListChanged": True,
    "resourcesListChanged": True,
    "resourceSubscriptions": [NOW],
}


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return changing_server(tmp_path_factory.mktemp("changing"))


@pytest.fixture(scope="module", params=SERVERS)
def server(argv, request):
    with request.param(argv) as running:
        yield running


def listens(server, headers, last: str | None = None) -> Wire:
    """Open the session's own stream."""
    wire = server.wire()
    wire.send(server.head("GET", headers={**headers, **EVENTS, **({"Last-Event-ID": last} if last else {})}))
    head = wire.head()
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
    return wire


def listen(server, notifications, number="l", wire=None):
    """Send a listen request and return its connection and its events."""
    wire = wire or server.wire()
    message, headers = modern(request(number, "subscriptions/listen", {"notifications": notifications}))
    wire.send(server.bytes_of(message, headers))
    head = wire.head()
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
    assert head.headers["x-accel-buffering"] == "no"
    return wire, wire.events()


def change(server, *kinds):
    message, headers = modern(call(1, "change", {"kinds": [*kinds]}))
    assert server.post(message, headers).status == 200


def update(server, uri=NOW, **more):
    message, headers = modern(call(1, "update", {"uri": uri, **more}))
    assert server.post(message, headers).json["result"]["content"][0]["text"] == "told"


def methods(events, count):
    return [next(events).json["method"] for _ in range(count)]


# -- with a handshake


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


# -- without a handshake


@pytest.mark.requirement("R084", "R085")
def test_a_listen_request_is_acknowledged_first_and_brings_what_it_asked_for(server):
    wire, events = listen(server, {**ALL, "resourceSubscriptions": [NOW, "changing://nothing"]}, 7)
    with wire:
        acknowledged = next(events)
        assert acknowledged.id is None
        assert acknowledged.json["method"] == "notifications/subscriptions/acknowledged"
        assert acknowledged.json["params"] == {"_meta": {SUBSCRIPTION: 7}, "notifications": ALL}
        change(server, "tools", "prompts", "resources")
        update(server)
        update(server, "changing://one/1")
        change(server, "tools")
        told = [next(events).json for _ in range(5)]
    assert [each["method"].removeprefix("notifications/") for each in told] == [
        "tools/list_changed",
        "prompts/list_changed",
        "resources/list_changed",
        "resources/updated",
        "tools/list_changed",
    ]
    assert all(each["params"]["_meta"] == {SUBSCRIPTION: 7} for each in told)


def test_a_listen_request_brings_no_log_and_no_progress(server):
    message, headers = modern(
        request(1, "subscriptions/listen", {"notifications": {"toolsListChanged": True}}),
        **{"io.modelcontextprotocol/logLevel": "debug", "progressToken": "p"},
    )
    with server.wire() as wire:
        wire.send(server.bytes_of(message, headers))
        wire.head()
        events = wire.events()
        next(events)
        spoken, spoken_headers = modern(
            call(2, "polls", {"first": True}), **{"io.modelcontextprotocol/logLevel": "debug"}
        )
        server.post(spoken, spoken_headers)
        change(server, "tools")
        assert methods(events, 1) == ["notifications/tools/list_changed"]


def test_nothing_comes_that_was_not_asked_for(server):
    wire, events = listen(server, {"promptsListChanged": True})
    with wire:
        next(events)
        change(server, "tools", "resources", "prompts")
        assert methods(events, 1) == ["notifications/prompts/list_changed"]


def test_the_methods_of_the_other_era_are_unknown(server):
    for method, params in (("resources/subscribe", {"uri": NOW}), ("resources/unsubscribe", {"uri": NOW})):
        message, headers = modern(request(1, method, params))
        answer = server.post(message, {name: value for name, value in headers.items() if name != "Mcp-Name"})
        assert (answer.status, answer.code) == (404, -32601)
    answer = server.post(request(1, "subscriptions/listen", {"notifications": {}}), server.session())
    assert (answer.status, answer.code) == (200, -32601)


def test_a_listen_request_that_is_wrong_is_refused_with_a_status(server):
    message, headers = modern(request("x", "subscriptions/listen", {"notifications": {"toolsListChanged": "yes"}}))
    answer = server.post(message, headers)
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32602, "x")
    message, headers = modern(request("x", "subscriptions/listen", {"notifications": {}}))
    answer = server.post(message, {**headers, "Accept": "application/json"})
    assert (answer.status, answer.code, answer.json["id"]) == (406, -32600, "x")


def test_a_client_that_goes_is_forgotten(argv):
    with HttpServer(argv) as server:
        for _ in range(40):
            wire, events = listen(server, ALL)
            next(events)
            wire.close()
        wire, events = listen(server, ALL)
        with wire:
            next(events)
            change(server, "tools")
            assert methods(events, 1) == ["notifications/tools/list_changed"]


def test_many_listen_at_once_and_one_too_many_is_told_to_come_back(argv):
    with HttpServer(argv) as server:
        wires = [listen(server, ALL, number) for number in range(500)]
        for _, events in wires:
            next(events)
        message, headers = modern(request("x", "subscriptions/listen", {"notifications": {}}))
        answer = server.post(message, headers)
        assert (answer.status, answer.json["error"]["data"]) == (503, {"reason": "too_many_subscriptions"})
        assert answer.headers["retry-after"]
        change(server, "tools")
        for number, (_, events) in enumerate(wires):
            assert next(events).json["params"]["_meta"] == {SUBSCRIPTION: number}
        for wire, _ in wires[:10]:
            wire.close()
        until = time.monotonic() + 20
        while server.post(message, {**headers, "Accept": "application/json"}).status == 503:
            assert time.monotonic() < until
        for wire, _ in wires:
            wire.close()


def test_a_server_that_stops_answers_those_who_listen(argv):
    with HttpServer(argv) as server:
        wire, events = listen(server, ALL, "last")
        session = listens(server, server.session())
        with wire, session:
            next(events)
            its = session.events()
            next(its)
            server.stop()
            (answer,) = events
            assert [*its] == []
        assert answer.json["id"] == "last"
        assert answer.json["result"]["resultType"] == "complete"
        assert answer.json["result"]["_meta"][SUBSCRIPTION] == "last"


def memory_of(server) -> int:
    """Return the kilobytes a server takes."""
    with Path(f"/proc/{server.process.pid}/status").open(encoding="ascii") as status:
        return int(next(line.split()[1] for line in status if line.startswith("VmRSS")))


@pytest.mark.parametrize("era", [LEGACY, "2026-07-28"])
def test_a_client_that_does_not_read_is_left_behind_and_costs_nothing(argv, era):
    uris = [f"changing://one/{number}" for number in range(256)]
    with HttpServer(argv) as server:
        slow = server.wire()
        if era == LEGACY:
            headers = server.session()
            for uri in uris:
                assert server.post(request(1, "resources/subscribe", {"uri": uri}), headers).json["result"] == {}
            slow.send(server.head("GET", headers={**headers, **EVENTS}))
            slow.head()
        else:
            listen(server, {"resourceSubscriptions": uris}, wire=slow)
        message, headers = modern(call(1, "flood"))
        server.post(message, headers)
        before = memory_of(server)
        for _ in range(300):  # 10 MB of notifications, more than the system keeps for anybody
            server.post(message, headers)
        assert memory_of(server) - before < 4_000
        with slow, pytest.raises((EOFError, ConnectionError)):  # it was dropped, in the midst of its stream
            [*slow.events()]
        wire, events = listen(server, {"resourceSubscriptions": uris[:1]})
        with wire:
            next(events)
            update(server, uris[0])
            assert methods(events, 1) == [UPDATED]
