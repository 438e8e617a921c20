"""2026-07-28 over HTTP: headers that repeat the body, statuses, streams, and what a lost connection means."""

from __future__ import annotations

import base64
import json
import time

import pytest

from tests.asgi_servers import SERVERS
from tests.http_client import META, MODERN, call, modern, request

from .http_behaviour import guarded_server

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LEVEL = "io.modelcontextprotocol/logLevel"
HEADER_MISMATCH = -32020


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return guarded_server(tmp_path_factory.mktemp("modern"))


@pytest.fixture(scope="module", params=SERVERS)
def server(argv, request):
    with request.param(argv) as running:
        yield running


def sent(server, message, extra=None, **meta):
    whole, headers = modern(message, **meta)
    return server.post(whole, {**headers, **(extra or {})})


@pytest.mark.requirement("R084", "R085")
def test_a_call_is_answered_with_json_and_without_a_session(server):
    answer = sent(server, call(3, "add", {"a": 1, "b": 2}), {"Mcp-Session-Id": "anything"})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert "mcp-session-id" not in answer.headers
    result = answer.json["result"]
    assert (answer.json["id"], result["resultType"], result["structuredContent"]) == (3, "complete", {"result": 3})


@pytest.mark.requirement("R010", "R086")
def test_discover_says_versions_and_the_handshake_is_there_too(server):
    result = sent(server, request("d", "server/discover")).json["result"]
    assert result["supportedVersions"] == [MODERN]
    assert server.session()["Mcp-Session-Id"]


@pytest.mark.requirement("R011")
def test_an_unsupported_version_is_an_error_that_names_the_supported_ones(server):
    message = {**request(1, "tools/list"), "params": {"_meta": {**META, VERSION: "v999.0.0"}}}
    answer = server.post(message, {"MCP-Protocol-Version": "v999.0.0", "Mcp-Method": "tools/list"})
    assert (answer.status, answer.code) == (400, -32022)
    assert answer.json["error"]["data"] == {"supported": [MODERN], "requested": "v999.0.0"}


@pytest.mark.requirement("R089", "R091")
@pytest.mark.parametrize(
    "headers",
    [
        {"MCP-Protocol-Version": None},
        {"MCP-Protocol-Version": "2025-11-25"},
        {"Mcp-Method": None},
        {"Mcp-Method": "tools/list"},
        {"Mcp-Method": "TOOLS/CALL"},
        {"Mcp-Name": None},
        {"Mcp-Name": "nap"},
        {"Mcp-Name": "add\r\nMcp-Name: add"},
    ],
)
def test_a_header_that_does_not_say_what_the_body_says_is_refused(server, headers):
    answer = sent(server, call(4, "add", {"a": 1, "b": 2}), headers)
    assert (answer.status, answer.code, answer.json["id"]) == (400, HEADER_MISMATCH, 4)
    assert next(iter(headers)).lower() in answer.json["error"]["message"]


@pytest.mark.requirement("R091")
def test_a_mismatch_names_the_header_and_both_values(server):
    answer = sent(server, call(4, "add"), {"Mcp-Name": "nap"})
    assert answer.json["error"]["message"] == "Header mismatch: mcp-name says nap, the body says add"


def test_header_names_in_any_case_and_spaces_around_values_are_fine(server):
    whole, headers = modern(call(1, "add", {"a": 1, "b": 2}))
    loud = {name.upper(): f"  {value}\t" for name, value in headers.items()}
    assert server.post(whole, loud).status == 200


