"""A JSON text in which few characters are not ASCII, with those written as JSON's escapes.

One emoji makes Python hold the whole text with four bytes for each character, which takes time to make and to read.
The value is the same; where things stand in the original is worked out from what was replaced.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

BLOCK = 1024
"""Bytes that are looked at together: only where one is not ASCII, each is."""

SHARE = 0.02
"""The part of the blocks that may have other characters: where there are more, the text is read quicker as it is."""

_OTHERS = re.compile(rb"[\x80-\xff]+")
_JSON = re.compile(rb"[ \t\n\r]*[{\[]")


class AsciiText:
    """The text with the runs of other characters escaped: the bytes from a beginning to an end, in their order."""

    __slots__ = ("_ends", "_surpluses", "text")

    def __init__(self, data: bytes, runs: list[tuple[int, int]]) -> None:
        """Escape the runs; raises UnicodeDecodeError for bytes that are not UTF-8."""
        view = memoryview(data)
        parts: list[str] = []
        self._ends: list[int] = []
        self._surpluses = [0]
        done = length = 0
        for start, end in runs:
            original = str(view[start:end], "utf-8")
            escaped = json.dumps(original)[1:-1]
            parts += (str(view[done:start], "ascii"), escaped)
            length += start - done + len(escaped)
            done = end
            self._ends.append(length)
            self._surpluses.append(self._surpluses[-1] + len(escaped) - len(original))
        parts.append(str(view[done:], "ascii"))
        self.text = "".join(parts)

    def surplus(self, offset: int) -> int:
        """Return by how many characters the text is longer than the original before an offset."""
        return self._surpluses[bisect_right(self._ends, offset)]


def in_ascii(data: bytes) -> AsciiText | None:
    """Return the text of UTF-8 bytes; None where nothing is gained by it, or it may mean something else.

    What is no JSON stays none: outside of a string an escape is as wrong as what it stands for.
    """
    if data.isascii() or not _JSON.match(data) or (runs := _runs(data)) is None:
        return None
    try:
        return AsciiText(data, runs)
    except UnicodeDecodeError:
        return None


def _runs(data: bytes) -> list[tuple[int, int]] | None:
    runs: list[tuple[int, int]] = []
    room = 1 + int(len(data) / BLOCK * SHARE)
    for start in range(0, len(data), BLOCK):
        if data[start : start + BLOCK].isascii():
            continue
        room -= 1
        if room < 0:
            return None
        for found in _OTHERS.finditer(data, start, start + BLOCK):
            begun, end = found.span()
            if runs and runs[-1][1] == begun:
                begun = runs.pop()[0]
            elif data[begun - 1 : begun] == b"\\":  # what is escaped here would be something else
                return None
            runs.append((begun, end))
    return runs
