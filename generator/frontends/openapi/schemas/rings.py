"""Tell which schemas lie on one ring: each leads to the other (strongly connected components, by Tarjan).

Every schema is looked at once, however many there are and however often it is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .raw import Key, Raw, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class _Step(NamedTuple):
    key: Key
    edges: Iterator[Raw]


class Rings:
    """The rings of a graph that is found out while it is walked."""

    __slots__ = ("_edges", "_rings", "_seen")

    def __init__(self, edges: Callable[[Raw], Iterable[Raw]]) -> None:
        self._edges = edges
        self._seen: dict[Key, int] = {}
        self._rings: dict[Key, int] = {}

    def together(self, target: Raw, home: Key) -> bool:
        """Tell whether a schema that `home` leads to leads back to it."""
        key = key_of(target.place)
        if key == home:
            return True
        if key not in self._rings:
            self._walk(target)
        return self._rings[key] == self._rings.get(home)

    def _walk(self, start: Raw) -> None:
        """Give a number to each ring of what `start` leads to; the stack is its own, since chains may be long."""
        lowest: dict[Key, int] = {}
        open_keys: list[Key] = []
        path: list[_Step] = []
        self._enter(start, lowest, open_keys, path)
        while path:
            key, edges = path[-1]
            target = next(edges, None)
            if target is None:
                path.pop()
                if path:
                    above = path[-1].key
                    lowest[above] = min(lowest[above], lowest[key])
                self._close(key, lowest, open_keys)
                continue
            reached = key_of(target.place)
            if reached not in self._seen:
                self._enter(target, lowest, open_keys, path)
            elif reached not in self._rings:
                lowest[key] = min(lowest[key], self._seen[reached])

    def _enter(self, raw: Raw, lowest: dict[Key, int], open_keys: list[Key], path: list[_Step]) -> None:
        key = key_of(raw.place)
        self._seen[key] = lowest[key] = len(self._seen)
        open_keys.append(key)
        path.append(_Step(key, iter(self._edges(raw))))

    def _close(self, key: Key, lowest: dict[Key, int], open_keys: list[Key]) -> None:
        """Give a ring its number when its first schema is done."""
        if lowest[key] != self._seen[key]:
            return
        while open_keys:
            member = open_keys.pop()
            self._rings[member] = self._seen[key]
            if member == key:
                return
