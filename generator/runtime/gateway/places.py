"""How many calls run at once, in each child and in all: who waits, and whose turn it is.

Of the places in all, one is set aside for each child as long as there are more places than children, so that children
whose calls never end cannot take what another needs to answer at all. The rest goes round among the children that wait.
Callers hold the lock of the children.
"""

from __future__ import annotations

from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .child import Child


class Places:
    """The places in all; with `most` None there is no end of them."""

    __slots__ = ("_free", "_waiting", "limited")

    def __init__(self, most: int | None, children: int) -> None:
        self.limited = bool(most)
        self._free = max(most - children, 0) if most else 0  # what is not set aside
        self._waiting: deque[Child] = deque()

    def take(self, child: Child) -> bool:
        """Take a place for one more call of a child; False when it has to wait for `next` to name it."""
        if not self.limited or not child.active:
            return True  # there is no limit, or it is the place that is set aside for this child
        if self._free:
            self._free -= 1
            return True
        if child not in self._waiting:
            self._waiting.append(child)
        return False

    def give(self, child: Child) -> None:
        """Give a place back; `child` has one call less already."""
        if self.limited and child.active:
            self._free += 1

    @property
    def contested(self) -> bool:
        """Whether somebody waits for a place in all."""
        return bool(self._waiting)

    def next(self) -> Child | None:
        """Return the child that may take the place that is free now."""
        return self._waiting.popleft() if self._free and self._waiting else None
