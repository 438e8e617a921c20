"""Undo what user code may have done to the process, each time it has run.

The recursion limit is put back: a tool that sets it to ten would break every later call. So is the limit of an
integer's digits: an answer could not name a long id. Streams that it closed and builtins that it deleted come back.
And a child that a tool forked ends here, because it would come back into the server's own loop and answer the same
client a second time.
"""

from __future__ import annotations

from os import _exit, getpid
from sys import get_int_max_str_digits, getrecursionlimit, set_int_max_str_digits, setrecursionlimit

from .restoring import is_damaged, restore

PROCESS = getpid()


class _Limits:
    """The limits that hold between calls: a module may raise them while it is imported, a call may not change them."""

    __slots__ = ("digits", "recursion")

    def __init__(self) -> None:
        self.recursion = getrecursionlimit()
        self.digits = get_int_max_str_digits()


_limits = _Limits()


def look_after_process() -> None:
    """Put the process right; does not return in a forked child."""
    if getpid() != PROCESS:
        _exit(0)
    if getrecursionlimit() != _limits.recursion:
        setrecursionlimit(_limits.recursion)
    if get_int_max_str_digits() != _limits.digits:
        set_int_max_str_digits(_limits.digits)
    if is_damaged():
        restore()


def accept_higher_limits() -> None:
    """Keep higher limits that a module asked for when it was imported; 0 digits stand for no limit."""
    _limits.recursion = max(_limits.recursion, getrecursionlimit())
    digits = get_int_max_str_digits()
    if digits == 0 or 0 < _limits.digits < digits:
        _limits.digits = digits
