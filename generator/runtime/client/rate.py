"""A rate limit: a bucket of tokens that fills steadily; a request takes one, or waits for the next (row R190)."""

from __future__ import annotations

from _thread import allocate_lock

from .caps import MAX_RATE_WAIT_SECONDS


class RateLimit:
    """Allows `per_second` requests in the long run and `burst` at once; safe for any number of threads."""

    __slots__ = ("_burst", "_lock", "_rate", "_seen", "_tokens")

    def __init__(self, per_second: float, burst: float, now: float) -> None:
        self._rate = per_second
        self._burst = max(1.0, burst)
        self._tokens = self._burst
        self._seen = now
        self._lock = allocate_lock()

    def reserve(self, now: float, longest: float = MAX_RATE_WAIT_SECONDS) -> tuple[bool, float]:
        """Take a token: True and the seconds to wait for it, or False and the wait that would have been too long."""
        with self._lock:
            self._tokens = min(self._burst, self._tokens + max(0.0, now - self._seen) * self._rate)
            self._seen = max(self._seen, now)
            wait = max(0.0, (1.0 - self._tokens) / self._rate)
            if wait > longest:
                return False, wait
            self._tokens -= 1.0
            return True, wait
