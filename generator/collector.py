"""Python's cyclic garbage collector, kept from walking what is being built."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch the collector off for the block, and on again if it was on.

    For blocks that make many values and drop few in cycles: a description, the tools of its API, their files.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            _take_for_old()
            gc.enable()


_kept: list[object] = []
_keeps = False

Value = TypeVar("Value")


def keep_to_the_end() -> None:
    """Keep every value that is `kept` from now on until the process ends, which need not take it apart then."""
    global _keeps  # noqa: PLW0603 - what holds for a process is told once, by who starts it
    _keeps = True


def kept(value: Value) -> Value:
    """Return a value, large and soon not needed any more, which stays where the process is about to end."""
    if _keeps:
        _kept.append(value)
    return value


def _take_for_old() -> None:
    """Count what there is among the oldest: else all of it would be walked at once, since so much of it is new."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
