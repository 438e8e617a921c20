"""Results that go through as they are, without being written again: most of them, and large ones above all.

An answer that begins as most servers write it is read once, from where its result begins, and its bytes can be a part
of the gateway's own answer. Only what is a hop's own is cut off: the kind of result and the server's name, which a
server of 2026-07-28 writes first and last, the same way each time. What is between is read as an object of its own, so
that it is known to be whole, and to hold neither of the two again. Anything else takes the long way.

Of members that are there twice readers take the first or the last one, and what was judged here is the last. So where
a member of the result or of a block of content may be doubled, it is written again, with one of each. What is inside
of structured content is the tool's own, and judged by nobody.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import META_SERVER
from ..wire.limits import MAX_NESTING
from . import usable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEAD = b'{"jsonrpc":"2.0","id":'
RESULT = b',"result":'
FIRST = len(HEAD)
LAST = FIRST + 20 + len(RESULT)
"""Where the id begins, and where the result does at the latest: a number of ours is no longer."""

SEPARATORS = (b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xc2\x85")
"""What some readers end a line with, as a stream of events does with a return: never written as it is here."""

KIND = b'{"resultType":"complete",'
SIMPLE_KEYS = frozenset(("content", "structuredContent", "isError"))
"""Members of a tool's result that hold no names, where nothing is wrong and all content is of these kinds."""

PLAIN = frozenset(("text", "image", "audio"))
"""Kinds of content without a URI."""

TEXT = ("type", "text")
"""Members of the most usual content."""

CUT = ',"structuredContent":'
LIKE_A_LETTER = "\\u00"
HIDDEN = ("\\u003a", "\\u003A", "\\u004", "\\u005", "\\u006", "\\u007")
"""How a colon and letters may be written so that they are not seen."""

NOT_YET = b"\n"
"""An end that no line has."""


class Answers:
    """How one child writes its answers: they end with its name, which is always the same."""

    __slots__ = ("_end", "_meta")

    def __init__(self) -> None:
        self._meta: dict[str, Any] = {}
        self._end = NOT_YET

    def read(self, line: bytes) -> tuple[int, dict[str, Any], bytes | None] | None:
        """Return id and result of an answer that is complete; None for a line that is to be read the long way.

        The third are the members of a tool's result between what is the hop's own, None if something is to be
        translated; the result lacks the hop's own then. Nobody can see a difference, but that it took less time.
        """
        comma = line.find(RESULT, FIRST, LAST)
        digits = line[FIRST:comma]
        if (
            comma < 0
            or not digits.isdigit()
            or digits.startswith(b"0")
            or line.find(b"\r") >= 0
            or line.count(b"[") + line.count(b"{") > MAX_NESTING
        ):
            return None
        start = comma + len(RESULT)
        named = line.startswith(KIND, start) and line.endswith(self._end)
        inner = line[start + len(KIND) : -len(self._end)] if named else line[start + 1 : -2]
        try:
            source = str(b"{%b}" % inner if named else line[start:-1], "utf-8")
            result, end = jsonrpc.scan_finite(source, 0)
            if end != len(source) or not line.endswith(b"}}") or not result or type(result) is not dict:
                return None
            if not line.isascii() and any(each in line for each in SEPARATORS):
                return None
            if _is_simple(result) and _is_single(source, result):
                return int(digits), result, inner
            if named:
                result = {"resultType": "complete", **result, "_meta": {**self._meta}}
            else:
                self._learn(result.get("_meta"))
        except Exception:  # noqa: BLE001 # what is wrong is found out the long way
            return None
        if result.get("resultType", "complete") != "complete":
            return None
        return int(digits), result, None

    def _learn(self, meta: Any) -> None:
        """Note how answers end that say no more of themselves than the server's name."""
        if meta != self._meta and type(meta) is dict and meta.keys() == {META_SERVER}:
            self._meta, self._end = meta, b',"_meta":' + jsonrpc.encode(meta) + b"}}"


def _is_simple(result: dict[str, Any]) -> bool:
    """Whether a result without the hop's own members holds nothing that is to be translated or that is of no use."""
    content = result.get("content")
    if type(content) is not list or result.get("isError", False) is not False or not result.keys() <= SIMPLE_KEYS:
        return False
    sure = "isError" not in result
    for block in content:
        kind = block.get("type") if type(block) is dict else None
        if kind == "text" and len(block) == len(TEXT) and type(block.get("text")) is str:
            continue  # nothing else can be wrong
        if kind not in PLAIN:
            return False
        sure = False
    if "structuredContent" in result and type(result["structuredContent"]) is not dict:
        return False
    return sure or not usable.fault("tools/call", result)


def _is_single(source: str, result: dict[str, Any]) -> bool:
    """Whether no member of a simple result or of its content is there twice, as far as that is seen at once.

    Then there are no more colons than members and texts have. Structured content comes last, if at all, and nothing in
    it has the name of a member of the result.
    """
    if source.find("\\") >= 0 and source.find(LIKE_A_LETTER) >= 0 and any(source.find(each) >= 0 for each in HIDDEN):
        return False
    expected, end = len(result), len(source)
    if "structuredContent" in result:
        end = source.find(CUT)
        if end < 0 or source.find('"content"', end) >= 0 or source.find('"structuredContent"', end + 2) >= 0:
            return False
        expected -= 1
        if "isError" in result:
            behind = source.find('"isError"', end)
            if behind >= 0 and source.find('"isError"', behind + 1) >= 0:
                return False
            expected -= behind >= 0
    for block in result["content"]:
        if len(block) == len(TEXT) and block["type"] == "text":
            expected += block["text"].count(":") + len(TEXT)
        else:
            expected += jsonrpc.text(block).count(":")
    return source.count(":", 0, end) == expected
