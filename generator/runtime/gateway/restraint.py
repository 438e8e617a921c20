"""Children that say very much are read slowly, so that they take no time from others."""

from __future__ import annotations

from time import monotonic, sleep

MAX_NOISE = 2_000
"""Messages within a second, none of them an answer, after which a child is read slowly."""

NOISE_SECONDS = 1.0

REST_SECONDS = 0.1
"""Pause after each read of such a child: its noise then costs others a few percent of a processor."""


class Restraint:
    """Counts what one child says without being asked; for one thread."""

    __slots__ = ("_count", "_since")

    def __init__(self) -> None:
        self._count = 0
        self._since = 0.0

    def rest(self, count: int) -> bool:
        """Count messages that came together and answer nothing, and rest where there are too many; 0: one answers.

        Return whether it rested: then little is to be read in one piece.
        """
        if not count:
            self._count = 0
            return False
        now = monotonic()
        if now - self._since > NOISE_SECONDS:
            self._since, self._count = now, 0
        self._count += count
        if self._count <= MAX_NOISE:
            return False
        sleep(REST_SECONDS)
        return True
