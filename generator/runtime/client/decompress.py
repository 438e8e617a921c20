"""Collecting an answer's body: decompressed while it comes in, never more than the cap (RFC 9110 section 8.4).

The compressed stream is fed in pieces and asked for no more output than there is room, so a bomb of any ratio costs no
memory beyond the cap.
"""

from __future__ import annotations

from .caps import MAX_GZIP_MEMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GZIP_NAMES = frozenset(("gzip", "x-gzip"))

_GZIP_BITS = 31  # zlib's window bits for a gzip wrapper with the largest window
_ZLIB_BITS = 15
_RAW_BITS = -15


class BadEncoding(Exception):
    """The body is not what its Content-Encoding says."""


class Collector:
    """Takes a body piece by piece. `full`: nothing more is wanted; `truncated`: something was left out.

    `size` counts the bytes kept.
    """

    __slots__ = ("_cap", "_decoder", "_parts", "_raw", "full", "size", "truncated")

    def __init__(self, coding: str, cap: int) -> None:
        self._decoder = Inflater(coding) if coding else None
        self._cap = cap
        self._parts: list[bytes] = []
        self.size = 0
        self._raw = 0
        self.full = False
        self.truncated = False

    def feed(self, piece: bytes) -> None:
        """Take the next bytes as they came. Raises BadEncoding."""
        if self._decoder is None:
            self._keep(piece)
            return
        self._raw += len(piece)
        for part in self._decoder.feed(piece, self._cap - self.size + 1):
            self._keep(part)
            if self.full:
                return
        if self._raw > self._cap:  # a stream that decompresses to less than itself has no end worth waiting for
            self.full = self.truncated = True

    def finish(self) -> bytes:
        """Return the body. Raises BadEncoding when the compressed stream broke off."""
        if self._decoder is not None and not self.truncated:
            self._decoder.check_end()
        return self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)

    def _keep(self, part: bytes) -> None:
        room = self._cap - self.size
        if len(part) > room:
            part = part[:room]
            self.full = self.truncated = True
        self.size += len(part)
        self._parts.append(part)


class Inflater:
    """Decompresses gzip (any number of members) and deflate (with or without the zlib wrapper that it should have)."""

    __slots__ = ("_gzip", "_members", "_stream")

    def __init__(self, coding: str) -> None:
        self._gzip = coding in GZIP_NAMES
        self._stream: Any = None
        self._members = 0

    def feed(self, piece: bytes, room: int) -> list[bytes]:
        """Return what the next bytes decompress to, about `room` bytes at most. Raises BadEncoding."""
        import zlib

        parts: list[bytes] = []
        rest = piece
        try:
            while rest and room > 0:
                if self._stream is None:
                    rest = self._start(rest)
                    continue
                part = self._stream.decompress(rest, room)

                room -= len(part)
                parts.append(part)
                rest = self._stream.unconsumed_tail
                if self._stream.eof:
                    rest = self._next_member()
        except zlib.error:
            raise BadEncoding from None
        return parts

    def check_end(self) -> None:
        """Raise BadEncoding when the stream has begun and not ended."""
        if self._stream is not None and not self._stream.eof:
            raise BadEncoding

    def _start(self, data: bytes) -> bytes:
        """Choose the wrapper by the first bytes: many servers send deflate without its zlib header."""
        import zlib

        if self._gzip:
            self._stream = zlib.decompressobj(_GZIP_BITS)
            return data
        is_zlib = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0)  # RFC 1950 section 2.2
        self._stream = zlib.decompressobj(_ZLIB_BITS if is_zlib else _RAW_BITS)
        return data

    def _next_member(self) -> bytes:
        """Go on with another gzip member; whatever else follows the stream is ignored, as gzip itself does."""
        following: bytes = self._stream.unused_data
        if not self._gzip or not following.startswith(b"\x1f\x8b"):
            return b""
        self._members += 1
        if self._members > MAX_GZIP_MEMBERS:
            raise BadEncoding
        self._stream = None
        return following
