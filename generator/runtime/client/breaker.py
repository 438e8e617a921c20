"""A circuit breaker: an origin that cannot be reached time and again is left alone for a while (row R190).

Closed, requests pass and failures in a row are counted. Open, none passes. When the time is over it is half open: one
request passes, and its outcome closes or opens the circuit.
"""

from __future__ import annotations

from _thread import allocate_lock


class Breaker:
    """The circuit of one origin; the clock is an argument. Safe for any number of threads."""

    __slots__ = ("_failures", "_limit", "_lock", "_open_until", "_reset", "_trying_until")

    def __init__(self, failures: int, reset: float) -> None:
        self._limit = failures
        self._reset = reset
        self._failures = 0
        self._open_until = 0.0
        self._trying_until = 0.0
        self._lock = allocate_lock()

    def wait(self, now: float) -> float:
        """Return 0.0 when a request may pass, else the seconds until one may."""
        if self._failures < self._limit:
            return 0.0
        with self._lock:
            until = max(self._open_until, self._trying_until)
            if now < until:
                return until - now
            self._trying_until = now + self._reset  # should nothing be heard of it, another may try after that
            return 0.0

    def succeeded(self) -> None:
        """Note that the origin answered."""
        if self._failures:
            with self._lock:
                self._failures = 0
                self._open_until = self._trying_until = 0.0

    def failed(self, now: float) -> None:
        """Note that the origin could not be reached."""
        with self._lock:
            self._failures += 1
            self._trying_until = 0.0
            if self._failures >= self._limit:
                self._open_until = now + self._reset

    def gave_up(self) -> None:
        """Note that nothing was learnt, because the call was cancelled or refused before it was sent."""
        with self._lock:
            self._trying_until = 0.0

    @property
    def failures(self) -> int:
        """Failures in a row."""
        return self._failures
