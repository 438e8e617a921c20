"""Threads for requests that are open at once: started when they are needed, at most so many, and gone when idle."""

from __future__ import annotations

from _queue import Empty, SimpleQueue
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

IDLE_SECONDS = 10.0
"""How long a thread waits for more to do: bursts follow one another, and a thread costs memory."""


class Crew:
    """Runs jobs, which must not raise, on at most `most` threads; what is too much waits.

    `_free` counts threads that wait and have no job coming, `_late` jobs that no thread is coming for. Whoever hands a
    job over settles under the lock which of the two counts changes, so that no job waits behind a long one while there
    may be another thread.
    """

    __slots__ = ("_free", "_jobs", "_late", "_lock", "_most", "_threads")

    def __init__(self, most: int) -> None:
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = allocate_lock()
        self._most = most
        self._threads = 0
        self._free = 0
        self._late = 0

    def do(self, job: Callable[[], None]) -> None:
        """Have a job done. Raises RuntimeError when the system has no thread for the first one."""
        with self._lock:
            if self._free:
                self._free -= 1
            elif self._threads >= self._most or not self._started():
                self._late += 1
            self._jobs.put(job)

    def _started(self) -> bool:
        """Start a thread; False when the system has none left, but those that there are will come to the job."""
        try:
            start_new_thread(self._work, ())
        except RuntimeError:
            if not self._threads:
                raise
            return False
        self._threads += 1
        return True

    def _work(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=IDLE_SECONDS)
            except Empty:
                if self._dismissed():
                    return
                continue
            job()
            with self._lock:
                if self._late:
                    self._late -= 1
                else:
                    self._free += 1

    def _dismissed(self) -> bool:
        """Say whether a thread that waited in vain may go; not when a job has just been meant for it."""
        with self._lock:
            if not self._free:
                return False
            self._free -= 1
            self._threads -= 1
            return True
