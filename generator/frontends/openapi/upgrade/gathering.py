"""Bring the parameters of a path item and its operation together, as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .values import shown, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .path_items import PathItem
    from .sources import Reading


def gather(reading: Reading, item: PathItem, written: object, where: Place) -> list[tuple[Mapping[str, object], Place]]:
    """Return the parameters as written, references followed: the path item's first, overridden by name and location.

    Raises Unreadable or ReferenceProblem when a list or one of its items cannot be read.
    """
    found: dict[tuple[str, str], tuple[Mapping[str, object], Place]] = {}
    for level, place in [*reversed(item.parameters), (written, where)]:
        of_level: dict[tuple[str, str], tuple[Mapping[str, object], Place]] = {}
        items, at = reading.items(level, place, "parameters")
        for index, each in enumerate(items):
            value, inside = reading.mapping(each, at.at(index), "parameter")
            key = _identity(value)
            if key in of_level:
                message, detail = (
                    "of a parameter declared twice the first is used",
                    f"{shown(key[0])} `{shown(key[1])}`",
                )
                reading.findings.warn("duplicate-parameter", message, inside, detail=detail)
            else:
                of_level[key] = value, inside
        found |= of_level
    return list(found.values())


def _identity(value: Mapping[str, object]) -> tuple[str, str]:
    location, name = text(value.get("in")), text(value.get("name"))
    return location, name.lower() if location == "header" else name
