"""Events in a file, a line of JSON each: written by a thread of its own, so that no call ever waits for a disk.

What cannot be written is dropped and counted, and the next line that can be says how many. A file that was moved away
(log rotation) is opened again under its name. Others cannot read it: events hold what people asked for.
"""

from __future__ import annotations

import os
from _queue import Empty, SimpleQueue
from _thread import allocate_lock, start_new_thread
from os import close as close_file  # bound before user code can replace them, as those below
from os import fstat, stat
from os import open as open_file
from os import write as write_bytes
from time import monotonic, sleep, time

from ..wire import jsonrpc
from . import logs
from .streams import move_aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_WAITING = 10_000
"""Events that wait to be written; those that come then are dropped."""

MAX_LINE = 16 * 1024
"""Bytes of one event; values are cut long before."""

BATCH_BYTES = 64 * 1024
"""What is written at once."""

GATHER_SECONDS = 0.005
"""How long the writer waits for more events after the first: each time it wakes costs the calls that run."""

CLOSE_SECONDS = 0.2
"""How long the end of the process waits for the last events."""

FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class EventFile:
    """Appends events to a file; the thread starts with the first of them. Raises OSError when it cannot be opened."""

    __slots__ = (
        "_complained", "_descriptor", "_dropped", "_identity", "_lock", "_path", "_queue", "_started", "_taken",
        "_torn", "_written",
    )  # fmt: skip

    def __init__(self, path: str) -> None:
        self._path = path
        self._identity = (0, 0)
        self._descriptor = self._open()
        self._queue: SimpleQueue[bytes] = SimpleQueue()
        self._lock = allocate_lock()
        self._started = False
        self._taken = self._written = self._dropped = 0
        self._torn = False
        self._complained = False

    def take(self, _: dict[str, Any], line: bytes) -> None:
        """Have an event written. Never raises, never waits."""
        with self._lock:
            if self._taken - self._written >= MAX_WAITING or len(line) > MAX_LINE:
                self._dropped += 1
                return
            self._taken += 1
            self._queue.put(line + b"\n")
            if not self._started:
                try:
                    start_new_thread(self._run, ())
                    self._started = True
                except (RuntimeError, MemoryError):
                    pass  # no thread is free: the next event tries again

    def close(self) -> None:
        """Wait until what was taken is written, a moment at most."""
        until = monotonic() + CLOSE_SECONDS
        while self._taken > self._written and monotonic() < until:
            sleep(0.002)

    def _run(self) -> None:
        while True:
            lines = [self._queue.get()]
            sleep(GATHER_SECONDS)
            size = len(lines[0])
            try:
                while size < BATCH_BYTES:
                    lines.append(self._queue.get_nowait())
                    size += len(lines[-1])
            except Empty:
                pass
            try:
                lost = 0 if self._write(lines) else len(lines)
            except BaseException:  # noqa: BLE001 # the thread is worth more than what went wrong in it
                lost = len(lines)
            with self._lock:
                self._written += len(lines)
                self._dropped += lost

    def _write(self, lines: list[bytes]) -> bool:
        """Write lines, after one that says how many were lost before; False when they could not be written."""
        dropped, data = self._dropped, b"".join(lines)
        if dropped:
            data = jsonrpc.encode({"timestamp": round(time(), 3), "dropped": dropped}) + b"\n" + data
        if self._torn:
            data = b"\n" + data
        done = 0
        try:
            self._look()
            while done < len(data):
                done += write_bytes(self._descriptor, data[done:])
        except OSError as error:
            self._torn = data[done - 1 : done] != b"\n" if done else self._torn
            if not self._complained:
                self._complained = True
                logs.warning(f"events cannot be written: {error.strerror}; they are dropped until they can")
            return False
        self._torn = self._complained = False
        with self._lock:
            self._dropped -= dropped
        return True

    def _open(self) -> int:
        opened = move_aside(open_file(self._path, FLAGS, 0o600))
        found = fstat(opened)
        self._identity = (found.st_dev, found.st_ino)
        return opened

    def _look(self) -> None:
        """Open the file again if it was moved, or if user code closed it; raises OSError."""
        ours = _identity(fstat, self._descriptor) == self._identity
        if ours and _identity(stat, self._path) == self._identity:
            return
        if ours:  # otherwise the number is somebody else's by now
            close_file(self._descriptor)
        self._identity = (0, 0)
        self._descriptor = self._open()


def _identity(look: Callable[[Any], os.stat_result], place: object) -> tuple[int, int] | None:
    """Return what tells a file from others, None where there is none."""
    try:
        found = look(place)
    except OSError:
        return None
    return found.st_dev, found.st_ino
