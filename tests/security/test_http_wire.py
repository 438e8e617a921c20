"""The wire cases of the attack corpus as bodies of POSTs: the same codes as over stdio, and each line is answered."""

from __future__ import annotations

import json
import sys

import pytest

from tests.asgi_servers import SERVERS
from tests.http_client import MODERN, request
from tests.stdio_client import stub

from .conftest import ATTACKS
from .test_wire import RAW, RESULT, WIRE

ONLY_BY_HEADER = {"modern-discover"}
"""Lines of the era that asks for headers, which lines have not; one lacks metadata too, and that comes first."""

STATUSES = {200, 202, 400, 404}


@pytest.fixture(scope="module", params=SERVERS)
def server(echo_project, request):
    with request.param(stub(echo_project, sys.executable)) as running:
        yield running
        assert "Traceback" not in running.stderr


def posted(server, name, folder="wire"):
    """Post each line of a case in a session of its own; return codes by id, and of answers without one."""
    headers, codes, nameless = {}, {}, []
    for line in (ATTACKS / folder / f"{name}.jsonl").read_bytes().split(b"\n"):
        if not line.strip():
            continue
        answer = server.post(line, headers)
        assert answer.status in STATUSES
        if answer.status == 202:
            assert answer.body == b""
            continue
        if "mcp-session-id" in answer.headers and not headers:
            headers = {"Mcp-Session-Id": answer.headers["mcp-session-id"]}
        message = answer.json
        code = message.get("error", {}).get("code")
        if message.get("id") is None:
            nameless.append(code)
        else:
            assert message["id"] not in codes
            codes[message["id"]] = code
    return codes, nameless


@pytest.mark.parametrize("name", sorted(WIRE.keys() - ONLY_BY_HEADER))
def test_a_hostile_body_is_answered_as_a_hostile_line_is(server, name):
    codes, nameless = WIRE[name]
    assert posted(server, name) == ({0: RESULT, "alive": RESULT, **codes}, nameless)


@pytest.mark.parametrize("name", sorted(RAW))
def test_a_stream_that_ends_oddly_is_answered_as_bodies_are(server, name):
    assert posted(server, name, "wire-raw") == RAW[name]


def test_no_body_is_no_message(server):
    assert (server.post(b"").status, server.post(b"").code) == (400, -32700)


def test_lines_of_the_other_era_are_mismatches_without_their_headers(server):
    codes, nameless = posted(server, "modern-discover")
    assert (codes, nameless) == ({0: RESULT, "d": -32020, "u": -32602, "alive": RESULT}, [])


@pytest.mark.parametrize("name", sorted(WIRE))
def test_no_body_is_too_hostile_for_the_other_era(server, name):
    for line in (ATTACKS / "wire" / f"{name}.jsonl").read_bytes().split(b"\n"):
        answer = server.post(line, {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "echo"})
        assert answer.status in STATUSES
        if answer.body:
            assert json.loads(answer.body)["jsonrpc"] == "2.0"
    assert server.post(request(1, "ping")).json["result"] == {}
