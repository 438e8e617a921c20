"""Answers as no server should give them, made by chance from good ones: their values first, then their bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

TEXT = {"type": "text", "text": "fine", "annotations": {"audience": ["user"], "priority": 0.5}}
IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
LINK = {"type": "resource_link", "uri": "file:///a", "name": "a", "size": 3, "icons": [{"src": "https://a/b.png"}]}
INNER = {"type": "resource", "resource": {"uri": "ui://app/main", "text": "x", "mimeType": "text/html", "_meta": {}}}
TASK = {"taskId": "1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "ttlMs": 1, "pollIntervalMs": 1}
FORM = {
    "message": "Who?",
    "mode": "form",
    "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
}

RESULTS: dict[str, list[dict[str, Any]]] = {
    "tools/call": [
        {"content": [TEXT]},
        {"content": [TEXT, IMAGE, LINK, INNER], "structuredContent": {"a": [1, {"b": None}]}, "isError": False},
        {"content": [TEXT], "isError": True, "_meta": {"mcpgen/error": {"tool": "t", "uri": "ui://a"}, "ui": {"x": 1}}},
        {"resultType": "task", **TASK},
        {"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": FORM}}},
    ],
    "prompts/get": [
        {"messages": [{"role": "user", "content": TEXT}, {"role": "assistant", "content": INNER}], "description": "d"},
    ],
    "resources/read": [
        {"contents": [{"uri": "file:///a", "text": "x", "mimeType": "text/plain"}], "ttlMs": 5, "cacheScope": "public"},
        {
            "contents": [
                {"uri": "file:///a", "blob": "AAAA", "_meta": {"ui": {"csp": {"connectDomains": ["https://a"]}}}}
            ]
        },
    ],
    "completion/complete": [{"completion": {"values": ["a", "b"], "total": 2, "hasMore": False}}],
}
ERROR = {"code": -32603, "message": "it failed", "data": {"tool": "t", "uri": "file:///a"}}

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "text", "\ud83d", "a\u2028b\x85", "\x00\x1b[31m",
    [], {}, [[]], [None], {"": None}, [{"type": "text"}], {"type": "text", "text": 1}, "x" * 5000,
)  # fmt: skip

JUNK = (
    b"\0", b"\r", b"\n", b"\xff", b"\xef\xbb\xbf", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"NaN", b"1e999",
    b"-", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"/*", b" ", b'"id":7,', b'{"jsonrpc":"2.0"',
)  # fmt: skip


def line(chance: Random, method: str) -> bytes:
    """Return a line that is meant as an answer."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": "@ID@", "result": chance.choice(RESULTS[method])}
    if chance.random() < 0.15:
        message = {"jsonrpc": "2.0", "id": "@ID@", "error": ERROR}
    for _ in range(chance.choice((0, 1, 1, 1, 2, 4))):
        message = changed(chance, message, always=True)
    if chance.random() < 0.2 and type(message) is dict:
        items = [*message.items()]
        chance.shuffle(items)
        message = dict(items)
    text = json.dumps(message, ensure_ascii=chance.random() < 0.5, separators=chance.choice(((",", ":"), None)))
    made = text.encode("utf-8", "surrogatepass").replace(b'"@ID@"', b"@ID@")
    for _ in range(chance.choice((0, 0, 0, 1, 1, 3))):
        made = broken(chance, made)
    return made


def changed(chance: Random, value: Any, *, always: bool = False) -> Any:
    """Return a value with something else in one place, inside it if `always`."""
    if type(value) in (dict, list) and value and (always or chance.random() < 0.85):
        key = chance.choice([*value] if type(value) is dict else range(len(value)))
        copy = value.copy()
        what = chance.random()
        if what < 0.1:
            del copy[key]
        elif what < 0.15 and type(value) is dict:
            copy[chance.choice(("uri", "type", "_meta", "method", "params", "resultType", "nextCursor", "id"))] = (
                chance.choice(STRANGE)
            )
        else:
            copy[key] = changed(chance, value[key])
        return copy
    return chance.choice(STRANGE)


def broken(chance: Random, data: bytes) -> bytes:
    """Return bytes with something else in one place."""
    start = chance.randrange(min(20, len(data)), len(data) + 1)
    what = chance.random()
    if what < 0.3:
        return data[:start]
    if what < 0.5:
        return data[:start] + data[start + chance.randrange(1, 5) :]
    if what < 0.6:
        return data[start:] + data[:start]
    return data[:start] + chance.choice(JUNK) + data[start:]
