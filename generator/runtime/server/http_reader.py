"""Bytes to requests: heads and bodies, by length or in chunks, one after the other on a connection.

Pure. `feed` takes what came; `head` returns a head once it is whole, `body` then that request's body. Heads that come
again, as they do on a connection that lives on, are read once: parsing is most of what a small request costs.
"""

from __future__ import annotations

from .http_chunked import Chunked
from .http_head import Head, parse_head, parse_request_line
from .http_limits import MAX_HEAD_BYTES, MAX_TARGET_BYTES
from .http_problem import HttpProblem

MAX_KNOWN_HEADS = 512
"""Heads kept; the bodies of one client have a few hundred lengths."""

MAX_KNOWN_BYTES = 2048
"""A longer head is read each time, so that what is kept stays below a megabyte."""

HEAD_END = b"\r\n\r\n"
UNKNOWN = Head("", "", 0, {"transfer-encoding": ""}, frozenset())
"""Stands for a head before there is one: no body has its length."""

LONGEST_REQUEST_LINE = MAX_TARGET_BYTES + 64


class KnownHeads:
    """Heads by their bytes, shared by all connections."""

    __slots__ = ("heads",)

    def __init__(self) -> None:
        self.heads: dict[bytes, Head] = {}

    def read(self, block: bytes) -> Head:
        """Return the head, known or not; raises HttpProblem."""
        head = self.heads.get(block)
        if head is None:
            head = parse_head(block)
            if len(block) <= MAX_KNOWN_BYTES:
                if len(self.heads) >= MAX_KNOWN_HEADS:
                    self.heads.clear()
                self.heads[block] = head
        return head


class Reader:
    """Reads the requests of one connection; `limit` is the largest body."""

    __slots__ = ("_block", "_buffer", "_chunked", "_known", "_last", "_length", "_limit", "_seen")

    def __init__(self, known: KnownHeads, limit: int) -> None:
        self._known = known
        self._limit = limit
        self._buffer = bytearray()
        self._block, self._last = HEAD_END, UNKNOWN  # the last head that came with its body, as bytes and read
        self._seen = 0
        self._length = 0
        self._chunked: Chunked | None = None

    def feed(self, data: bytes) -> None:
        """Take bytes of the connection."""
        self._buffer += data

    def whole(self, data: bytes) -> tuple[Head, bytes] | None:
        """Take bytes that are exactly one request with a known head, as most are; others are still to feed."""
        size = len(data)
        if self._buffer or size > self._limit:
            return None
        if data.startswith(self._block):  # most have the head of the one before
            head, end = self._last, len(self._block)
        else:
            end = data.find(HEAD_END)
            known = self._known.heads.get(data[:end])
            if known is None or known.expects:
                return None
            end += len(HEAD_END)
            head, self._last, self._block = known, known, data[:end]
        if head.length != size - end:
            return None
        return head, data[end:]

    def keep(self, body: bytes) -> None:
        """Keep the body that came with a whole request until it is asked for."""
        self._buffer += body
        self._length = len(body)

    @property
    def waiting(self) -> int:
        """Bytes taken and not yet read as part of a request."""
        return len(self._buffer)

    def head(self) -> Head | None:
        """Return the next request's head, None while it is incomplete; raises HttpProblem."""
        buffer = self._buffer
        if not buffer:
            return None
        if buffer[:1] in b"\r\n":
            self._skip_empty_line()
        end = buffer.find(b"\r\n\r\n", max(0, self._seen - 3))
        if end < 0:
            self._look_at_incomplete()
            self._seen = len(buffer)
            return None
        if end > MAX_HEAD_BYTES:
            raise HttpProblem(431, f"the head of a request is at most {MAX_HEAD_BYTES} bytes")
        head = self._known.read(bytes(buffer[:end]))
        del buffer[: end + 4]
        self._seen = 0
        if head.chunked:
            self._chunked = Chunked(self._limit)
        elif (head.length or 0) > self._limit:
            raise HttpProblem(413, f"a body is at most {self._limit} bytes")
        else:
            self._length = head.length or 0
        return head

    def body(self) -> bytes | None:
        """Return the body of the request whose head was read, None while it is incomplete; raises HttpProblem."""
        if self._chunked is not None:
            body = self._chunked.take(self._buffer)
            if body is not None:
                self._chunked = None
            return body
        length = self._length
        buffer = self._buffer
        if len(buffer) < length:
            return None
        if len(buffer) == length:
            body = bytes(buffer)
            buffer.clear()
        else:
            body = bytes(buffer[:length])
            del buffer[:length]
        return body

    def _skip_empty_line(self) -> None:
        """Overlook one empty line before a request, as old clients send (RFC 9112 §2.2)."""
        if self._buffer[:2] == b"\r\n":
            del self._buffer[:2]
        elif self._buffer[:1] == b"\n" or len(self._buffer) > 1:
            raise HttpProblem(400, "lines end with CRLF")

    def _look_at_incomplete(self) -> None:
        """Refuse at once what will never be a head: too much, other lines' ends, or a first line without version."""
        buffer = self._buffer
        if len(buffer) > MAX_HEAD_BYTES:
            raise HttpProblem(431, f"the head of a request is at most {MAX_HEAD_BYTES} bytes")
        end = buffer.find(b"\n")
        if end < 0:
            if len(buffer) > LONGEST_REQUEST_LINE:
                raise HttpProblem(414, "the path is too long")
        elif buffer[end - 1 : end] != b"\r":
            raise HttpProblem(400, "lines end with CRLF")
        elif not self._seen or end >= self._seen:
            parse_request_line(bytes(buffer[: end - 1]))
        if b"\n\n" in buffer or b"\n\r\r\n" in buffer:
            raise HttpProblem(400, "lines end with CRLF")
