"""A POST that listens (2026-07-28, subscriptions/listen): its answer is a stream that stays open.

It ends when the client closes the connection, which is how it cancels, or when the server stops; then the result is
the last event. Everything here is done by the thread that holds the server's role.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .http_events import COMMENT, event
from .http_limits import MAX_CHANGE_BYTES, MAX_LISTENING
from .http_problem import RpcProblem
from .hub import ENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .http_connection import Connection
    from .http_request import Request
    from .hub import Topic
    from .session import Session


class ListenStream:
    """The answer to one listen request, counted `among` those of the server while it lasts."""

    __slots__ = ("_begun", "_connection", "_core", "_open", "_request", "gone")

    def __init__(self, connection: Connection, request: Request, core: Session, among: set[ListenStream]) -> None:
        self._connection = connection
        self._request = request
        self._core = core
        self._open = among
        self._begun = False
        self.gone = False

    def tell(self, line: bytes, topic: Topic) -> None:
        """Send a message: the first is the acknowledgement, and one about the ending after it is the last."""
        if not self._begun:
            self._begun = True
            self._open.add(self)
            self._connection.occupant = self
            self._connection.begin_stream(self._request.head, self._request.verdict.cors)
            self._connection.push(event(line, None))
        elif self._connection.unsent > MAX_CHANGE_BYTES:
            self._connection.drop()
        else:
            self._connection.push(event(line, None))
            if topic == ENDING:
                self._close()
                self._connection.end_stream()

    def keep_alive(self) -> None:
        """Send a comment."""
        self._connection.push(COMMENT)

    def lost(self) -> None:
        """Listen no more, because the client is gone."""
        self._close()

    def _close(self) -> None:
        self.gone = True
        self._open.discard(self)
        if self._core.listening is not None:
            self._core.listening.close()


def listen(
    connection: Connection, request: Request, core: Session, message: dict[str, Any], among: set[ListenStream]
) -> bytes | None:
    """Open a listen request, one more `among` those of the server; bytes are the answer to one that is refused.

    Raises RpcProblem where there is no room, or the client reads no streams.
    """
    if not request.verdict.events:
        what = "subscriptions/listen is answered with text/event-stream, which the client has to accept"
        raise RpcProblem(jsonrpc.INVALID_REQUEST, what, status=406)
    if len(among) >= MAX_LISTENING:
        raise RpcProblem(
            jsonrpc.INTERNAL_ERROR,
            "Too many subscriptions: come back later",
            {"reason": "too_many_subscriptions"},
            status=503,
            headers=(("Retry-After", "10"),),
        )
    stream = ListenStream(connection, request, core, among)
    core.tell = stream.tell
    answer = core.receive(message)
    if stream.gone and core.listening is not None:
        core.listening.close()  # it was lost while it began, when there was nothing to end yet
    return answer if isinstance(answer, bytes) else None
