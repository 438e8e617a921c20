"""Who answers a request that runs: one POST's exchange, and a GET that listens to a session's stream.

A POST is answered with JSON, unless something has to be sent before its answer, or the answer takes so long that a
proxy would give up; then it becomes a stream of events whose last one is the answer. When its connection is lost, what
happens depends on the era: without a session the calls are cancelled, for nobody can ask for their answers any more;
in a session they go on, and a client resumes the stream (`Last-Event-ID`). Everything here is done by the thread that
holds the server's role.
"""

from __future__ import annotations

from .http_answers import status_of
from .http_events import COMMENT, event
from .http_sessions import FIRST_PRIMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .call import Call
    from .http_connection import Connection
    from .http_events import Stream
    from .http_request import Request
    from .http_sessions import HttpSession
    from .session import Session


class Exchange:
    """One POST on its way to an answer. `pending` are its calls; `cancel` gives one of a core up."""

    __slots__ = (
        "_cancel",
        "_connection",
        "_done",
        "_request",
        "_session",
        "_statuses",
        "_stream",
        "_streams",
        "core",
        "pending",
        "reading",
    )

    def __init__(
        self,
        connection: Connection,
        request: Request,
        core: Session,
        session: HttpSession | None,
        *,
        statuses: dict[int, int],
        cancel: Callable[[Session, Call], None],
    ) -> None:
        self._connection: Connection | None = connection
        self._request = request
        self._session = session
        self._statuses = statuses
        self._cancel = cancel
        self._stream: Stream | None = None
        self._streams = False
        self._done = False
        self.core = core
        self.pending: set[Call] = set()
        self.reading = True
        connection.occupant = self

    @property
    def takes_answers(self) -> bool:
        """Whether the client can be asked here: it reads a stream, and its answers find the call by the session."""
        return self._session is not None and self._request.verdict.events

    def notify(self, line: bytes) -> None:
        """Send a notification, if the client reads streams; no bytes at all let go of the stream for now."""
        if not line:
            self._let_go()
        elif not self._done and (self._streams or self._begin()):
            self._push(line)

    def answer(self, line: bytes) -> None:
        """Send the answer; what comes later is not sent."""
        if self._done:
            return
        try:
            if not self._streams and not self._request.verdict.json:
                self._begin()
            self._done = True
            if self._streams:
                self._push(line)
                self._end()
            elif self._connection is not None:
                self._connection.respond(status_of(line, self._statuses), line, self._request.verdict.cors)
        except:
            if self._connection is not None:
                self._connection.drop()  # better than that its client waits for ever
            raise

    def nothing(self) -> None:
        """End without an answer: the client cancelled what it asked."""
        if self._done:
            return
        self._done = True
        if self._streams:
            self._end()
        elif self._connection is not None:
            self._connection.respond(202, b"", self._request.verdict.cors)

    def keep_alive(self) -> None:
        """Send a comment; a client that reads streams gets one from now on."""
        if not self._done and self._connection is not None and (self._streams or self._begin()):
            self._connection.push(COMMENT)

    def _let_go(self) -> None:
        """End the connection, whose client comes back for the rest (2025-11-25: polling); it needs an event's id."""
        if self._done or self._session is None or self._session.core.dialect.version < FIRST_PRIMED:
            return
        if (self._streams or self._begin()) and self._stream is not None:
            connection, self._connection, self._stream.connection = self._stream.connection, None, None
            if connection is not None:
                connection.end_stream()

    def lost(self) -> None:
        """Go on without the connection, or give the calls up."""
        gone, self._connection = self._connection, None
        if self._stream is not None:
            if self._stream.connection is gone:
                self._stream.connection = None
        elif self._session is None and not self._done:
            self._done = True
            for call in self.pending.copy():
                self._cancel(self.core, call)

    def _begin(self) -> bool:
        """Make the answer a stream; False when the client reads none or is gone."""
        connection = self._connection
        if connection is None or not self._request.verdict.events:
            return False
        self._streams = True
        connection.begin_stream(self._request.head, self._request.verdict.cors)
        if self._session is not None:
            self._stream = self._session.stream()
            self._stream.connection = self._connection  # none, if it was lost just now
            connection.push(self._stream.begin())
        return True

    def _push(self, line: bytes) -> None:
        if self._stream is not None:
            data = self._stream.add(line)
            if self._stream.connection is not None:
                self._stream.connection.push(data)
        elif self._connection is not None:
            self._connection.push(event(line, None))

    def _end(self) -> None:
        connection = self._connection
        if self._stream is not None:
            connection, self._stream.connection = self._stream.connection, None
            self._stream.ended = True
        if connection is not None:
            connection.end_stream()


class Listener:
    """A GET that takes what a session's stream brings: what was missed first, then what comes."""

    __slots__ = ("_connection", "_stream")

    def __init__(self, connection: Connection, request: Request, stream: Stream, after: int | None) -> None:
        self._connection = connection
        self._stream = stream
        earlier, stream.connection = stream.connection, None
        if earlier is not None:
            earlier.end_stream()
        connection.occupant = self
        connection.begin_stream(request.head, request.verdict.cors)
        connection.push(stream.begin() if after is None else stream.after(after))
        if stream.ended:
            connection.end_stream()
        elif connection.occupant is self:  # it was not lost just now
            stream.connection = connection

    def lost(self) -> None:
        """Leave the stream without a connection."""
        if self._stream.connection is self._connection:
            self._stream.connection = None

    def keep_alive(self) -> None:
        """Send a comment."""
        self._connection.push(COMMENT)
