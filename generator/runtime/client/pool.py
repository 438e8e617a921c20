"""Idle connections, kept for the next request to the same place: bounded in number and in age."""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

from .caps import IDLE_SECONDS, MAX_IDLE, MAX_IDLE_EACH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .connection import Connection
    from .origin import Origin

    Key = tuple[Origin, tuple[str, str] | None]
    """An origin and the client certificate that its connections were made with."""


class Pool:
    """Keeps connections by key, the one used last on top; safe for any number of threads."""

    __slots__ = ("_closed", "_count", "_idle", "_lock")

    def __init__(self) -> None:
        self._idle: dict[Key, list[Connection]] = {}
        self._count = 0
        self._closed = False
        self._lock = allocate_lock()

    def take(self, key: Key, max_idle: float = IDLE_SECONDS) -> Connection | None:
        """Take a connection that is still alive and was not idle for longer; None when there is none."""
        while True:
            with self._lock:
                waiting = self._idle.get(key)
                if not waiting:
                    return None
                connection = waiting.pop()
                self._count -= 1
            if monotonic() - connection.idle_since < max_idle and not connection.is_stale():
                return connection
            connection.close()

    def give(self, key: Key, connection: Connection) -> None:
        """Keep a connection for later, and drop what is too old or too much."""
        now = monotonic()
        connection.idle_since = now
        connection.uses += 1
        with self._lock:
            waiting = self._idle.setdefault(key, [])
            dropped = self._expired(now) if self._count >= MAX_IDLE else []
            if self._closed or len(waiting) >= MAX_IDLE_EACH or self._count >= MAX_IDLE:
                dropped.append(connection)
            else:
                waiting.append(connection)
                self._count += 1
        for one in dropped:
            one.close()

    def close(self) -> None:
        """Close what is idle and keep nothing from now on."""
        with self._lock:
            self._closed = True
            idle, self._idle, self._count = self._idle, {}, 0
        for waiting in idle.values():
            for connection in waiting:
                connection.close()

    def _expired(self, now: float) -> list[Connection]:
        """Take out connections that are too old, or else the oldest of all, so that a new place finds room."""
        expired: list[Connection] = []
        for waiting in self._idle.values():
            while waiting and now - waiting[0].idle_since >= IDLE_SECONDS:
                expired.append(waiting.pop(0))
        if not expired:
            oldest = min((waiting for waiting in self._idle.values() if waiting), key=lambda one: one[0].idle_since)
            expired.append(oldest.pop(0))
        self._count -= len(expired)
        return expired
