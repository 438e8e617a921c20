"""When a child that keeps failing may be started again: after a pause, ever longer, and at last hardly at all.

The clock is an argument. A failure is a start that came to nothing, or a child that ended by itself; the first answer
puts everything right.
"""

from __future__ import annotations

FIRST_PAUSE = 0.1
"""Seconds before another start after the first failure, doubled with each: somebody may be replacing its files."""

LONGEST_PAUSE = 30.0
"""The longest such pause, in seconds: about as long as a person waits before trying again by hand."""

DEAD_AFTER = 10
"""Failures in a row after which a child counts as dead: by then it had more than a minute."""

DEAD_PAUSE = 300.0
"""Seconds between two tries to start a dead child: gateways live for days, and what was missing may be there again."""


class Breaker:
    """Counts one child's failures in a row and says when it may be started."""

    __slots__ = ("_until", "failures")

    def __init__(self) -> None:
        self.failures = 0
        self._until = 0.0

    def failed(self, now: float) -> None:
        """Note a failure."""
        self.failures += 1
        pause = min(FIRST_PAUSE * 2.0 ** min(self.failures - 1, DEAD_AFTER), LONGEST_PAUSE)
        self._until = now + (DEAD_PAUSE if self.is_dead else pause)

    def succeeded(self) -> None:
        """Forget the failures."""
        self.failures = 0
        self._until = 0.0

    def pause(self, now: float) -> float:
        """Return in how many seconds the child may be started; none when it may be now."""
        return max(0.0, self._until - now)

    @property
    def is_dead(self) -> bool:
        """Whether it failed so often that it is left alone for long."""
        return self.failures >= DEAD_AFTER
