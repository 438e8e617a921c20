"""The gateway's clock: one thread that sleeps until something is due, started with the first thing."""

from __future__ import annotations

from _heapq import heappop, heappush
from _thread import allocate_lock, start_new_thread
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOREVER = 3600.0
"""Seconds of a sleep with nothing due."""


class Alarm:
    """Calls functions when their time has come; they must neither raise nor block."""

    __slots__ = ("_bell", "_count", "_due", "_lock", "_started")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._bell = allocate_lock()
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._count = 0
        self._started = False

    def at(self, moment: float, function: Callable[[], object]) -> None:
        """Have a function called at a moment of the monotonic clock; raises RuntimeError without a thread."""
        with self._lock:
            self._count += 1  # functions have no order
            heappush(self._due, (moment, self._count, function))
            first = self._due[0][1] == self._count
            if not self._started:
                self._bell.acquire()
                start_new_thread(self._run, ())
                self._started = True
        if first:
            try:
                self._bell.release()
            except RuntimeError:  # it rings already
                pass

    def _run(self) -> None:
        while True:
            now = monotonic()
            with self._lock:
                function = heappop(self._due)[2] if self._due and self._due[0][0] <= now else None
                pause = self._due[0][0] - now if self._due else FOREVER
            if function is not None:
                function()
            else:
                self._bell.acquire(timeout=pause)
