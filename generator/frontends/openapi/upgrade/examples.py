"""Collect the example values of a parameter, a media type or an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..load_problem import ReferenceProblem
from .findings import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

VALUE_MEMBERS = ("value", "dataValue", "serializedValue")
"""Where an Example Object has its value, the first that is there; the last two are OpenAPI 3.2's."""


def read_examples(reading: Reading, value: Mapping[str, object], place: Place) -> tuple[object, ...]:
    """Return the values of `example` and `examples`; what cannot be read is no example."""
    found = [value["example"]] if value.get("example") is not None else []
    named = value.get("examples")
    if isinstance(named, dict):
        found += [item for key in named for item in _one(reading, named[key], place.at("examples", key))]
    elif isinstance(named, list | tuple):
        found += named
    return tuple(found)


def _one(reading: Reading, value: object, place: Place) -> list[object]:
    try:
        example, _ = reading.node(value, place)
    except (ReferenceProblem, Unreadable):
        return []
    if not isinstance(example, dict):
        return []
    return next(([example[member]] for member in VALUE_MEMBERS if member in example), [])
