"""A process that is checked: bounded in time and memory, ended with all of its group.

Nothing is believed of it. Its standard output is read by a thread of our own into a bounded store of lines, its
standard error is drained and only the end kept, and whoever waits does so until a deadline. It has a process group of
its own, so that what it started is found and ended with it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections import deque
from typing import IO, TYPE_CHECKING, Self

from .finding import shown
from .groups import end_group, living_members, signal_group

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

MAX_LINE = 32 << 20
"""Bytes of one line on standard output: twice what servers of ours write as a result."""

MAX_PENDING = 64 << 20
"""Bytes of lines that wait to be looked at; the reader stops there, and so does a child that floods."""

MAX_STDERR = 256 << 20
"""Bytes of standard error until a child is held to flood it; it is drained without being kept."""

STDERR_TAIL = 8_192
"""Bytes of standard error that are kept: the end, where the cause stands."""

MAX_WORDS = 200
"""Characters of its last line."""

LEAVING_SECONDS = 2.0
"""Time between SIGTERM and SIGKILL, and for the rest of a group to end after its leader."""

_PIECE = 65_536


class Child:
    """A running process; use it as a context manager, so that it never outlives its use."""

    def __init__(self, argv: Sequence[str], *, cwd: Path | None, env: Mapping[str, str] | None) -> None:
        """Start it; raises OSError."""
        self.begun = time.monotonic()
        self.flood: str | None = None  # why reading stopped
        self.closed = False  # no line will come
        self.orphans = 0  # members of the group that had to be ended after it
        self._lines: deque[bytes] = deque()
        self._pending = 0
        self._state = threading.Condition()
        self._stopped = False
        self._tail = bytearray()
        self._process = subprocess.Popen(  # noqa: S603 - what the user names, as a list, no shell
            [*argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=None if env is None else {**env},
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=read, daemon=True, args=(stream,))
            for read, stream in ((self._read_lines, self._process.stdout), (self._drain, self._process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def status(self) -> int | None:
        """The exit status, None while it runs."""
        return self._process.poll()

    @property
    def stderr(self) -> str:
        """The end of what it wrote on standard error, a line each."""
        return bytes(self._tail[-STDERR_TAIL:]).decode("utf-8", "replace")

    @property
    def last_words(self) -> str:
        """The last line that it wrote on standard error, where the cause stands; empty without one."""
        lines = self.stderr.strip().splitlines()
        return shown(lines[-1].strip(), MAX_WORDS) if lines else ""

    def write(self, data: bytes, deadline: float) -> bool:
        """Write to its standard input; False when it does not take it: it has gone, or reads nothing until then."""
        stream = self._process.stdin
        if stream is None or stream.closed:
            return False
        done = threading.Event()
        writer = threading.Thread(target=_write, args=(stream, data, done), daemon=True)
        writer.start()
        writer.join(max(deadline - time.monotonic(), 0.001))
        return done.is_set()

    def next_line(self, deadline: float) -> bytes | None:
        """Return its next line of output, None when none came by the deadline or none will."""
        with self._state:
            while not self._lines:
                rest = deadline - time.monotonic()
                if self.closed or rest <= 0:
                    return None
                self._state.wait(rest)
            line = self._lines.popleft()
            self._pending -= len(line)
            self._state.notify_all()
            return line

    def first_line(self, seconds: float) -> bytes | None:
        """Return a line of one that has ended, None when it wrote none; what it wrote may still have to be read."""
        return self.next_line(time.monotonic() + seconds)

    def close_input(self) -> None:
        """Close its standard input, as a client that leaves does."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def terminate(self) -> None:
        """Send SIGTERM to it alone, as a client does."""
        with contextlib.suppress(OSError):
            self._process.terminate()

    def wait(self, seconds: float) -> float | None:
        """Return after how many seconds it ended, None when it has not by then."""
        begun = time.monotonic()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - begun

    def end(self) -> None:
        """End it and its group, whatever it takes."""
        with self._state:
            self._stopped = True
            self._state.notify_all()
        pid = self._process.pid
        if self._process.poll() is None:
            signal_group(self._process, hard=False)
            if self.wait(LEAVING_SECONDS) is None:
                signal_group(self._process, hard=True)
                self.wait(LEAVING_SECONDS)
        until = time.monotonic() + LEAVING_SECONDS
        while (left := living_members(pid)) and time.monotonic() < until:
            time.sleep(0.02)
        self.orphans = max(self.orphans, left)
        if left:
            end_group(pid)
        for reader in self._readers:
            reader.join(LEAVING_SECONDS)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None and not any(reader.is_alive() for reader in self._readers):
                with contextlib.suppress(OSError):
                    stream.close()

    def _read_lines(self, stream: IO[bytes]) -> None:
        """Take standard output apart into lines, until its end or until it is too much."""
        rest = bytearray()
        while not self._stopped and (piece := _piece(stream)):
            rest += piece
            whole: list[bytearray] = []
            if b"\n" in piece:  # a long line is not copied with each of its pieces
                *whole, rest = rest.split(b"\n")
            if any(len(each) > MAX_LINE for each in (*whole, rest)):
                self.flood = f"one line of standard output has more than {MAX_LINE >> 20} MiB"
                break
            if not self._keep(bytes(each) + b"\n" for each in whole):
                break
        if rest and self.flood is None:
            self._keep([bytes(rest)])
        with self._state:
            self.closed = True
            self._state.notify_all()

    def _keep(self, lines: Iterable[bytes]) -> bool:
        """Store lines when there is room for them; False when nobody wants them any more."""
        with self._state:
            for line in lines:
                while self._pending > MAX_PENDING and not self._stopped:
                    self._state.wait(1.0)
                if self._stopped:
                    return False
                self._lines.append(line)
                self._pending += len(line)
            self._state.notify_all()
        return True

    def _drain(self, stream: IO[bytes]) -> None:
        taken = 0
        while piece := _piece(stream):
            taken += len(piece)
            self._tail += piece
            del self._tail[:-STDERR_TAIL]
            if taken > MAX_STDERR:
                self.flood = f"more than {MAX_STDERR >> 20} MiB came on standard error"
                signal_group(self._process, hard=True)
                return


def _piece(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), _PIECE)
    except (OSError, ValueError):
        return b""


def _write(stream: IO[bytes], data: bytes, done: threading.Event) -> None:
    try:
        stream.write(data)
        stream.flush()
    except (OSError, ValueError):
        return
    done.set()
