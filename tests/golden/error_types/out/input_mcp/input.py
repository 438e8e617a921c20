"""Types that cannot be served, and one tool that can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nowhere import Thing


def call(function: Callable[[int], int]) -> int:
    """Call a function."""
    return function(1)


def make(thing: Thing) -> int:
    """Take a thing."""
    return 1


def untyped(value, count=3) -> int:
    """Take anything.

    Args:
        wrong: No such parameter.
    """
    return count


def fine(a: int) -> int:
    """Take a number.

    Args:
        a: The number.
    """
    return a
