"""A standard error that nobody reads: a host may give the server a pipe and forget it.

Once that pipe is full, whoever prints waits for ever, and call after call runs into its time-out. So when standard
error takes nothing for a while, descriptors 1 and 2 lead to the null device until it does again, and where the system
lets us (a pipe on Linux), the oldest output is thrown away, so that threads that already wait come free. What is lost
is output that nobody took; a line says so.
"""

from __future__ import annotations

from select import select
from time import monotonic

from . import system
from .streams import set_aside

STALL_SECONDS = 1.0
"""How long standard error may take nothing; a busy reader comes by earlier."""

GULP_BYTES = 64 * 1024
"""What is thrown away at once: a pipe full."""

FILE_TYPE, FIFO = 0o170000, 0o010000
"""Bits of `st_mode`, as in `stat`."""

NOTE = b"\n[standard error was not read; some output was dropped]\n"


class Congestion:
    """Watches standard error; `look` is called now and then while calls run."""

    __slots__ = ("_aside", "_since")

    def __init__(self) -> None:
        self._aside: int | None = None
        self._since = 0.0

    def look(self) -> None:
        """Divert output when standard error takes none, bring it back when it does. Raises OSError when it cannot."""
        descriptor = 2 if self._aside is None else self._aside
        if select((), (descriptor,), (), 0)[1]:
            self._since = 0.0
            if self._aside is not None:
                self._come_back(self._aside)
            return
        self._since = self._since or monotonic()
        if monotonic() - self._since < STALL_SECONDS:
            return
        if self._aside is None:
            self._aside = self._divert()
        _throw_away(self._aside)

    def _divert(self) -> int:
        aside = set_aside(2)
        null = system.open(system.DEVNULL, system.O_RDWR)
        system.dup2(null, 2)
        system.dup2(null, 1)
        system.close(null)
        return aside

    def _come_back(self, aside: int) -> None:
        system.dup2(aside, 2)
        system.dup2(aside, 1)
        system.close(aside)
        self._aside = None
        system.write(2, NOTE)


def _throw_away(descriptor: int) -> None:
    """Read what a full pipe holds through a second opening of it."""
    if system.fstat(descriptor).st_mode & FILE_TYPE != FIFO:
        return
    import os

    try:
        reader = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_NONBLOCK)
    except OSError:  # no Linux
        return
    try:
        system.read(reader, GULP_BYTES)
    except BlockingIOError:
        pass  # somebody read it
    finally:
        system.close(reader)
