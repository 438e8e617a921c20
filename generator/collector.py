"""Python's cyclic garbage collector, kept from walking what is being built."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

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


def _take_for_old() -> None:
    """Count what there is among the oldest: else all of it would be walked at once, since so much of it is new."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
