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
            gc.enable()
