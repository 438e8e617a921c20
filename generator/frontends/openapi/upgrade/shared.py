"""Parts of a description that many operations refer to: each is read once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from ..place import Place
    from .findings import Findings

Part = TypeVar("Part")


class Shared:
    """What was read of values, known by the value and its place themselves: a reference leads to the same ones."""

    __slots__ = ("_findings", "_parts")

    def __init__(self, findings: Findings) -> None:
        """Keep parts of one description; those of which `findings` were told anything are read, and told, again."""
        self._findings = findings
        self._parts: dict[Hashable, tuple[Any, Place, Any]] = {}

    def part(self, key: Hashable, value: object, place: Place, read: Callable[[], Part]) -> Part:
        """Return what reading a value comes to; `key` tells readings of one value apart."""
        known = self._parts.get((key, id(value)))
        if known is not None and known[0] is value and known[1] is place:
            found: Part = known[2]
            return found
        told = self._findings.told
        found = read()
        if self._findings.told == told:
            self._parts[key, id(value)] = value, place, found
        return found