def sentinel(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@pytest.mark.requirement("R092")
@pytest.mark.parametrize(
    ("value", "status"),
    [
        (sentinel("add"), 200),
        ("=?base64?YWRk?=", 200),
        ("=?base64?YWR?=", 400),
        ("=?base64?YWRk\x80?=", 400),
        ("=?base64?YWRk ?=", 400),
        ("=?base64?!!!!?=", 400),
        ("=?base64?_w==?=", 400),
        ("=?base64?/w==?=", 400),
        ("=?BASE64?YWRk?=", 400),
        ("=?base64?YWRk", 400),
        ("YWRk?=", 400),
        ("ädd", 400),
    ],
)
def test_a_name_in_base64_is_decoded_strictly(server, value, status):
    answer = sent(server, call(5, "add", {"a": 1, "b": 2}), {"Mcp-Name": value})
    assert answer.status == status
    assert answer.code == (None if status == 200 else HEADER_MISMATCH)


@pytest.mark.parametrize(
    ("arguments", "headers", "good"),
    [
        ({"region": "eu"}, {"Mcp-Param-Region": "eu"}, True),
        ({"region": "eu"}, {"Mcp-Param-Region": "us"}, False),
        ({"region": "eu"}, {}, False),
        ({}, {"Mcp-Param-Region": "eu"}, False),
        ({"region": None}, {"Mcp-Param-Region": "eu"}, False),
        ({}, {}, True),
        ({"region": "é"}, {"Mcp-Param-Region": sentinel("é")}, True),
        ({"region": "é"}, {"Mcp-Param-Region": "é"}, False),
        ({"region": "YWI="}, {"Mcp-Param-Region": "YWI="}, True),
        ({"size": 42}, {"Mcp-Param-Size": "42"}, True),
        ({"size": 42}, {"Mcp-Param-Size": "42.0"}, True),
        ({"size": 42}, {"Mcp-Param-Size": "43"}, False),
        ({"size": -1}, {"Mcp-Param-Size": "-1"}, True),
        ({"size": 42}, {"Mcp-Param-Size": "4e1"}, False),
        ({"size": 42}, {"Mcp-Param-Size": "4_2"}, False),
        ({"deep": True}, {"Mcp-Param-Deep": "true"}, True),
        ({"deep": True}, {"Mcp-Param-Deep": "1"}, False),
        ({"region": "eu"}, {"Mcp-Param-Region": "eu\r\nMcp-Param-Region: eu"}, False),
    ],
)
def test_marked_arguments_are_repeated_in_headers(server, arguments, headers, good):
    answer = sent(server, call(6, "placed", arguments), headers)
    assert (answer.status, answer.code) == ((200, None) if good else (400, HEADER_MISMATCH))


def test_arguments_as_one_text_cannot_say_something_else_than_the_headers(server):
    message, headers = modern(call(6, "placed"))
    message["params"]["arguments"] = json.dumps({"region": "eu"})
    assert server.post(message, {**headers, "Mcp-Param-Region": "us"}).code == HEADER_MISMATCH
    assert server.post(message, {**headers, "Mcp-Param-Region": "eu"}).code is None


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (request(1, "initialize"), -32601),
        (request(1, "ping"), -32601),
        (request(1, "no/such"), -32601),
        (call(1, "nothing"), -32602),
        (request(1, "tools/list", {"cursor": "%%%"}), -32602),
    ],
)
def test_errors_have_the_status_of_their_code_and_the_id(server, message, code):
    answer = sent(server, message)
    assert (answer.status, answer.code, answer.json["id"]) == (404 if code == -32601 else 400, code, 1)


@pytest.mark.parametrize(
    "params", [None, [], {}, {"_meta": None}, {"_meta": {VERSION: MODERN}}, {"_meta": {CAPABILITIES: {}}}]
)
def test_a_request_without_its_metadata_is_refused(server, params):
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
    message = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": params}
    answer = server.post(message, headers)
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32602, 2)


