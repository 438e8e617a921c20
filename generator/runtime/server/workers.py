"""Threads for synchronous tools that take their time, started as they are needed and kept for the next call.

A thread cannot be ended from outside. When its call timed out or was cancelled the thread is *abandoned*: the pool may
start another in its place, up to a cap, beyond which calls are refused instead of piling up (decision 23). One whose
call waits for somebody's answer is *parked*, and does not count either until the answer is there; then there may be
more threads than usual for a while, and the first that has nothing to do ends.
"""

from __future__ import annotations

from _queue import SimpleQueue
from _thread import allocate_lock, start_new_thread

from ..wire import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .call import Call


class Workers:
    """A pool; `run` executes and answers one call, if that is still wanted, and never raises."""

    __slots__ = ("_abandoned", "_idle", "_lock", "_parked", "_pending", "_queue", "_run", "_running", "_threads")

    def __init__(self, run: Callable[[Call], None]) -> None:
        self._run = run
        self._queue: SimpleQueue[Call] = SimpleQueue()
        self._lock = allocate_lock()
        self._threads = 0
        self._idle = 0
        self._pending = 0
        self._running: set[Call] = set()
        self._abandoned: set[Call] = set()
        self._parked: set[Call] = set()

    def submit(self, call: Call) -> bool:
        """Queue a call; False when the pool is full of abandoned or waiting calls and it must be refused."""
        with self._lock:
            if self._pending >= limits.MAX_QUEUED or len(self._abandoned) >= limits.MAX_ABANDONED:
                return False
            if self._pending >= self._idle and self._threads < self._most():
                try:
                    self._start()
                except (RuntimeError, MemoryError):  # the system has no thread left: wait for one of ours
                    if self._threads <= len(self._abandoned) + len(self._parked):
                        return False
            self._pending += 1
        self._queue.put(call)
        return True

    def _most(self) -> int:
        """Return how many threads there may be now."""
        return limits.MAX_WORKERS + len(self._abandoned) + len(self._parked)

    def _start(self) -> None:
        start_new_thread(self._work, ())
        self._threads += 1

    def park(self, call: Call) -> None:
        """Stop counting on the thread that runs this call until `unpark`: it waits for somebody's answer."""
        with self._lock:
            if call not in self._running or call in self._abandoned or len(self._parked) >= limits.MAX_PARKED:
                return
            self._parked.add(call)
            if self._pending > self._idle and self._threads < self._most():
                try:
                    self._start()
                except (RuntimeError, MemoryError):
                    return  # what is queued waits for another thread

    def unpark(self, call: Call) -> None:
        """Count on the thread that runs this call again."""
        with self._lock:
            self._parked.discard(call)

    def adopt(self, call: Call) -> None:
        """Count a call that turned out slow on the reading thread as running here."""
        with self._lock:
            self._running.add(call)

    def abandon(self, call: Call) -> None:
        """Stop counting on the thread that runs this call, if one does."""
        with self._lock:
            if call in self._running:
                self._abandoned.add(call)
                self._parked.discard(call)

    def settle(self, call: Call) -> bool:
        """Note that the call's thread is back; False when the thread is one too many and should end."""
        with self._lock:
            self._running.discard(call)
            self._abandoned.discard(call)
            self._parked.discard(call)
            return self._threads <= self._most()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            call = self._queue.get()
            with self._lock:
                self._idle -= 1
                self._pending -= 1
                self._running.add(call)
            try:
                self._run(call)
            except:  # noqa: E722, S110 # the thread is worth more than what went wrong in it
                pass
            if not self.settle(call):
                break
        with self._lock:
            self._threads -= 1
