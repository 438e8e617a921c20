"""Results that go through as they are, without being written again: most of them, and large ones above all.

An answer that begins as most servers write it is read once, from where its result begins; so it is known where the
result ends, too, and its bytes can be a part of the gateway's own answer. Only what is a hop's own is cut off: the kind
of result and the server's name, which a server of 2026-07-28 writes first and last. Anything else takes the long way.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import META_SERVER
from ..wire.limits import MAX_NESTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEAD = b'{"jsonrpc":"2.0","id":'
RESULT = b',"result":'
LONGEST_ID = len(HEAD) + 20
"""Where a number of ours has ended."""

SEPARATORS = (b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xc2\x85")
"""What some readers end a line with, as a stream of events does with a return: never written as it is here."""

KIND = b'{"resultType":"complete",'
HOP_KEYS = frozenset(("resultType", "_meta"))
SIMPLE_KEYS = frozenset(("content", "structuredContent", "isError"))
"""Members of a tool's result that hold no names, where nothing is wrong and all content is of these kinds."""

ESCAPED_LETTERS = (b"\\u005", b"\\u006", b"\\u007")
"""How names of members are written by one who wants them overlooked."""

PLAIN = frozenset(("text", "image", "audio"))
"""Kinds of content without a URI."""


def read(line: bytes) -> tuple[int, Any, bytes] | None:
    """Return id, result and the result's bytes of an answer; None for a line that is to be read the long way."""
    comma = line.find(RESULT, len(HEAD), LONGEST_ID + len(RESULT))
    digits = line[len(HEAD) : comma]
    if comma < 0 or not digits.isdigit() or b"\r" in line or line.count(b"[") + line.count(b"{") > MAX_NESTING:
        return None
    start = comma + len(RESULT)
    try:
        source = str(line, "utf-8")
        result, end = jsonrpc.scan(source, start)
    except Exception:  # noqa: BLE001 # what is wrong is found out the long way
        return None
    if source[end:] != "}" or (not line.isascii() and any(each in line for each in SEPARATORS)):
        return None
    return int(digits), result, line[start:-1]


class Endings:
    """How the results of one child end: with its name, which is always the same."""

    __slots__ = ("_end", "_meta")

    def __init__(self) -> None:
        self._meta: Any = None
        self._end = b""

    def inside(self, result: dict[str, Any], raw: bytes) -> bytes | None:
        """Return the members of a tool's result between what is the hop's own; None if something is to be translated.

        Nobody can see a difference, but that it took less time.
        """
        keys = result.keys() - SIMPLE_KEYS
        content = result.get("content")
        if (keys and keys != HOP_KEYS) or result.get("isError") or type(content) is not list:
            return None
        if "structuredContent" in result and type(result["structuredContent"]) is not dict:
            return None
        for block in content:
            if type(block) is not dict or block.get("type") not in PLAIN:
                return None
        if not keys:
            return raw[1:-1]
        meta = result["_meta"]
        if meta != self._meta:
            if type(meta) is not dict or meta.keys() != {META_SERVER}:
                return None
            self._meta, self._end = meta, b',"_meta":' + jsonrpc.encode(meta) + b"}"
        if raw.startswith(KIND) and raw.endswith(self._end) and _says_once(raw):
            return raw[len(KIND) : -len(self._end)]
        return None


def _says_once(raw: bytes) -> bool:
    """Whether what is cut off stands nowhere else: of members with one name only the last was looked at."""
    if raw.count(b'"_meta"') != 1 or raw.count(b'"resultType"') != 1:
        return False
    return not any(each in raw for each in ESCAPED_LETTERS)
