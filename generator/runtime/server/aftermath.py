"""Undo what user code may have done to the process, each time it has run.

The recursion limit is put back: a tool that sets it to ten would break every later call. Streams that it closed and
builtins that it deleted come back. And a child that a tool forked ends here, because it would come back into the
server's own loop and answer the same client a second time.
"""

from __future__ import annotations

from os import _exit, getpid
from sys import getrecursionlimit, setrecursionlimit

from .restoring import is_damaged, restore

PROCESS = getpid()


class _RecursionLimit:
    """The limit that holds between calls: a module may raise it while it is imported, a call may not change it."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = getrecursionlimit()


_limit = _RecursionLimit()


def look_after_process() -> None:
    """Put the process right; does not return in a forked child."""
    if getpid() != PROCESS:
        _exit(0)
    if getrecursionlimit() != _limit.value:
        setrecursionlimit(_limit.value)
    if is_damaged():
        restore()


def accept_higher_limit() -> None:
    """Keep a higher recursion limit that a module asked for when it was imported."""
    _limit.value = max(_limit.value, getrecursionlimit())
