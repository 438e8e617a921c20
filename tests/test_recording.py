"""The recorder itself: it hears servers over pipes and connections, and knows a message that no schema has."""

from __future__ import annotations

import json
import sys

import pytest

from tests import official_schema, recording
from tests.command import ROOT, built
from tests.conversation import Conversation
from tests.http_client import HttpServer, call, modern, request
from tests.stdio_client import StdioServer, stub

MODERN_META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}

pytestmark = pytest.mark.skipif(
    not official_schema.is_there(), reason="needs the official schemas of the `shared` folder (or MCPGEN_SHARED)"
)


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recording")
    return stub(built(folder, "weather", ROOT / "samples" / "weather" / "weather.py"), sys.executable)


def lines(*messages: dict) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


@pytest.mark.parametrize(
    ("asked", "answered", "complaint"),
    [
        (request(1, "tools/list"), {"id": 1, "result": {"tools": [{"name": "a"}]}}, "inputSchema"),
        (request(1, "tools/list"), {"id": 1, "result": {}}, "ListToolsResult of 2025-11-25"),
        (request(1, "ping"), {"id": 1, "error": {"code": "x", "message": "y"}}, "JSONRPCErrorResponse"),
        (request(1, "ping"), {"id": 1}, "neither"),
        (request(1, "ping"), {"method": "notifications/progress", "params": {}}, "ProgressNotification"),
        (request(1, "ping"), {"method": "notifications/other"}, "no method"),
        (request(1, "tools/list", {"_meta": MODERN_META}), {"id": 1, "result": {"tools": []}}, "of 2026-07-28"),
        (request(1, "server/discover"), {"id": 1, "error": {"code": -32022, "message": "x"}}, "UnsupportedProtocol"),
    ],
)
def test_what_no_schema_has_is_found(asked, answered, complaint):
    talk = Conversation()
    talk.sent(lines(asked))
    talk.received(lines({"jsonrpc": "2.0", **answered}))
    assert len(talk.found) == 1
    assert complaint in talk.found[0]


def test_the_revision_of_the_handshake_decides():
    for version, good in (("2024-11-05", True), ("2025-06-18", False)):
        talk = Conversation()
        talk.sent(lines(request(0, "initialize"), request(1, "tools/call")))
        server = {"name": "s", "version": "1"}
        shaken = {"protocolVersion": version, "capabilities": {}, "serverInfo": server}
        result = {"content": [], "structuredContent": "text"}  # unknown to the first, an object in the second
        talk.received(
            lines({"jsonrpc": "2.0", "id": 0, "result": shaken}, {"jsonrpc": "2.0", "id": 1, "result": result})
        )
        assert (talk.found == []) is good


def test_servers_are_heard_over_pipes_and_connections(argv):
    before = recording.checked["messages"]
    with StdioServer(argv) as server:
        server.initialize()
        server.tools()
    over_pipes = recording.checked["messages"]
    assert over_pipes == before + 2
    with HttpServer(argv) as server:
        server.session()
        server.post(*modern(call(1, "stations")))
    assert recording.checked["messages"] == over_pipes + 2
    assert recording.take() == []
