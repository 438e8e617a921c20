"""When to stop: the deadline of an exchange, and how another thread ends it."""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


LONGEST_SECONDS = 86_400.0
"""The longest turn: the system's waits take no infinity."""


class Watch:
    """Lets a call run until its deadline or until `stop`, which may come from any thread.

    What blocks registers a closer, which `stop` calls at once: a blocked read ends because its socket is closed.
    """

    __slots__ = ("_closers", "_lock", "cancelled", "deadline")

    def __init__(self, seconds: float) -> None:
        self.deadline = monotonic() + seconds
        self.cancelled = False
        self._closers: list[Callable[[], None]] = []
        self._lock = allocate_lock()

    def remaining(self) -> float:
        """Return the seconds left, never below 0."""
        return max(0.0, self.deadline - monotonic())

    def on_stop(self, closer: Callable[[], None]) -> None:
        """Call `closer` when the call is stopped; at once when it already is."""
        with self._lock:
            if not self.cancelled:
                self._closers.append(closer)
                return
        closer()

    def forget(self, closer: Callable[[], None]) -> None:
        """Take back an `on_stop`; nothing happens when it is not there any more."""
        with self._lock:
            if closer in self._closers:
                self._closers.remove(closer)

    def stop(self) -> None:
        """Cancel the call: nothing more is sent, and what is blocked ends. Never raises."""
        with self._lock:
            self.cancelled = True
            closers, self._closers = self._closers, []
        for closer in closers:
            try:
                closer()
            except Exception:  # noqa: BLE001, S110 # the others are to be closed too
                pass


class Turn:
    """The `seconds` that one exchange has: its own or those left to its watch, whichever are fewer."""

    __slots__ = ("deadline", "seconds", "watch")

    def __init__(self, watch: Watch, seconds: float) -> None:
        self.watch = watch
        self.seconds = min(seconds, watch.remaining(), LONGEST_SECONDS)
        self.deadline = monotonic() + self.seconds

    def left(self) -> float:
        """Return the seconds left, more than 0. Raises TimeoutError when there are none or the call is stopped."""
        left = self.deadline - monotonic()
        if left <= 0 or self.watch.cancelled:
            raise TimeoutError
        return left

    def pause(self, seconds: float) -> bool:
        """Wait; False at once when the call is stopped or the time would not suffice."""
        from _queue import Empty, SimpleQueue

        if self.watch.cancelled or seconds >= self.deadline - monotonic():
            return False
        if seconds <= 0:
            return True
        stopped: SimpleQueue[None] = SimpleQueue()

        def wake() -> None:
            stopped.put(None)

        self.watch.on_stop(wake)
        try:
            stopped.get(timeout=seconds)
        except Empty:
            return not self.watch.cancelled
        finally:
            self.watch.forget(wake)
        return False
