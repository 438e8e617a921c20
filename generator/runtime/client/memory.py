"""Giving memory back to the system after a large answer.

Reading and masking ten megabytes makes several copies of them. The C library's allocator keeps what was freed, for each
thread that ever did so; a few large answers then hold hundreds of megabytes that nobody uses.
"""

from __future__ import annotations

import sys

LARGE_BYTES = 1024 * 1024
"""Size of an answer after which looking for what can be given back is worth its milliseconds."""


def give_back(size: int) -> None:
    """Have the allocator give back what is free, after an answer of this size; only glibc has to be told."""
    if size < LARGE_BYTES or not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)
    except (ImportError, OSError, AttributeError):  # another C library, or a Python without foreign functions
        return
