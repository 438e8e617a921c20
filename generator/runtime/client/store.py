"""Whole answers that were too large for a result, kept in memory for a while and read as resources."""

from __future__ import annotations

import os
from _thread import allocate_lock
from urllib.parse import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_ANSWERS = 50
"""Answers kept at once; the oldest goes first."""

MAX_BYTES = 32 * 1024 * 1024
"""Bytes kept at once: a few of the largest answers, less than the interpreter itself may grow to."""

TOKEN_BYTES = 6
"""Random bytes in a URI, so that one client cannot guess another's."""


class Kept:
    """One answer: its URI, its bytes, what they are and what they are called."""

    __slots__ = ("body", "is_text", "mime_type", "name", "uri")

    def __init__(self, uri: str, body: bytes, *, mime_type: str, name: str, is_text: bool) -> None:
        self.uri = uri
        self.body = body
        self.mime_type = mime_type
        self.name = name
        self.is_text = is_text

    def facts(self) -> dict[str, Any]:
        """Return everything but the bytes."""
        return {"uri": self.uri, "mime_type": self.mime_type, "name": self.name, "is_text": self.is_text}


class AnswerStore:
    """Keeps answers of one server; safe to use from several threads."""

    __slots__ = ("_bytes", "_kept", "_lock", "_number", "_root")

    def __init__(self, server: str) -> None:
        self._root = f"{_scheme(server)}://answers/"
        self._kept: dict[str, Kept] = {}
        self._bytes = 0
        self._number = 0
        self._lock = allocate_lock()

    def keep(self, body: bytes, *, mime_type: str, name: str, is_text: bool) -> Kept:
        """Keep an answer and return it with its URI; what is larger than the whole store is not kept, only named."""
        with self._lock:
            self._number += 1
            uri = f"{self._root}{self._number}-{os.urandom(TOKEN_BYTES).hex()}/{quote(name, safe='')}"
            answer = Kept(uri, body, mime_type=mime_type, name=name, is_text=is_text)
            self._take(answer)
        return answer

    def adopt(self, facts: dict[str, Any], body: bytes) -> None:
        """Keep an answer that another process got, under its own URI."""
        with self._lock:
            self._take(Kept(facts.pop("uri"), body, **facts))

    def since(self, number: int) -> tuple[int, list[Kept]]:
        """Return how many answers there were so far, and those that are kept and came after the first `number`."""
        with self._lock:
            kept = [*self._kept.values()]
            return self._number, kept[len(kept) - min(len(kept), self._number - number) :]

    def _take(self, answer: Kept) -> None:
        if len(answer.body) > MAX_BYTES or answer.uri in self._kept:
            return
        while self._kept and (len(self._kept) >= MAX_ANSWERS or self._bytes + len(answer.body) > MAX_BYTES):
            oldest = self._kept.pop(next(iter(self._kept)))
            self._bytes -= len(oldest.body)
        self._kept[answer.uri] = answer
        self._bytes += len(answer.body)

    def find(self, uri: str) -> Kept | None:
        """Return what is kept under a URI, None when it is not there or not there any more."""
        return self._kept.get(uri)

    def listed(self) -> list[dict[str, Any]]:
        """Return the answers as MCP lists resources, the newest first."""
        with self._lock:
            kept = list(self._kept.values())
        return [
            {"uri": each.uri, "name": each.name, "mimeType": each.mime_type, "size": len(each.body)}
            for each in reversed(kept)
        ]


def _scheme(server: str) -> str:
    """Return a server's id as a URI scheme (RFC 3986, 3.1)."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in server.lower())
    return kept if kept[:1].isalpha() else f"mcp-{kept}"
