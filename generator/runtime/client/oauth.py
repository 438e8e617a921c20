"""Access tokens kept until they end, fetched by one thread at a time."""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

from .credential_problem import CredentialProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from .message import Watch
    from .oauth_endpoint import Token

    Fetch = Callable[[Watch, Token | None], Token]


class _Entry:
    """A token, the one before it, and how to get the next; `lock` is held while a thread does that."""

    __slots__ = ("fetch", "lock", "replaced", "token")

    def __init__(self, fetch: Fetch) -> None:
        self.fetch = fetch
        self.lock = allocate_lock()
        self.token: Token | None = None
        self.replaced: str | None = None


class Tokens:
    """The tokens of one server, by whatever tells them apart; safe to use from any thread."""

    __slots__ = ("_entries", "_lock")

    def __init__(self) -> None:
        self._entries: dict[Hashable, _Entry] = {}
        self._lock = allocate_lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def __repr__(self) -> str:
        return f"Tokens({len(self._entries)})"

    def get(self, key: Hashable, fetch: Fetch, watch: Watch) -> str:
        """Return a token that has not ended, fetched if need be; `fetch` gets the last one, for its refresh token.

        Raises what `fetch` raises, and CredentialProblem when the time is up before another thread's fetch is done.
        """
        with self._lock:
            entry = self._entries.setdefault(key, _Entry(fetch))
            entry.fetch = fetch  # the configuration may have changed
        token = entry.token
        if token is not None and token.expires > monotonic():
            return token.value
        return self._fetched(entry, watch, lambda current: current is None or current.expires <= monotonic())

    def renewed(self, value: str, watch: Watch) -> str | None:
        """Return a token to use instead of one that an API refused, None when it did not come from here."""
        with self._lock:
            entries = list(self._entries.values())
        for entry in entries:
            token = entry.token
            if value == entry.replaced or (token is not None and token.value == value):
                return self._fetched(entry, watch, lambda current: current is None or current.value == value)
        return None

    def _fetched(self, entry: _Entry, watch: Watch, is_stale: Callable[[Token | None], bool]) -> str:
        if not entry.lock.acquire(timeout=watch.remaining()):
            raise CredentialProblem("no access token: another call is still waiting for one", retryable=True)
        try:
            current = entry.token
            if current is None or is_stale(current):
                token = entry.fetch(watch, current)
                if token.refresh is None and current is not None:
                    token.refresh = current.refresh
                entry.replaced = current.value if current is not None else None
                entry.token = current = token
            return current.value
        finally:
            entry.lock.release()
