"""Reading an answer's body by its framing (RFC 9112 sections 6 and 7), into a collector that knows when to stop."""

from __future__ import annotations

from .caps import MAX_HEAD_BYTES, MAX_LINE_BYTES, READ_BYTES
from .connection import Connection, Ended
from .decompress import Collector
from .head import BadHead, Head

_NO_BODY = frozenset((204, 304))
_HEXADECIMAL = frozenset(b"0123456789abcdefABCDEF")
_MAX_SIZE_DIGITS = 15  # more bytes than any disk has
_MAX_OVERHEAD = 1  # bytes of framing for each byte of content that are put up with, beyond what is free
_FREE_OVERHEAD = 256 * 1024


class BadFraming(Exception):
    """The body's framing is broken; the argument says how."""


def read_body(connection: Connection, head: Head, method: str, collector: Collector) -> bool:
    """Read the body; True when it was read to its end and the connection can be used again.

    Raises BadFraming, BadHead, BadEncoding, and OSError (Ended when the body broke off).
    """
    if method == "HEAD" or head.status in _NO_BODY:
        return True
    codings = head.tokens("transfer-encoding")
    length = head.content_length()
    if codings:
        if codings != ["chunked"]:
            if "chunked" in codings:
                raise BadHead("its Transfer-Encoding is not supported")
            _read_to_end(connection, collector)
            return False
        _read_chunks(connection, collector)
        return length is None and not collector.full  # both lengths at once: somebody in between may see it otherwise
    if length is None:
        _read_to_end(connection, collector)
        return False
    _read_length(connection, length, collector)
    return not collector.full


def _read_length(connection: Connection, length: int, collector: Collector) -> None:
    while length:
        if not connection.buffer:
            connection.require()
        piece = connection.take(length)
        length -= len(piece)
        collector.feed(piece)
        if collector.full:
            return


def _read_to_end(connection: Connection, collector: Collector) -> None:
    while True:
        if connection.buffer:
            collector.feed(connection.take(READ_BYTES))
            if collector.full:
                return
        elif not connection.fill():
            return


def _read_chunks(connection: Connection, collector: Collector) -> None:
    overhead = 0
    content = 0
    while True:
        line = _line(connection)
        digits = line.partition(b";")[0].strip(b" \t")
        if not digits or len(digits) > _MAX_SIZE_DIGITS or not _HEXADECIMAL.issuperset(digits):
            raise BadFraming("a chunk of it has no size")
        size = int(digits, 16)
        if not size:
            break
        overhead += len(line) + 4
        content += size
        if overhead > _FREE_OVERHEAD + _MAX_OVERHEAD * content:
            raise BadFraming("it is cut into chunks that are far too small")
        _read_length(connection, size, collector)
        if collector.full:
            return
        if _line(connection):
            raise BadFraming("a chunk of it is longer than its size")
    _skip_trailers(connection)


def _skip_trailers(connection: Connection) -> None:
    size = 0
    while True:
        line = _line(connection)
        if not line:
            return
        size += len(line)
        if size > MAX_HEAD_BYTES:
            raise BadFraming("its trailers are too long")


def _line(connection: Connection) -> bytes:
    """Take a line without its end, which may be a bare LF."""
    buffer = connection.buffer
    searched = 0
    while True:
        end = buffer.find(b"\n", searched)
        if end >= 0:
            line = bytes(memoryview(buffer)[:end])
            del buffer[: end + 1]
            return line[:-1] if line.endswith(b"\r") else line
        searched = len(buffer)
        if searched > MAX_LINE_BYTES:
            raise BadFraming("a line of its framing is too long")
        if not connection.fill():
            raise Ended
