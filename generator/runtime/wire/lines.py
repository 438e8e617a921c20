"""Bytes to lines: newline-delimited messages with a bound on their length (MCP transports: stdio).

Pure: bytes in, lines out. Only a newline ends a line; other separators are data (`str.splitlines` would cut them). A
line over the bound is dropped up to its newline and reported once, so memory stays bounded and the next message is
read.
"""

from __future__ import annotations

from .limits import MAX_MESSAGE_BYTES

TOO_LONG = None
"""What stands in the place of a line that was dropped for its length."""


class LineBuffer:
    """Collects chunks and hands out whole lines without their newline; `limit` counts the bytes of one."""

    __slots__ = ("_dropping", "_parts", "_size", "limit")

    def __init__(self, limit: int = MAX_MESSAGE_BYTES) -> None:
        self.limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._dropping = False

    def feed(self, chunk: bytes) -> list[bytes | None]:
        """Return the lines this chunk completes; TOO_LONG stands for one over the bound."""
        lines: list[bytes | None]
        if chunk.endswith(b"\n") and len(chunk) <= self.limit and not self._parts and not self._dropping:
            lines = [*chunk.split(b"\n")]  # whole ones, as most are
            lines.pop()
            return lines
        *complete, rest = chunk.split(b"\n")
        lines = []
        for line in complete:
            if self._dropping:
                self._dropping = False
                continue
            if self._parts:
                self._parts.append(line)
                line = b"".join(self._parts)  # noqa: PLW2901 # the same line, whole
                self._parts, self._size = [], 0
            lines.append(line if len(line) <= self.limit else TOO_LONG)
        if rest and not self._dropping:
            self._parts.append(rest)
            self._size += len(rest)
            if self._size > self.limit:
                self._parts, self._size, self._dropping = [], 0, True
                lines.append(TOO_LONG)
        return lines

    def end(self) -> bytes | None:
        """Return what stands after the last newline when the input ends, or None.

        A last line without newline counts.
        """
        rest = b"".join(self._parts)
        self._parts, self._size = [], 0
        return rest or None
