"""Find the schemas that are defined by themselves, and break those cycles at one place each.

A pet that is a cat or a dog, where a cat is a pet with claws, would have a validator look at the same value for ever.
Most such cycles go when `allOf` is merged (the base is then taken without its union, see `pieces`). Of those that are
left, one edge is left out: one that does not lead upwards in the order of pointers, so that none of the rest can close.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .follow import DeadReference, References, in_place
from .pieces import Search, pieces
from .raw import Raw, key_of
from .rings import Rings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Dialect
    from ..place import Place


class Cycles:
    """Which converted schemas refer, in place, to which others."""

    __slots__ = ("_references", "_rings")

    def __init__(self, references: References) -> None:
        self._references = references
        self._rings: dict[Dialect, Rings] = {}

    def closes(self, target: Raw, home: Place, dialect: Dialect) -> bool:
        """Tell whether a reference in place, from `home`, is one that is left out."""
        if target.place.pointer > home.pointer:
            return False
        rings = self._rings.get(dialect)
        if rings is None:
            rings = self._rings[dialect] = Rings(lambda raw: self._edges(raw, dialect))
        return rings.together(target, key_of(home))

    def _edges(self, raw: Raw, dialect: Dialect) -> Iterator[Raw]:
        """Yield what a schema still refers to in place when it has been converted."""
        home = key_of(raw.place)
        waiting = [raw]
        while waiting:
            value, place = waiting.pop()
            if not isinstance(value, dict):
                continue
            try:
                if "allOf" in value and pieces(Search(self._references, dialect, home), Raw(value, place)) is not None:
                    continue
                if isinstance(value.get("$ref"), str):
                    yield self._references.settle(value["$ref"], place, dialect)
            except DeadReference:
                continue  # reported where the schema is made
            waiting += in_place(value, place)
