"""A chunked body, decoded as it comes (RFC 9112 §7.1), as strictly as the head that announces it. Pure."""

from __future__ import annotations

from .http_limits import MAX_CHUNK_LINE_BYTES, MAX_TRAILERS
from .http_problem import HttpProblem

HEX = b"0123456789abcdefABCDEF"
LONGEST_SIZE = 12
"""Hexadecimal digits of a chunk's size; more is beyond any bound, and zeros before it are no reason to send them."""

SIZE, DATA, TRAILERS = range(3)


class Chunked:
    """Collects one body of at most `limit` bytes."""

    __slots__ = ("_left", "_limit", "_parts", "_size", "_state", "_trailers")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._left = 0
        self._state = SIZE
        self._trailers = 0

    def take(self, buffer: bytearray) -> bytes | None:
        """Take what the buffer holds of the body; return the body when it is whole. Raises HttpProblem."""
        while True:
            if self._state == DATA:
                if not self._take_data(buffer):
                    return None
                continue
            line = self._line(buffer)
            if line is None:
                return None
            if self._state == SIZE:
                self._begin_chunk(line)
            elif not line:
                return b"".join(self._parts)
            else:
                self._trailers += 1
                if self._trailers > MAX_TRAILERS:
                    raise HttpProblem(431, f"a body has at most {MAX_TRAILERS} trailers")

    def _line(self, buffer: bytearray) -> bytes | None:
        end = buffer.find(b"\n")
        if end > MAX_CHUNK_LINE_BYTES or (end < 0 and len(buffer) > MAX_CHUNK_LINE_BYTES):
            raise HttpProblem(400, "a chunk's size line or a trailer is too long")
        if end < 0:
            return None
        line = bytes(buffer[: end - 1])
        if end == 0 or buffer[end - 1 : end] != b"\r" or b"\r" in line or b"\0" in line:
            raise HttpProblem(400, "lines end with CRLF")
        del buffer[: end + 1]
        return line

    def _begin_chunk(self, line: bytes) -> None:
        digits = line.partition(b";")[0]
        if not digits or len(digits) > LONGEST_SIZE or digits.translate(None, HEX):
            raise HttpProblem(400, "a chunk begins with its size in hexadecimal digits")
        self._left = int(digits, 16)
        self._size += self._left
        if self._size > self._limit:
            raise HttpProblem(413, f"a body is at most {self._limit} bytes")
        self._state = DATA if self._left else TRAILERS

    def _take_data(self, buffer: bytearray) -> bool:
        """Take data and the line's end behind it; False when more is needed."""
        if self._left:
            part = bytes(buffer[: self._left])
            del buffer[: self._left]
            self._left -= len(part)
            if part:
                self._parts.append(part)
            if self._left:
                return False
        if len(buffer) < 2:
            return False
        if buffer[:2] != b"\r\n":
            raise HttpProblem(400, "a chunk ends with CRLF")
        del buffer[:2]
        self._state = SIZE
        return True
