"""What goes to a child's standard input: collected, written in one call, and never waited for.

The pipe does not block. What a child does not read at once is written by a thread that lives only as long; a child that
reads nothing for long gets nothing more, so that memory stays bounded.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

MAX_WAITING_BYTES = 32 * 1024 * 1024
"""Bytes that wait for a child to read: three of the largest messages."""

POLL_MILLISECONDS = 2_000
"""How long the thread waits in one piece; it looks then whether the pipe was closed meanwhile."""

HANDFUL = 16
"""Messages that leave without a flush: the child works on them while the rest of a burst is still being read."""

AT_ONCE = 512
"""Messages in one system call; Linux takes 1024."""


class Outbox:
    """The sending end of a child's standard input; safe for any number of threads."""

    __slots__ = ("_lock", "_pipe", "_pumping", "_size", "_waiting")

    def __init__(self, pipe: IO[bytes]) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._pipe: IO[bytes] | None = pipe
        self._waiting: list[bytes | memoryview] = []
        self._size = 0
        self._pumping = False
        self._lock = allocate_lock()

    def put(self, data: bytes) -> bool:
        """Have bytes leave with the next flush, or as soon as there is a handful; False when too much waits already."""
        with self._lock:
            if self._size + len(data) > MAX_WAITING_BYTES:
                return False
            self._waiting.append(data)
            self._size += len(data)
            if len(self._waiting) >= HANDFUL:
                self._begin()
        return True

    def flush(self) -> None:
        """Write what waits, as far as the child takes it."""
        with self._lock:
            if self._waiting:
                self._begin()

    def _begin(self) -> None:
        """Write under the lock, on a thread what the child does not take at once."""
        if not self._pumping and not self._write():
            try:
                start_new_thread(self._pump, ())
                self._pumping = True  # it waits for the lock
            except RuntimeError:
                pass  # no thread can be started now: the next flush tries again

    def close(self) -> None:
        """End the child's input; what still waits is dropped."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            self._waiting.clear()
            self._size = 0
        if pipe is not None:
            pipe.close()

    def _write(self) -> bool:
        """Write under the lock; False when the child has to read first."""
        if self._pipe is None:
            self._waiting.clear()
            self._size = 0
            return True
        waiting = self._waiting
        while waiting:
            try:
                written = os.writev(self._pipe.fileno(), waiting[:AT_ONCE])
            except BlockingIOError:
                return False
            except OSError:  # nobody reads any more, which the child's end will tell
                waiting.clear()
                self._size = 0
                break
            if written == self._size:  # mostly
                waiting.clear()
                self._size = 0
                break
            self._size -= written
            done = 0
            while done < len(waiting) and written >= len(waiting[done]):
                written -= len(waiting[done])
                done += 1
            del waiting[:done]
            if written:
                waiting[0] = memoryview(waiting[0])[written:]
        return True

    def _pump(self) -> None:
        """Write on as the child reads."""
        import select

        while True:
            with self._lock:
                if self._write():
                    self._pumping = False
                    return
                descriptor = self._pipe.fileno() if self._pipe is not None else -1
            if descriptor >= 0:
                room = select.poll()
                room.register(descriptor, select.POLLOUT)
                room.poll(POLL_MILLISECONDS)
