"""The calls of a server as they come: a stream of events at `/activity`, and a page that shows it (R095).

Off unless it is asked for. It needs a token wherever the endpoint does; a browser may give it as the password of Basic
authentication. Whoever has only some scopes sees only the calls of the same name; `*` or `mcpgen:activity` shows all.
The last events are kept for those who come later. A reader that is too slow is dropped; nobody is ever waited for.
Except for `take`, everything here is done by the thread that holds the server's role.
"""

from __future__ import annotations

from collections import deque

from .http_events import COMMENT
from .http_limits import MAX_READER_BYTES, MAX_READERS, MAX_SHOWN_EVENTS, RETRY_MS
from .http_problem import HttpProblem
from .http_tokens import ANY_SCOPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .http_connection import Connection
    from .http_request import Request
    from .http_tokens import Principal

SCOPE = "mcpgen:activity"
"""What a token needs to see the calls of others."""

COMMON_HEADERS = (
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
)

LONGEST_NUMBER = 15
"""Digits of an event's number that may be one of ours."""


class Kept:
    """One event: its number, whose call it was, and its bytes in the stream."""

    __slots__ = ("data", "number", "principal")

    def __init__(self, number: int, principal: str, line: bytes) -> None:
        self.number = number
        self.principal = principal
        self.data = b"id: %d\nevent: call\ndata: %s\n\n" % (number, line)


class Activity:
    """The readers of one server's events; `post` has the holder of the server's role call something."""

    __slots__ = ("_count", "_kept", "_post", "_readers", "_stopped")

    def __init__(self, post: Callable[..., None]) -> None:
        self._post = post
        self._kept: deque[Kept] = deque(maxlen=MAX_SHOWN_EVENTS)
        self._readers: set[Reader] = set()
        self._count = 0
        self._stopped = False

    def take(self, event: dict[str, Any], line: bytes) -> None:
        """Show an event to the readers; any thread."""
        self._post(self._spread, event.get("principal", ""), line)

    def _spread(self, principal: str, line: bytes) -> None:
        self._count += 1
        kept = Kept(self._count, principal, line)
        self._kept.append(kept)
        for reader in self._readers.copy():
            reader.show(kept)

    def answer(self, connection: Connection, request: Request) -> None:
        """Answer GET: with the stream if its sender reads one, otherwise with the page."""
        if request.verdict.events and request.head.method == "GET":
            self._begin(connection, request)
            return
        from .activity_page import page, policy

        headers = (*COMMON_HEADERS, ("Content-Security-Policy", policy()), *request.verdict.cors)
        without_body = request.head.method == "HEAD"
        connection.respond(200, page(), headers, without_body=without_body, kind="text/html; charset=utf-8")

    def _begin(self, connection: Connection, request: Request) -> None:
        if self._stopped or len(self._readers) >= MAX_READERS:
            problem = HttpProblem(503, "too many read the activity", (("Retry-After", "5"), *request.verdict.cors))
            connection.respond_problem(problem)
            return
        reader = Reader(connection, request.principal, self._readers)
        connection.occupant = reader
        connection.begin_stream(request.head, (*COMMON_HEADERS[1:], *request.verdict.cors))
        connection.push(b"retry: %d\n\n" % RETRY_MS)
        self._readers.add(reader)
        last = request.head.headers.get("last-event-id", "")
        seen = int(last) if last.isascii() and last.isdigit() and len(last) <= LONGEST_NUMBER else 0
        for kept in [*self._kept]:
            if kept.number > seen or seen > self._count:  # numbers of a server that ran before
                reader.show(kept)

    def stop(self) -> None:
        """End the streams."""
        self._stopped = True
        for reader in self._readers.copy():
            reader.end()


class Reader:
    """One stream on its connection."""

    __slots__ = ("_connection", "_name", "_readers")

    def __init__(self, connection: Connection, principal: Principal | None, readers: set[Reader]) -> None:
        self._connection = connection
        self._readers = readers
        sees_all = principal is None or bool({ANY_SCOPE, SCOPE} & principal.scopes)
        self._name = None if sees_all or principal is None else principal.name

    def show(self, kept: Kept) -> None:
        """Send an event, if it is one the reader may see and it keeps up."""
        if self._name is not None and kept.principal != self._name:
            return
        if self._connection.unsent > MAX_READER_BYTES:
            self._connection.drop()
            return
        self._connection.push(kept.data)

    def end(self) -> None:
        """End the stream."""
        self._readers.discard(self)
        self._connection.end_stream()

    def lost(self) -> None:
        """Leave: the connection is gone."""
        self._readers.discard(self)

    def keep_alive(self) -> None:
        """Send a comment."""
        self._connection.push(COMMENT)
