"""Put back what user code took from the whole process: builtins, standard descriptors and streams.

A tool may delete a builtin, close descriptor 1 or replace `sys.stdout` by something that raises. Its own call fails or
not; everybody else's must go on. What a module replaced by something that works (`builtins.print`, a log file as
`sys.stdout`) stays as it is.
"""

from __future__ import annotations

import builtins
import sys

from . import system
from .streams import ensure_open, reopen

_present = vars(builtins)
_known = dict(_present)
_callable = callable
builtins_count = _present.__len__
"""Counts the builtins: the quick look for a deleted one."""


class _Seen:
    """What `is_damaged` compares with; a module may add builtins of its own."""

    __slots__ = ("builtins",)

    def __init__(self) -> None:
        self.builtins = builtins_count()


_seen = _Seen()


def is_damaged() -> bool:
    """Look quickly, after every call: deleted builtins and closed streams. The rest waits for `restore`."""
    try:
        return builtins_count() != _seen.builtins or sys.stdout.closed or sys.stderr.closed
    except:  # noqa: E722 # None, or an object of the user's that raises; `Exception` itself may have been deleted
        return True


def restore() -> None:
    """Put everything back; does nothing, in a few microseconds, when nothing is missing."""
    _restore_builtins()
    _restore_descriptors()
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        if not _is_usable(name):
            setattr(sys, name, reopen(descriptor))
    _seen.builtins = builtins_count()


def _restore_builtins() -> None:
    """Put back builtins that are gone or cannot be called any more; uses none of them."""
    if _present == _known:
        return
    for name, known in _known.items():
        if name not in _present or (_callable(known) and not _callable(_present[name])):
            _present[name] = known
    _known.update(_present)  # what works stays


def _restore_descriptors() -> None:
    """Open the standard descriptors that were closed: the next file opened would get their number, and the prints."""
    try:
        ensure_open(0)
        ensure_open(2)
        if ensure_open(1):
            system.dup2(2, 1)
    except OSError:
        pass  # no descriptor is free: the next call tries again


def _is_usable(name: str) -> bool:
    try:
        stream = getattr(sys, name)
        return not getattr(stream, "closed", False) and callable(stream.write)
    except BaseException:  # noqa: BLE001 # an object of the user's that raises, or no stream at all
        return False
