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
    """Runs jobs, which must not raise, on at most `most` threads; what is too much waits."""

    __slots__ = ("_idle", "_jobs", "_lock", "_most", "_threads")

    def __init__(self, most: int) -> None:
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = allocate_lock()
        self._most = most
        self._threads = 0
        self._idle = 0

    def do(self, job: Callable[[], None]) -> None:
        """Have a job done. Raises RuntimeError when the system has no thread left for the first one."""
        with self._lock:
            self._jobs.put(job)
            if self._idle >= self._jobs.qsize() or self._threads >= self._most:
                return
            try:
                start_new_thread(self._work, ())
            except RuntimeError:
                if not self._threads:
                    self._jobs.get()
                    raise
                return  # those that there are will come to it
            self._threads += 1

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            try:
                job = self._jobs.get(timeout=IDLE_SECONDS)
            except Empty:
                job = None
            with self._lock:
                self._idle -= 1
                if job is None and self._jobs.empty():
                    self._threads -= 1
                    return
            if job is not None:
                job()