@pytest.mark.parametrize(
    "odd",
    [
        {LEVEL: "loud"},
        {LEVEL: None},
        {"io.modelcontextprotocol/clientInfo": "me"},
        {"progressToken": None},
        {"progressToken": 1.5},
    ],
)
def test_metadata_that_the_schema_has_otherwise_is_refused(server, odd):
    answer = sent(server, request(1, "tools/list"), **odd)
    assert (answer.status, answer.code) == (400, -32602)


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"{nope", -32700), (b"", -32700), (b"[]", -32600), (b"7", -32600), (b'{"jsonrpc":"2.0","id":1}', -32600)],
)
def test_what_is_no_request_gets_an_error_without_an_id_that_was_not_read(server, body, code):
    answer = server.post(body, {"MCP-Protocol-Version": MODERN})
    assert (answer.status, answer.code) == (400, code)
    assert answer.json.get("id", "none") == (1 if b'"id":1' in body else "none")


@pytest.mark.parametrize("number", [None, True, 1.5, {}])
def test_an_id_that_is_none_is_refused(server, number):
    whole, headers = modern(request(1, "tools/list"))
    answer = server.post({**whole, "id": number}, headers)
    assert (answer.status, answer.code, "id" in answer.json) == (400, -32600, False)


def test_a_notification_is_accepted(server):
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    answer = server.post(cancelled, {"MCP-Protocol-Version": MODERN})
    assert (answer.status, answer.body) == (202, b"")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
def test_only_post_is_there(server, method):
    answer = server.get("/mcp", {"MCP-Protocol-Version": MODERN, "Mcp-Session-Id": "x"}, method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert answer.json["error"] == "method_not_allowed"


def test_a_notification_before_the_answer_makes_a_stream_that_ends_with_the_answer(server):
    whole, headers = modern(call(8, "chatty"), progressToken="p", **{LEVEL: "info"})
    with server.wire() as wire:
        wire.send(server.bytes_of(whole, headers))
        head = wire.head()
        assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
        assert head.headers["cache-control"] == "no-cache, no-transform"
        assert head.headers["x-accel-buffering"] == "no"
        events = [*wire.events()]
        assert [each.id for each in events] == [None] * 4
        methods = [each.json.get("method") for each in events]
        assert methods == ["notifications/message", "notifications/progress", "notifications/message", None]
        assert events[-1].json["result"]["content"][0]["text"] == "said"
        wire.send(server.bytes_of(*modern(request(9, "tools/list"))))  # the connection lives on
        assert wire.answer().json["id"] == 9


def test_nothing_is_streamed_that_was_not_asked_for_or_to_a_client_that_reads_no_streams(server):
    assert sent(server, call(8, "chatty")).headers["content-type"] == "application/json"
    quiet = sent(server, call(8, "chatty"), {"Accept": "application/json"}, **{LEVEL: "info"})
    assert quiet.headers["content-type"] == "application/json"


def test_a_client_that_reads_streams_only_gets_one(server):
    whole, headers = modern(call(8, "add", {"a": 1, "b": 1}))
    with server.wire() as wire:
        wire.send(server.bytes_of(whole, {**headers, "Accept": "text/event-stream"}))
        assert wire.head().headers["content-type"] == "text/event-stream"
        assert [each.json["id"] for each in wire.events()] == [8]


def logged(server, text):
    until = time.monotonic() + 10
    while text not in server.stderr and time.monotonic() < until:
        server.get("/health")
    return text in server.stderr


@pytest.mark.parametrize("tool", ["nap", "waits"])
def test_a_lost_connection_cancels_the_call(server, tool):
    number = f"lost-{tool}"
    whole, headers = modern(call(number, tool, {"seconds": 30}), **{LEVEL: "info"})
    with server.wire() as wire:
        wire.send(server.bytes_of(whole, headers))
        if tool == "waits":
            assert wire.head().headers["content-type"] == "text/event-stream"
    assert logged(server, f"id={number}")
    assert f"call {tool} failed" in server.stderr


def test_two_clients_may_use_the_same_id_at_once(server):
    whole, headers = modern(call(1, "nap", {"seconds": 0.3}))
    with server.wire() as first, server.wire() as second:
        for wire in (first, second):
            wire.send(server.bytes_of(whole, headers))
        assert [wire.answer().json["id"] for wire in (first, second)] == [1, 1]
