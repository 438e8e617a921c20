"""Threads for synchronous tools that take their time, started as they are needed and kept for the next call.

A thread cannot be ended from outside. When its call timed out or was cancelled the thread is *abandoned*: the pool may
start another in its place, up to a cap, beyond which calls are refused instead of piling up (decision 23).
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

    __slots__ = ("_abandoned", "_idle", "_lock", "_pending", "_queue", "_run", "_running", "_threads")

    def __init__(self, run: Callable[[Call], None]) -> None:
        self._run = run
        self._queue: SimpleQueue[Call] = SimpleQueue()
        self._lock = allocate_lock()
        self._threads = 0
        self._idle = 0
        self._pending = 0
        self._running: set[Call] = set()
        self._abandoned: set[Call] = set()

    def submit(self, call: Call) -> bool:
        """Queue a call; False when the pool is full of abandoned or waiting calls and it must be refused."""
        with self._lock:
            if self._pending >= limits.MAX_QUEUED or len(self._abandoned) >= limits.MAX_ABANDONED:
                return False
            if self._pending >= self._idle and self._threads < limits.MAX_WORKERS + len(self._abandoned):
                try:
                    start_new_thread(self._work, ())
                    self._threads += 1
                except (RuntimeError, MemoryError):  # the system has no thread left: wait for one of ours
                    if self._threads <= len(self._abandoned):
                        return False
            self._pending += 1
        self._queue.put(call)
        return True

    def adopt(self, call: Call) -> None:
        """Count a call that turned out slow on the reading thread as running here."""
        with self._lock:
            self._running.add(call)

    def abandon(self, call: Call) -> None:
        """Stop counting on the thread that runs this call, if one does."""
        with self._lock:
            if call in self._running:
                self._abandoned.add(call)

    def settle(self, call: Call) -> bool:
        """Note that the call's thread is back; False when the thread is one too many and should end."""
        with self._lock:
            self._running.discard(call)
            if call in self._abandoned:
                self._abandoned.remove(call)
                return self._threads <= limits.MAX_WORKERS
            return True

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
