"""Streams of server-sent events, and what is kept of them for clients that come back (Streamable HTTP: resumability).

Only streams of sessions are kept. An event's id is its stream's number and its own, so `Last-Event-ID` says both. One
store holds the events of all sessions in the order in which they came, within a bound on their number and bytes, and
drops the oldest.
"""

from __future__ import annotations

from collections import deque

from . import http_limits as limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .http_connection import Connection

COMMENT = b":\n\n"
"""Keeps a silent stream alive; clients ignore it."""

LONGEST_ID = 24
"""Characters of an event id of ours."""


def event(line: bytes, event_id: str | None) -> bytes:
    """Return a message as an event; a message is one line of ASCII."""
    head = f"id: {event_id}\nevent: message\ndata: " if event_id is not None else "event: message\ndata: "
    return head.encode("ascii") + line.rstrip(b"\n") + b"\n\n"


def prime(event_id: str) -> bytes:
    """Return the event without content that lets a client resume from the very start (2025-11-25)."""
    return f"id: {event_id}\nretry: {limits.RETRY_MS}\ndata: \n\n".encode("ascii")


class Stream:
    """One stream of a session: its number, its kept events, and the connection that it is sent on, if one is there."""

    __slots__ = ("_count", "connection", "ended", "events", "number", "primes", "store")

    def __init__(self, number: int, store: EventStore, *, primes: bool) -> None:
        self.number = number
        self.store = store
        self.primes = primes
        self.events: deque[tuple[int, bytes]] = deque()
        self.connection: Connection | None = None
        self.ended = False
        self._count = 0

    def begin(self) -> bytes:
        """Return what the stream begins with."""
        return prime(f"{self.number}-0") if self.primes else b""

    def add(self, line: bytes) -> bytes:
        """Keep a message and return it as an event."""
        self._count += 1
        data = event(line, f"{self.number}-{self._count}")
        self.events.append((self._count, data))
        self.store.keep(self, len(data))
        return data

    def after(self, count: int) -> bytes:
        """Return the kept events behind this one."""
        return b"".join(data for number, data in self.events if number > count)


class EventStore:
    """The events of all streams, bounded."""

    __slots__ = ("_bytes", "_order")

    def __init__(self) -> None:
        self._order: deque[tuple[Stream, int]] = deque()
        self._bytes = 0

    def keep(self, stream: Stream, size: int) -> None:
        """Count an event that a stream just took, and drop the oldest of all as the bounds ask for it."""
        self._order.append((stream, size))
        self._bytes += size
        while len(self._order) > limits.MAX_EVENTS or self._bytes > limits.MAX_EVENT_BYTES:
            oldest, its_size = self._order.popleft()
            self._bytes -= its_size
            if oldest.events:  # nothing is left of one that was forgotten
                oldest.events.popleft()

    def forget(self, stream: Stream) -> None:
        """Drop what is kept of a stream; its places in the order are counted until their turn comes."""
        stream.events.clear()


def place_of(event_id: str) -> tuple[int, int] | None:
    """Return stream and number of an event id, None for one that is not ours."""
    stream, _, count = event_id.partition("-")
    if len(event_id) > LONGEST_ID or not (
        stream.isascii() and stream.isdigit() and count.isascii() and count.isdigit()
    ):
        return None
    return int(stream), int(count)
