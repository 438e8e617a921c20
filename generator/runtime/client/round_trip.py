"""One request and its answer on one connection."""

from __future__ import annotations

from . import faults
from .body import BadFraming, read_body
from .caps import MAX_HEAD_BYTES, MAX_INTERIM, ONE_SEND_BYTES
from .connection import Connection
from .decompress import GZIP_NAMES, BadEncoding, Collector
from .head import HEAD_END, BadHead, Head, read_head
from .media import STREAMS, essence
from .message import Request, Response

_CODINGS = GZIP_NAMES | {"deflate"}
_DECODED = frozenset(("content-encoding", "content-length"))
_FIRST_FINAL = 200
_SWITCHING_PROTOCOLS = 101
_START = b"HTTP/"


def round_trip(connection: Connection, request: Request, head_bytes: bytes, cap: int) -> tuple[Response, bool]:
    """Send the request and read its answer; True with it when the connection can be used again.

    Raises TransportProblem for an answer that breaks HTTP, and OSError.
    """
    broken = write(connection, head_bytes, request.body)
    try:
        head = final_head(connection)
        coding, collector = collector_for(head, cap)
        complete = _read(connection, head, request.method, collector)
        body = collector.finish()
    except (BadHead, BadFraming) as error:
        raise faults.bad_answer(request.origin, str(error)) from None
    except BadEncoding:
        raise faults.bad_answer(request.origin, "its compression is broken") from None
    except OSError:
        if broken is not None and not connection.answered:
            raise broken from None
        raise
    headers = head.headers
    if coding:  # they speak of bytes that are gone
        headers = [pair for pair in headers if pair[0].lower() not in _DECODED]
    response = Response(head.status, head.reason, headers, body, truncated=collector.truncated, url=request.url)
    return response, complete and head.keeps_alive and broken is None and not connection.buffer


def write(connection: Connection, head: bytes, body: bytes | None) -> OSError | None:
    """Send head and body; return the error of a peer that stopped reading, because it may have answered before."""
    try:
        if not body:
            connection.send(head)
        elif len(body) <= ONE_SEND_BYTES:
            connection.send(head + body)
        else:
            connection.send(head)
            connection.send(body)
    except ConnectionError as error:
        if not connection.sent:
            raise
        return error
    return None


def _read(connection: Connection, head: Head, method: str, collector: Collector) -> bool:
    """Read the body; a stream that goes on when the time is over is cut there."""
    try:
        return read_body(connection, head, method, collector)
    except TimeoutError:
        media_type = essence(head.fields.get("content-type", [""])[0])
        if media_type not in STREAMS or connection.turn.watch.cancelled or not collector.size:
            raise
        collector.truncated = True
        return False


def final_head(connection: Connection) -> Head:
    """Read the head of the real answer, after interim ones (RFC 9110 section 15.2). Raises BadHead and OSError."""
    for _ in range(MAX_INTERIM):
        head = receive_head(connection)
        if head.status >= _FIRST_FINAL:
            return head
        if head.status == _SWITCHING_PROTOCOLS:
            break
    raise BadHead("it never comes to the real answer")


def receive_head(connection: Connection) -> Head:
    """Read the head of the next answer. Raises BadHead and OSError."""
    buffer = connection.buffer
    searched = 0
    while True:
        end = HEAD_END.search(buffer, searched)
        if end is not None:
            start, stop = end.span()
            break
        if not _START.startswith(buffer[:5]):
            raise BadHead("it does not start like HTTP")
        if len(buffer) > MAX_HEAD_BYTES:
            raise BadHead("its headers are too long")
        searched = max(0, len(buffer) - 3)
        connection.require()
    if start > MAX_HEAD_BYTES:
        raise BadHead("its headers are too long")
    raw = bytes(memoryview(buffer)[:start])
    del end  # it holds the buffer, which could not shrink
    del buffer[:stop]
    return read_head(raw)


def collector_for(head: Head, cap: int) -> tuple[str, Collector]:
    """Return the coding to undo ("" for none) and what takes the body; an unknown coding is left as it is."""
    codings = [coding for coding in head.tokens("content-encoding") if coding != "identity"]
    coding = codings[0] if len(codings) == 1 and codings[0] in _CODINGS else ""
    return coding, Collector(coding, cap)
