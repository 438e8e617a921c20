"""Children that say very much are read slowly, so that they take no time from others.

Every read takes the interpreter's lock from whoever uses it; what counts is how many there are, not how long they are.
"""

from __future__ import annotations

from time import monotonic, sleep

MAX_NOISE = 2_000
"""Messages within a second, none of them an answer, after which a child is read slowly."""

NOISE_SECONDS = 1.0

REST_SECONDS = 0.1
"""Pause after each read of such a child: its noise then costs others a few percent of a processor."""

MURMUR = 50
"""Messages within a second, none of them an answer, after which a child's next ones are let gather."""

GATHER_SECONDS = 0.002

LONG_BYTES = 256 * 1024
"""Of one message, after which the rest of it is read no quicker than a pipe of 64 KiB every PIECE_SECONDS."""

PIECE_SECONDS = 0.0005


class Restraint:
    """Counts what one child says without being asked, and how much of one message; for one thread."""

    __slots__ = ("_count", "_open", "_since")

    def __init__(self) -> None:
        self._count = 0
        self._open = 0
        self._since = 0.0

    def rest(self, count: int) -> bool:
        """Count messages that came together and answer nothing, and rest where there are too many; 0: one answers.

        Return whether it rested: then little is to be read in one piece.
        """
        self._open = 0
        if not count:
            self._count = 0
            return False
        now = monotonic()
        if now - self._since > NOISE_SECONDS:
            self._since, self._count = now, 0
        self._count += count
        if self._count <= MAX_NOISE:
            if self._count > MURMUR:
                sleep(GATHER_SECONDS)
            return False
        sleep(REST_SECONDS)
        return True

    def go_on(self, size: int) -> None:
        """Count bytes of a message that has no end yet, and rest where it is a long one."""
        self._open += size
        if self._open > LONG_BYTES:
            sleep(PIECE_SECONDS)
