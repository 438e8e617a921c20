"""The writing end: whole lines from any thread, collected so that a burst of answers costs one system call."""

from __future__ import annotations

from _thread import allocate_lock

from . import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FLUSH_BYTES = 64 * 1024
"""Collected answers beyond this are written at once: the size of a Linux pipe."""

HOLD_SECONDS = 0.001
"""How long answers of a burst wait for each other. Less would cost more in wake-ups of the client than it gains."""


class Output:
    """Lines for the client. `gone` is called, once a write fails, when the client no longer reads."""

    __slots__ = ("_descriptor", "_gone", "_lock", "_parts", "_since", "_size")

    def __init__(self, descriptor: int, gone: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._gone = gone
        self._lock = allocate_lock()
        self._parts: list[bytes] = []
        self._since = 0.0
        self._size = 0

    def put(self, line: bytes, now: float = 0.0) -> None:
        """Collect a line; it leaves with the next flush, or when the first one collected has waited long enough."""
        if not self._parts:
            self._since = now
        self._parts.append(line)
        self._size += len(line)
        if self._size > FLUSH_BYTES or now - self._since > HOLD_SECONDS:
            self.flush()

    def send(self, line: bytes) -> None:
        """Write a line, and what was collected before it, now."""
        self._parts.append(line)
        self.flush()

    def flush(self) -> None:
        """Write everything collected so far, in order."""
        with self._lock:
            while self._parts:
                parts = self._parts[:]  # copied and cut, never replaced: others append to it without the lock
                del self._parts[: len(parts)]
                self._size = 0
                self._write(b"".join(parts))

    def is_unread(self) -> bool:
        """Say whether the client closed its reading end, which no write has shown yet."""
        from select import poll

        look = poll()
        look.register(self._descriptor, 0)  # errors and hang-ups are always told
        return bool(look.poll(0))

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[system.write(self._descriptor, view) :]
            except BlockingIOError:
                _wait_writable(self._descriptor)
            except OSError:
                self._gone()
                return


def _wait_writable(descriptor: int) -> None:
    """Wait for a client that handed over a non-blocking pipe and is slow to read."""
    from select import select

    select([], [descriptor], [], 1.0)
