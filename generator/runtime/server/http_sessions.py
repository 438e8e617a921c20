"""Sessions of clients with a handshake, each bound to whoever opened it. The clock and the ids are arguments."""

from __future__ import annotations

from . import http_limits as limits
from .http_events import EventStore, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .http_changes import Changes
    from .http_tokens import Principal
    from .session import Session

FIRST_PRIMED = "2025-11-25"
"""The first revision whose clients understand an event without content."""


class HttpSession:
    """One session: the protocol core's, its id and principal, and its streams by number, oldest first.

    `changes` is the stream of its own that tells of changes, where the server does that.
    """

    __slots__ = ("_next", "changes", "core", "id", "owner", "seen", "store", "streams")

    def __init__(self, core: Session, session_id: str, owner: Principal | None, store: EventStore) -> None:
        self.core = core
        self.id = session_id
        self.owner = owner
        self.store = store
        self.streams: dict[int, Stream] = {}
        self.changes: Changes | None = None
        self.seen = 0.0
        self._next = 1

    def stream(self) -> Stream:
        """Begin a stream; one that has ended, or the oldest, gives way when there are too many."""
        if len(self.streams) >= limits.MAX_STREAMS:
            ended = [stream for stream in self.streams.values() if stream.ended]
            self.drop((ended or [*self.streams.values()])[0])
        stream = Stream(self._next, self.store, primes=self.core.dialect.version >= FIRST_PRIMED)
        self.streams[self._next] = stream
        self._next += 1
        return stream

    def drop(self, stream: Stream) -> None:
        """Forget a stream."""
        self.streams.pop(stream.number, None)
        self.store.forget(stream)
        connection, stream.connection = stream.connection, None
        if connection is not None:
            connection.end_stream()

    def is_quiet(self) -> bool:
        """Say whether nothing runs and nobody listens."""
        if self.changes is not None and self.changes.is_heard():
            return False
        return not self.core.open and all(stream.connection is None for stream in self.streams.values())


class Sessions:
    """The sessions of one server, in the order in which they were last used; `mint` makes ids nobody can guess."""

    __slots__ = ("_by_id", "_mint", "_store")

    def __init__(self, mint: Callable[[], str]) -> None:
        self._mint = mint
        self._store = EventStore()
        self._by_id: dict[str, HttpSession] = {}

    def open(self, core: Session, owner: Principal | None, now: float) -> HttpSession:
        """Open a session for a core that has shaken hands; the longest unused one gives way when there are too many."""
        if len(self._by_id) >= limits.MAX_SESSIONS:
            quiet = next((each for each in self._by_id.values() if each.is_quiet()), None)
            self.close(quiet or next(iter(self._by_id.values())))
        session = HttpSession(core, self._mint(), owner, self._store)
        session.seen = now
        self._by_id[session.id] = session
        return session

    def find(self, session_id: str, owner: Principal | None, now: float) -> HttpSession | None:
        """Return a session that lives and belongs to this principal, and count it as used now."""
        session = self._by_id.get(session_id)
        if session is None or not _is_owner(session.owner, owner):
            return None
        if now - session.seen > limits.SESSION_SECONDS and session.is_quiet():
            self.close(session)
            return None
        session.seen = now
        del self._by_id[session_id]
        self._by_id[session_id] = session
        return session

    def close(self, session: HttpSession) -> None:
        """End a session and its streams."""
        self._by_id.pop(session.id, None)
        if session.core.listening is not None:
            session.core.listening.close()
        if session.changes is not None:
            session.changes.end()
        for stream in [*session.streams.values()]:
            session.drop(stream)

    def sweep(self, now: float) -> list[HttpSession]:
        """End sessions that were silent for too long and return them."""
        silent = []
        for session in self._by_id.values():
            if now - session.seen <= limits.SESSION_SECONDS:
                break  # the others were used later
            if session.is_quiet():
                silent.append(session)
        for session in silent:
            self.close(session)
        return silent

    def release(self) -> None:
        """End the streams on which nothing is expected any more."""
        for session in self._by_id.values():
            if session.changes is not None:
                session.changes.end()
            if not session.core.open:
                for stream in [*session.streams.values()]:
                    session.drop(stream)

    def __len__(self) -> int:
        return len(self._by_id)


def _is_owner(owner: Principal | None, asks: Principal | None) -> bool:
    return owner is asks if owner is None else owner.is_same(asks)
