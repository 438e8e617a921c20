"""Changes over HTTP, without a handshake: `subscriptions/listen`."""

from __future__ import annotations

import time

import pytest

from tests.asgi_servers import SERVERS
from tests.http_client import LEGACY, HttpServer, call, modern, request

from .changing import (
    ALL,
    EVENTS,
    NOW,
    SUBSCRIPTION,
    UPDATED,
    change,
    changing_server,
    listen,
    listens,
    memory_of,
    methods,
    update,
)


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return changing_server(tmp_path_factory.mktemp("changing"))


@pytest.fixture(scope="module", params=SERVERS)
def server(argv, request):
    with request.param(argv) as running:
        yield running


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


def test_worker_processes_tell_of_changes_and_let_go_of_streams_too(argv):
    with HttpServer(argv, "--workers", "2") as server:
        wire, events = listen(server, ALL, 7)
        headers = server.session()
        server.post(request(1, "resources/subscribe", {"uri": NOW}), headers)
        stream = listens(server, headers)
        with wire, stream:
            next(events)
            told = stream.events()
            next(told)
            change(server, "tools")
            server.post(call(2, "later", {"uri": NOW}), headers)
            assert methods(events, 2) == methods(told, 2) == ["notifications/tools/list_changed", UPDATED]
        with server.wire() as wire:
            wire.send(server.bytes_of(call("p", "polls"), headers))
            wire.head()
            (prime,) = wire.events()
            wire.send(server.head("GET", headers={**headers, **EVENTS, "Last-Event-ID": prime.id}))
            wire.head()
            assert [*wire.events()][-1].json["id"] == "p"


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
        before = memory_of(server.process)
        for _ in range(300):  # 10 MB of notifications, more than the system keeps for anybody
            server.post(message, headers)
        assert memory_of(server.process) - before < 4_000
        with slow, pytest.raises((EOFError, ConnectionError)):  # it was dropped, in the midst of its stream
            [*slow.events()]
        wire, events = listen(server, {"resourceSubscriptions": uris[:1]})
        with wire:
            next(events)
            update(server, uris[0])
            assert methods(events, 1) == [UPDATED]
