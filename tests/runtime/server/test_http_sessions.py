"""Revisions with a handshake over HTTP: sessions, streams that are resumed, batches, and requests without a session."""

from __future__ import annotations

import pytest

from tests.asgi_servers import SERVERS
from tests.http_client import LEGACY, call, initialize, modern, request

from .http_behaviour import guarded_server

EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return guarded_server(tmp_path_factory.mktemp("sessions"))


@pytest.fixture(scope="module", params=SERVERS)
def server(argv, request):
    with request.param(argv) as running:
        yield running


@pytest.mark.requirement("R013", "R088")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_handshake_opens_a_session_in_its_revision(server, version):
    answer = server.post(initialize(version))
    assert answer.json["result"]["protocolVersion"] == version
    session = answer.headers["mcp-session-id"]
    assert len(session) > 40
    assert all("!" <= char <= "~" for char in session)
    headers = {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}  # whatever was negotiated
    result = server.post(call(1, "add", {"a": 1, "b": 1}), headers).json["result"]
    assert ("structuredContent" in result) == (version >= "2025-06-18")


@pytest.mark.parametrize("asked", ["1999-01-01", "2026-07-28", None])
def test_a_handshake_with_another_version_is_answered_with_the_latest(server, asked):
    answer = server.post(request(0, "initialize", {"protocolVersion": asked}))
    assert answer.json["result"]["protocolVersion"] == LEGACY


def test_a_session_ends_with_delete(server):
    headers = server.session()
    assert server.post(request(1, "ping"), headers).status == 200
    assert server.get("/mcp", headers, method="DELETE").status == 200
    gone = server.post(request(2, "ping"), headers)
    assert (gone.status, gone.json["id"]) == (404, 2)
    assert server.get("/mcp", {**headers, **EVENTS}).status == 404
    assert server.get("/mcp", headers, method="DELETE").status == 404


@pytest.mark.requirement("R087")
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_get_and_delete_of_an_unknown_revision_are_refused_and_the_session_lives(server, method):
    headers = server.session()
    unknown = {**headers, **EVENTS, "MCP-Protocol-Version": "1999-01-01"}
    assert server.get("/mcp", unknown, method=method).status == 400
    with server.wire() as wire:
        head = server.head(method, "/mcp", {**headers, **EVENTS})
        wire.send(head[:-2] + f"Mcp-Session-Id: {headers['Mcp-Session-Id']}\r\n\r\n".encode())
        assert wire.answer().status == 400
    assert server.post(request(1, "ping"), headers).status == 200


def test_an_unknown_session_is_not_found(server):
    assert server.post(request(1, "ping"), {"Mcp-Session-Id": "nope"}).status == 404


@pytest.mark.requirement("R012", "R087", "R090")
def test_a_request_without_a_session_is_served(server):
    answer = server.post(call(1, "add", {"a": 2, "b": 2}))
    assert answer.json["result"]["structuredContent"] == {"result": 4}
    assert "mcp-session-id" not in answer.headers
    old = server.post(call(1, "add", {"a": 2, "b": 2}), {"MCP-Protocol-Version": "2024-11-05"})
    assert "structuredContent" not in old.json["result"]


@pytest.mark.parametrize("session", [True, False])
def test_an_unknown_version_in_the_header_is_refused(server, session):
    headers = {**(server.session() if session else {}), "MCP-Protocol-Version": "1900-01-01"}
    answer = server.post(request(3, "ping"), headers)
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32022, 3)


def test_errors_of_requests_that_were_understood_come_with_200(server):
    headers = server.session()
    assert [(answer.status, answer.code) for answer in (
        server.post(request(1, "no/such"), headers),
        server.post(call(1, "nothing"), headers),
    )] == [(200, -32601), (200, -32602)]  # fmt: skip


def test_notifications_and_answers_are_accepted(server):
    headers = server.session()
    for message in (
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "no"}},
    ):
        answer = server.post(message, headers)
        assert (answer.status, answer.body) == (202, b"")


def test_the_log_level_belongs_to_the_session(server):
    quiet, loud = server.session(), server.session()
    assert server.post(request(1, "logging/setLevel", {"level": "error"}), quiet).json["result"] == {}
    assert server.post(call(2, "chatty"), quiet).headers["content-type"] == "application/json"
    assert server.post(call(2, "chatty"), loud).headers["content-type"] == "text/event-stream"


# -- batches


