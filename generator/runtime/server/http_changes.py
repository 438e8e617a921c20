"""A session's own stream: what a client with a handshake is told of changes by GET, and what waits until it comes.

Of each change only the last notification is kept, because it stands for the earlier ones: what a session keeps never
exceeds what it listens to, however long its client stays away. All its streams share one count, so an event's id
(`0-7`) says what its reader has, whichever connection it came by. Of several connections the latest is told, each
message once (Streamable HTTP: multiple connections). All is done by the thread that holds the server's role.
"""

from __future__ import annotations

from .http_events import COMMENT, event, prime
from .http_limits import MAX_CHANGE_BYTES, MAX_LISTENERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .http_connection import Connection
    from .http_request import Request
    from .hub import Topic


class Changes:
    """What one session's client is told of changes; `primes` says that it understands events without content."""

    number = 0
    """Where event ids have a stream's number; the streams of requests count from 1."""

    __slots__ = ("_count", "_kept", "_listeners", "_primes", "_sent")

    def __init__(self, *, primes: bool) -> None:
        self._primes = primes
        self._kept: dict[Topic, tuple[int, bytes]] = {}
        self._listeners: list[ChangeListener] = []
        self._count = 0
        self._sent = 0

    def take(self, line: bytes, topic: Topic) -> None:
        """Send a notification now, or keep it until somebody listens; no bytes at all: keep nothing of this topic."""
        self._kept.pop(topic, None)  # so that the order is that of the last change
        if not line:
            return
        self._count += 1
        data = event(line, f"{self.number}-{self._count}")
        self._kept[topic] = (self._count, data)
        if self._listeners:
            self._sent = self._count
            self._listeners[-1].push(data)

    def connect(self, connection: Connection, request: Request, after: int | None) -> None:
        """Answer a GET with what its client has not seen: behind an event it names, else what was not sent yet."""
        if len(self._listeners) >= MAX_LISTENERS:
            self._listeners.pop(0).close()
        start = self._sent if after is None else min(after, self._count)
        listener = ChangeListener(connection, self._listeners)
        connection.begin_stream(request.head, request.verdict.cors)
        if self._primes:
            listener.push(prime(f"{self.number}-{start}"))
        missed = [data for count, data in self._kept.values() if count > start]
        self._sent = self._count
        if missed:
            listener.push(b"".join(missed))

    def is_heard(self) -> bool:
        """Say whether somebody listens."""
        return bool(self._listeners)

    def end(self) -> None:
        """End the streams."""
        while self._listeners:
            self._listeners.pop().close()


class ChangeListener:
    """One GET that listens to its session."""

    __slots__ = ("_among", "_connection")

    def __init__(self, connection: Connection, among: list[ChangeListener]) -> None:
        self._connection = connection
        self._among = among
        among.append(self)
        connection.occupant = self

    def push(self, data: bytes) -> None:
        """Send events; a client that leaves too many of them unread has to come back."""
        if self._connection.unsent > MAX_CHANGE_BYTES:
            self._connection.drop()
        else:
            self._connection.push(data)

    def lost(self) -> None:
        """Take notice that the client is gone; the one before is told from now on."""
        if self in self._among:
            self._among.remove(self)

    def keep_alive(self) -> None:
        """Send a comment."""
        self.push(COMMENT)

    def close(self) -> None:
        """End the stream."""
        self._connection.end_stream()
