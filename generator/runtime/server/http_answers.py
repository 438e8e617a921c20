"""HTTP answers as bytes, and which status a JSON-RPC answer has. Pure; the clock is an argument."""

from __future__ import annotations

from time import gmtime

from ..wire import jsonrpc
from .http_problem import REASONS, HttpProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"
JSON = "application/json"
USUAL_HEAD = "HTTP/1.1 200 OK\r\n%sContent-Type: application/json\r\nContent-Length: "
USUAL = USUAL_HEAD.encode("ascii") + b"%d\r\n\r\n%s"

LONGEST_ERROR = 8192
"""Bytes of an answer that is looked into: an error is short, and a longer one keeps its status."""

MODERN_STATUSES = {
    jsonrpc.PARSE_ERROR: 400,
    jsonrpc.INVALID_REQUEST: 400,
    jsonrpc.METHOD_NOT_FOUND: 404,
    jsonrpc.INVALID_PARAMS: 400,
    jsonrpc.HEADER_MISMATCH: 400,
    jsonrpc.MISSING_CAPABILITY: 400,
    jsonrpc.UNSUPPORTED_VERSION: 400,
}
"""The statuses of errors in 2026-07-28; others, and all of a request that ran, are 200."""

LEGACY_STATUSES = {jsonrpc.PARSE_ERROR: 400, jsonrpc.INVALID_REQUEST: 400, jsonrpc.UNSUPPORTED_VERSION: 400}
"""With a handshake, errors about a request that was understood come with 200, as official servers do."""


class Dates:
    """The `Date` header, made anew once a second."""

    __slots__ = ("_line", "_second")

    def __init__(self) -> None:
        self._second = -1
        self._line = b""

    def line(self, now: float) -> bytes:
        """Return the header line for this time of day (seconds since the epoch)."""
        second = int(now)
        if second != self._second:
            at = gmtime(second)
            day, month = DAYS[at.tm_wday], MONTHS[at.tm_mon - 1]
            clock = f"{at.tm_hour:02}:{at.tm_min:02}:{at.tm_sec:02}"
            self._line = f"Date: {day}, {at.tm_mday:02} {month} {at.tm_year} {clock} GMT\r\n".encode("ascii")
            self._second = second
        return self._line


def answer(
    status: int,
    body: bytes,
    date: bytes,
    *,
    headers: Iterable[tuple[str, str]] = (),
    close: bool = False,
    without_body: bool = False,
    kind: str = JSON,
) -> bytes:
    """Return a whole answer with JSON, or another kind of content, or nothing."""
    if status == 200 and body and kind is JSON and not (headers or close or without_body):
        return USUAL % (date, len(body), body)  # most answers, in a third of the time
    more = "".join(f"{name}: {value}\r\n" for name, value in headers) + ("Connection: close\r\n" if close else "")
    named = f"Content-Type: {kind}\r\n".encode("ascii") if body else b""
    return b"HTTP/1.1 %d %s\r\n%s%sContent-Length: %d\r\n%s\r\n%s" % (
        status,
        REASONS[status].encode("ascii"),
        date,
        named,
        len(body),
        more.encode("latin-1"),
        b"" if without_body else body,
    )


def stream_head(date: bytes, *, headers: Iterable[tuple[str, str]] = (), chunked: bool) -> bytes:
    """Return the head of a stream of events; one that is not chunked ends with its connection."""
    more = "".join(f"{name}: {value}\r\n" for name, value in headers)
    ending = "Transfer-Encoding: chunked\r\n" if chunked else "Connection: close\r\n"
    return (
        b"HTTP/1.1 200 OK\r\n"
        + date
        + b"Content-Type: text/event-stream\r\nCache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n"
        + (ending + more).encode("latin-1")
        + b"\r\n"
    )


def problem_body(problem: HttpProblem) -> bytes:
    """Return the JSON content of a refusal."""
    return jsonrpc.encode({"error": problem.word, "message": problem.message, **problem.data}) + b"\n"


def status_of(line: bytes, statuses: dict[int, int]) -> int:
    """Return the status of a JSON-RPC answer; its `error` is looked into only where it can be one."""
    if len(line) > LONGEST_ERROR or b'"error":{"code":' not in line:
        return 200
    message = jsonrpc.parse(line)
    error = message.get("error") if type(message) is dict else None
    return statuses.get(error["code"], 200) if type(error) is dict else 200