def test_a_batch_is_answered_by_an_array_where_the_revision_has_them(server):
    headers = server.session("2025-03-26")
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = server.post([request(1, "ping"), call(2, "add", {"a": 1, "b": 2}), note, request(3, "nope")], headers)
    assert answer.status == 200
    assert sorted(each["id"] for each in answer.json) == [1, 2, 3]
    assert server.post([note, note], headers).status == 202
    assert len(server.post([request(1, "ping")], {"MCP-Protocol-Version": "2025-03-26"}).json) == 1


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_other_revisions_have_none(server, version):
    answer = server.post([request(1, "ping")], server.session(version))
    assert (answer.status, answer.code) == (400, -32600)


def test_an_array_in_the_other_era_is_no_request(server):
    whole, headers = modern(request(1, "tools/list"))
    answer = server.post([whole], headers)
    assert (answer.status, answer.code) == (400, -32600)


# -- streams


def test_a_stream_begins_with_an_event_to_resume_from_where_the_revision_knows_it(server):
    for version, primed in (("2025-11-25", True), ("2025-06-18", False)):
        with server.wire() as wire:
            wire.send(server.bytes_of(call(1, "chatty"), server.session(version)))
            assert wire.head().headers["content-type"] == "text/event-stream"
            events = [*wire.events()]
            assert (events[0].data == "" and events[0].retry is not None) == primed
            assert all(each.id for each in events)
            assert len({each.id for each in events}) == len(events)
            assert events[-1].json["id"] == 1


def test_a_lost_stream_goes_on_and_is_resumed_where_it_was_left(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.bytes_of(call(5, "waits", {"seconds": 0.5}), headers))
        wire.head()
        events = wire.events()
        prime, begun = next(events), next(events)
        assert begun.json["params"]["data"] == "begun"
    with server.wire() as wire:
        wire.send(server.head("GET", headers={**headers, **EVENTS, "Last-Event-ID": prime.id}))
        assert wire.head().status == 200
        seen = [*wire.events()]
    assert [each.json.get("params", {}).get("data") for each in seen] == ["begun", "ended", None]
    assert seen[-1].json["result"]["content"][0]["text"] == "waited"
    with server.wire() as wire:  # and once more, from another place, after its end
        wire.send(server.head("GET", headers={**headers, **EVENTS, "Last-Event-ID": seen[0].id}))
        wire.head()
        assert [each.id for each in wire.events()] == [each.id for each in seen[1:]]


def test_a_lost_connection_is_no_cancellation_but_the_notification_is(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.bytes_of(call("kept", "waits", {"seconds": 0.3}), headers))
        wire.head()
        resume = next(wire.events()).id
    with server.wire() as wire:
        wire.send(server.head("GET", headers={**headers, **EVENTS, "Last-Event-ID": resume}))
        wire.head()
        assert [*wire.events()][-1].json["id"] == "kept"
    with server.wire() as wire:
        wire.send(server.bytes_of(call("given up", "waits", {"seconds": 30}), headers))
        wire.head()
        events = wire.events()
        assert next(events).data == ""
        assert next(events).json["params"]["data"] == "begun"
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "given up"}}
        assert server.post(cancelled, headers).status == 202
        assert [*events] == []  # the stream ends without an answer


def test_a_call_that_is_cancelled_before_anything_was_sent_ends_its_request(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.bytes_of(call("c", "nap", {"seconds": 30}), headers))
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "c"}}
        while server.post(cancelled, headers).status == 202:
            wire._socket.settimeout(0.2)
            try:
                assert wire.answer().status == 202
                break
            except TimeoutError:  # the call had not begun when it was cancelled
                continue


def test_get_opens_a_stream_that_stays_open_until_the_session_ends(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.head("GET", headers={**headers, **EVENTS}))
        assert wire.head().headers["content-type"] == "text/event-stream"
        events = wire.events()
        assert next(events).data == ""
        assert server.get("/mcp", headers, method="DELETE").status == 200
        assert [*events] == []


def test_get_without_a_session_or_for_a_client_that_reads_no_stream_is_refused(server):
    assert server.get("/mcp", EVENTS).status == 405
    assert server.get("/mcp", {**server.session(), "Accept": "application/json"}).status == 406


def test_the_same_id_in_two_sessions_is_two_calls(server):
    wires = [server.wire(), server.wire()]
    for wire in wires:
        wire.send(server.bytes_of(call(1, "nap", {"seconds": 0.3}), server.session()))
    for wire in wires:
        assert wire.answer().json["result"]["content"][0]["text"] == "rested"
        wire.close()


def test_the_same_id_twice_in_a_session_is_refused_while_the_first_runs(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, "waits", {"seconds": 1}), headers))
        wire.head()
        assert server.post(call(1, "add", {"a": 1, "b": 1}), headers).code == -32600
