"""Take an object apart: the plain object schemas it is made of, through `$ref` and `allOf`.

A schema that is only such pieces is one object: its members are theirs. Anything else in it (`oneOf`, `not`, members
by pattern …) makes it more than that, and it is kept as it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .follow import ANNOTATIONS, References, asserts, is_alias
from .raw import Key, Raw, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Dialect

MAX_LEVELS = 32
"""References and `allOf`s inside one another that are merged; what is deeper stays a reference."""

MAX_PIECES = 200
"""Pieces of one object; more would be no description but an attack."""

PLAIN = frozenset({"$ref", "additionalProperties", "properties", "required", "type", "nullable", "x-nullable"})
_UNIONS = frozenset({"oneOf", "anyOf", "discriminator"})


class Search(NamedTuple):
    """What a search for pieces needs: who follows references, how schemas are read, and where it began.

    `home` is the schema the pieces are for: a base that is a union of the types extending it is taken without that.
    """

    references: References
    dialect: Dialect
    home: Key | None = None
    tolerated: frozenset[str] = frozenset()


def pieces(search: Search, raw: Raw) -> list[Raw] | None:
    """Return the plain objects a schema is made of, None when it is more or less than that; raises DeadReference."""
    found: list[Raw] = []
    seen = set() if search.home is None else {search.home}
    if not _gather(search, raw, found, seen, 0):
        return None
    objects = [piece for piece in found if _speaks_of_members(piece.value)]
    return found if objects else None


def _gather(search: Search, raw: Raw, found: list[Raw], seen: set[Key], level: int) -> bool:
    value, place = raw
    search.references.room.take()
    if not isinstance(value, dict) or level > MAX_LEVELS or len(found) > MAX_PIECES:
        return False
    reference = value.get("$ref")
    if isinstance(reference, str):
        if not _gather_target(search, Raw(value, place), found, seen, level):
            return False
        if is_alias(value, search.dialect):
            return True
    branches = value.get("allOf", ())
    if not isinstance(branches, list | tuple):
        return False
    own = {key: item for key, item in value.items() if key not in ("$ref", "allOf")}
    for index, branch in enumerate(branches):
        if not _gather(search, Raw(branch, place.at("allOf", index)), found, seen, level + 1):
            return False
    if not is_plain(own, search.tolerated):
        return False
    if asserts(own):
        found.append(Raw(own, place))
    return True


def _gather_target(search: Search, raw: Raw, found: list[Raw], seen: set[Key], level: int) -> bool:
    target = search.references.end(_only_reference(raw), search.dialect)
    key = key_of(target.place)
    if key in seen:
        return True  # a cycle of `allOf`: its members are there already
    seen.add(key)
    value = target.value
    if search.home is not None and isinstance(value, dict) and search.references.loops(target, search.home):
        target = Raw({keyword: item for keyword, item in value.items() if keyword not in _UNIONS}, target.place)
    return _gather(search, target, found, seen, level + 1)


def _only_reference(raw: Raw) -> Raw:
    return Raw({"$ref": raw.value["$ref"]}, raw.place)  # type: ignore[index] # asked for mappings only


def is_plain(value: Mapping[str, object], tolerated: frozenset[str] = frozenset()) -> bool:
    """Tell whether a schema says nothing but which members an object has, and whether others may follow."""
    for key, item in value.items():
        if key in ANNOTATIONS or key in tolerated:
            continue
        if key == "type":
            if not _is_object(item):
                return False
        elif key in ("additionalProperties", "unevaluatedProperties"):
            if not isinstance(item, bool):
                return False
        elif key == "properties":
            if not isinstance(item, dict):
                return False
        elif key not in PLAIN and not key.startswith("x-"):
            return False
    return True


def _is_object(named: object) -> bool:
    if isinstance(named, list | tuple):
        return "object" in named and all(name in ("object", "null") for name in named)
    return named == "object"


def _speaks_of_members(value: object) -> bool:
    return isinstance(value, dict) and (bool(value.get("properties")) or "type" in value)


def members(found: list[Raw]) -> dict[str, list[Raw]]:
    """Return the schemas of each member, in the order in which the pieces name them."""
    named: dict[str, list[Raw]] = {}
    for value, place in found:
        properties = value.get("properties") if isinstance(value, dict) else None
        if isinstance(properties, dict):
            for name, schema in properties.items():
                named.setdefault(str(name), []).append(Raw(schema, place.at("properties", name)))
    return named


def is_closed(found: list[Raw]) -> bool:
    """Tell whether other members are refused.

    Taken literally, two closed pieces refuse each other's members and so everything; what is meant is that the object
    they make is closed.
    """
    return any(
        isinstance(value, dict)
        and (value.get("additionalProperties") is False or value.get("unevaluatedProperties") is False)
        for value, _ in found
    )


def allows_null(value: object) -> bool:
    """Tell whether a schema says that the value may be null."""
    if not isinstance(value, dict):
        return False
    named = value.get("type")
    said = value.get("nullable") is True or value.get("x-nullable") is True
    return said or (isinstance(named, list | tuple) and "null" in named)
