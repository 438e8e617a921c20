"""Servers behind a URL for tests of the HTTP link: each message is answered as the test's function says."""

from __future__ import annotations

import json
from contextlib import contextmanager

from tests.runtime.client.upstream import serving

MODERN = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "ttlMs": 0,
    "cacheScope": "private",
}
LEGACY = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "legacy", "version": "1"},
}


def reply(status=200, body=b"", **headers):
    """Return the bytes of an answer."""
    lines = [f"HTTP/1.1 {status} Reason", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def as_json(message, status=200, **headers):
    """Return an answer in one piece."""
    return reply(status, json.dumps(message).encode(), Content_Type="application/json", **headers)


def result(asked, value, status=200, **headers):
    """Return the answer to a request."""
    return as_json({"jsonrpc": "2.0", "id": asked.message["id"], "result": value}, status, **headers)


def error(asked, code, text, status=200, **data):
    """Return an error as the answer to a request."""
    body = {"code": code, "message": text, **({"data": data} if data else {})}
    return as_json({"jsonrpc": "2.0", "id": asked.message["id"], "error": body}, status)


def opening(**headers):
    """Return the head of a stream of events; the end of the connection is its end."""
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream; charset=utf-8", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def event(message, identifier=None):
    """Return one event."""
    place = f"id: {identifier}\n" if identifier else ""
    data = message if type(message) is str else json.dumps({"jsonrpc": "2.0", **message})
    return f"{place}data: {data}\n\n".encode()


@contextmanager
def remote(answer, wrap=None):
    """Serve with a function of what was asked; it returns an answer's bytes, or uses the connection itself (None)."""

    def script(peer):
        while asked := peer.read():
            asked.message = json.loads(asked.body) if asked.body else {}
            asked.what = asked.message.get("method", "response") if asked.method == "POST" else asked.method
            said = answer(asked, peer)
            if said is None:
                return
            peer.send(said)

    with serving(script, wrap) as server:
        server.row = {"url": f"{server.origin.text}/mcp"}
        yield server


def legacy(more=None, session=""):
    """Return a function that answers as a legacy server does, and what is left as another one says."""
    headers = {"Mcp_Session_Id": session} if session else {}

    def answer(asked, peer):
        said = more(asked, peer) if more is not None else None
        if said is not None:
            return said if type(said) is bytes else None
        if asked.what == "initialize":
            return result(asked, LEGACY, **headers)
        if asked.method == "POST" and "id" in asked.message and "method" in asked.message:
            return error(asked, -32601, "Method not found")
        return reply(202) if asked.method == "POST" else reply(200 if asked.method == "DELETE" else 405)

    return answer


def modern(more=None):
    """Return a function that answers as a modern server does, and what is left as another one says."""

    def answer(asked, peer):
        said = more(asked, peer) if more is not None else None
        if said is not None:
            return said if type(said) is bytes else None
        if asked.what == "server/discover":
            return result(asked, MODERN)
        return error(asked, -32601, "Method not found", 404)

    return answer


def answering_calls(value=None):
    """Return a function that answers every call, with what it was called with unless there is a value."""

    def more(asked, _):
        if asked.what == "tools/call":
            return result(asked, {"content": [], "structuredContent": value or asked.message["params"]})
        return None

    return more


TAKEN = object()
"""What a test's function returns when it has used the connection itself."""
