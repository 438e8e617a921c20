"""How much may be made of a description: in proportion to its size, so that a small one cannot ask for everything.

A part of a description may be shared by all of its operations, and an operation by many paths: what is made then grows
with the product, and a document of a hundred kilobytes can ask for days of work. Whoever makes something takes room for
it first; when there is no more, the operation at hand and those behind it are left out and reported.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

RULE = "outgrown-description"
"""The rule of what is left out."""

OUTGROWN = "parts that are shared make more of the description than a server is made of; the operation is left out"
"""What is said of an operation that finds no room."""


ALONE = "this operation alone makes more of the description than a server is made of; it is left out"
"""What is said of an operation for which there would be no room either if it were the only one."""


class Full(Exception):
    """There is no more room; `alone` tells that what was begun last does not fit in by itself."""

    def __init__(self, *, alone: bool = False) -> None:
        super().__init__(alone)
        self.alone = alone


class Room:
    """Counts what is made; `least` is always there, `share` more for each byte of the description.

    What is made for operations that nobody asked for is counted by itself (`wanted`): it takes no room from the others.
    """

    __slots__ = ("_least", "_limit", "_own", "_share", "_size", "_taken", "wanted")

    def __init__(self, least: int, share: float, size: Callable[[], int] = int) -> None:
        self._least = least
        self._share = share
        self._size = size
        self._limit = least
        self._taken = {True: 0, False: 0}
        self._own = 0
        self.wanted = True

    def has(self, amount: int) -> bool:
        """Tell whether so much could be taken."""
        taken = self._taken[self.wanted] + amount
        if taken > self._limit:
            # files that are referred to are read on the way, so the size is asked for as late as possible
            self._limit = self._least + int(self._share * self._size())
        return taken <= self._limit

    def begin(self) -> None:
        """Begin with another operation: what is taken from now on is its own."""
        self._own = 0

    def take(self, amount: int = 1, *, own: bool = True) -> None:
        """Take room; raises Full when there is none left, now and whenever it is asked again."""
        self._own += amount if own else 0
        taken = self._taken[self.wanted] + amount
        if taken > self._limit and not self.has(amount):
            self._taken[self.wanted] = sys.maxsize
            raise Full(alone=self._own > self._limit)
        self._taken[self.wanted] = taken


def hint_for(path: str, *, alone: bool = False) -> str:
    """Return what to do about an operation that found no room, with an option to paste."""
    if alone:
        return f"Leave it out for the others' sake: `--exclude-path '{path}'`; or cut what it refers to by an overlay."
    return f"Serve a part of it: `--include-path '{path}'`, or others by --include-path, --methods and --include-tag."
