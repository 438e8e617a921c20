"""A schema as written, and where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..place import Place

Key = tuple[int, tuple[str, ...]]
"""A place as a dictionary's key: files are told apart by identity."""


class Raw(NamedTuple):
    """A schema as written, and where it stands."""

    value: object
    place: Place


def key_of(place: Place) -> Key:
    """Return the place as a dictionary's key."""
    return (id(place.file), place.pointer)
