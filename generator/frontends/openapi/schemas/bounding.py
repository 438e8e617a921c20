"""Cut the schema of an answer to a size: how deep it goes first, then its texts, its types, and its list of members.

The schema tells a model which members an answer has, before there is one; once there is, the answer tells more. What
is cut away is only left unsaid: every answer that passed still does. Bases and unions are written out: an object with
all members that may be there is shorter, and models read it better.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ....jsonschema.slimming import PREFIX
from .joining import either, together

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..room import Room

ANSWER_DEPTH = 2
"""Levels of members that are described: the answer's own, and those of the objects in it."""

ANSWER_BYTES = 1_000
"""Bytes of an answer's schema, about 250 tokens; a catalog of a thousand tools still fits in two megabytes."""

MAX_PARTS = 4_000
"""Schemas looked at for the names of an answer's members: far more than fit into its bytes."""

PARTS_OF_A_SCHEMA = 4
"""Parts that take as long to look at as a schema takes to be converted."""

MAX_HOPS = 40
"""References and schemas inside one another on the way to a part."""

LEAST_MEMBER = 5
"""Bytes of a member besides its name: two quotes, a colon, and the two brackets of a schema."""

LEAST_TEXT = 16
"""Bytes of a member's description besides its text: the keyword, a colon and four quotes."""

Schema = Any
"""A schema as plain JSON values: a dictionary or a boolean."""

_compact = json.JSONEncoder(separators=(",", ":")).encode


class Definitions(Protocol):
    """What references lead to, by name: a mapping, or whatever else can be asked as one."""

    def get(self, name: str, default: Schema, /) -> Schema:
        """Return the schema of a name."""


class Detail(NamedTuple):
    """How much is said: levels of members, whether texts are kept at the first level, and types below the root."""

    depth: int
    texts: bool
    types: bool = True


class Kept(NamedTuple):
    """A definition that was cut: how many parts and hops that took, and which definitions it is made of."""

    schema: dict[str, Any]
    parts: int
    hops: int
    names: tuple[str, ...]


Memory = dict[tuple[str, int, Detail], Kept]
"""What was cut of the definitions of one description, by name, level and detail: many answers share them."""


def bounded(
    schema: Schema,
    definitions: Definitions,
    *,
    depth: int = ANSWER_DEPTH,
    size: int = ANSWER_BYTES,
    memory: Memory | None = None,
    room: Room | None = None,
) -> dict[str, Any]:
    """Return an answer's schema without definitions, cut to `depth` levels of members and `size` bytes.

    A root that is an object or null becomes an object, so that answers need no wrapping.
    """
    memory = {} if memory is None else memory
    for detail in (Detail(depth, texts=True), *(Detail(level, texts=False) for level in range(depth, 0, -1))):
        # What has more parts than bytes are allowed will not fit, and need not be gathered to the end.
        cutter = _Cutter(definitions, memory, detail, size)
        cut = cutter.cut(schema, Position())
        _pay(room, size, cutter)
        if not cutter.exhausted and not _words_exceed(cut, size) and size_of(cut) <= size:
            return rooted(cut)
    cutter = _Cutter(definitions, memory, Detail(1, texts=False, types=False), MAX_PARTS, size // LEAST_MEMBER + 1)
    names = cutter.cut(schema, Position())
    _pay(room, MAX_PARTS, cutter)
    return rooted(names if size_of(names) <= size else _unlisted(names, size))


def _pay(room: Room | None, parts: int, cutter: _Cutter) -> None:
    """Take room for the parts that were looked at; raises Full."""
    if room is not None:
        room.take((parts - cutter.left) // PARTS_OF_A_SCHEMA)


def _words_exceed(schema: Schema, size: int) -> bool:
    """Tell of a schema that its members' names and texts alone are too large, which is found quicker than its size."""
    described = schema.get("items") or schema
    members = described.get("properties", {})
    said = [text for each in members.values() if isinstance(text := each.get("description"), str)]
    texts = sum(map(len, said)) + len(said) * LEAST_TEXT
    return len(members) * LEAST_MEMBER + sum(map(len, members)) + texts > size


def rooted(schema: Schema) -> dict[str, Any]:
    """Return the schema with an object at its root where it only might be null; clients look for `object` there."""
    if not isinstance(schema, dict):
        return {}
    return {**schema, "type": "object"} if schema.get("type") == ["object", "null"] else schema


def size_of(schema: Schema) -> int:
    """Return the bytes of a schema's compact JSON."""
    return len(_compact(schema))


class Position(NamedTuple):
    """Where in an answer a schema stands: levels of members above it, and definitions it is part of."""

    level: int = 0
    hops: int = 0
    inside: frozenset[str] = frozenset()

    def beside(self, name: str = "") -> Position:
        """Return the position of something that describes the same value."""
        return Position(self.level, self.hops + 1, self.inside | {name} if name else self.inside)

    def below(self, levels: int) -> Position:
        """Return the position of a value inside this one."""
        return Position(self.level + levels, self.hops + 1)


class _Cutter:
    """Cuts one schema; `_hops` is the furthest position so far, `_met` are the definitions that were looked at.

    `_listed` members are more than fit in.
    """

    __slots__ = ("_definitions", "_detail", "_hops", "_left", "_listed", "_memory", "_met")

    def __init__(
        self, definitions: Definitions, memory: Memory, detail: Detail, parts: int, listed: int = MAX_PARTS
    ) -> None:
        self._listed = listed
        self._definitions = definitions
        self._memory = memory
        self._detail = detail
        self._left = parts
        self._hops = 0
        self._met: dict[str, None] = {}

    @property
    def left(self) -> int:
        """The parts that could still be looked at."""
        return max(self._left, 0)

    @property
    def exhausted(self) -> bool:
        """Whether there were more parts than were to be looked at."""
        return self._left < 0

    def cut(self, schema: Schema, at: Position) -> dict[str, Any]:
        """Return what is kept of a schema."""
        self._left -= 1
        self._hops = max(self._hops, at.hops)
        if not isinstance(schema, dict) or at.hops > MAX_HOPS or self._left < 0:
            return {}
        if "$ref" in schema:
            return self._referred(schema, at)
        out: dict[str, Any] = {}
        if "type" in schema:
            out["type"] = schema["type"]
        if self._detail.texts and at.level <= 1:
            out.update({keyword: schema[keyword] for keyword in ("description", "examples") if keyword in schema})
        self._contents(schema, out, at)
        if "allOf" in schema:
            out = together([out, *self._each(schema["allOf"], at.beside())])
        if "anyOf" in schema:
            parts = (part for part in schema["anyOf"] if not _turns(part, at))
            out = together([out, either(self._each(parts, at.beside()))])
        # Without types, only what the root is and which members it has is said.
        return {} if at.level > 0 and not self._detail.types else out

    def _each(self, parts: Iterable[Schema], at: Position) -> list[dict[str, Any]]:
        """Cut what describes the same value; of those that are not looked at any more one stands for the others."""
        found: list[dict[str, Any]] = []
        for part in parts:
            if self._left < 0:
                return [*found, {}]
            found.append(self.cut(part, at))
        return found

    def _referred(self, schema: Mapping[str, Any], at: Position) -> dict[str, Any]:
        name = schema["$ref"].removeprefix(PREFIX)
        if name in at.inside:
            return {}
        # What a definition comes to inside of others depends on those, too.
        out = self._target(name, at) if at.inside else self._remembered(name, at)
        if self._detail.texts and at.level <= 1 and "description" in schema:
            return {**out, "description": schema["description"]}
        return out

    def _target(self, name: str, at: Position) -> dict[str, Any]:
        self._met[name] = None
        return self.cut(self._definitions.get(name, {}), at.beside(name))

    def _remembered(self, name: str, at: Position) -> dict[str, Any]:
        """Cut a definition, or take what was cut before where no limit would have been met."""
        key = (name, at.level, self._detail)
        kept = self._memory.get(key)
        if kept is not None and kept.parts <= self._left and at.hops + kept.hops <= MAX_HOPS:
            for each in kept.names:
                self._definitions.get(each, {})  # an answer's definitions are those that were asked for
            self._left -= kept.parts
            self._hops = max(self._hops, at.hops + kept.hops)
            self._met |= dict.fromkeys(kept.names)
            return kept.schema
        left, hops, met = self._left, self._hops, self._met
        self._hops, self._met = at.hops, {}
        out = self._target(name, at)
        if self._left >= 0 and self._hops <= MAX_HOPS:
            self._memory[key] = Kept(out, left - self._left, self._hops - at.hops, tuple(self._met))
        self._hops, self._met = max(hops, self._hops), met | self._met
        return out

    def _contents(self, schema: Mapping[str, Any], out: dict[str, Any], at: Position) -> None:
        """Cut what is inside an object or array."""
        if at.level < self._detail.depth:
            if "properties" in schema:
                self._members(schema["properties"], out, at.below(1))
            if "additionalProperties" in schema:
                self._put(out, "additionalProperties", schema["additionalProperties"], at.below(1))
        if "items" in schema:
            self._put(out, "items", schema["items"], at.below(0))

    def _members(self, members: Mapping[str, Schema], out: dict[str, Any], below: Position) -> None:
        """Cut the members of an object; more than can be listed are looked at no further than to know that."""
        most = len(members)
        if most > self._left >= 0:
            if self._detail.types:
                self._left = -1  # what is gathered to the end will not be taken
                return
            most = min(most, self._listed)
        out["properties"] = {name: self.cut(inner, below) for name, inner in islice(members.items(), most)}
        self._left -= len(members) - most

    def _put(self, out: dict[str, Any], keyword: str, schema: Schema, at: Position) -> None:
        inner = self.cut(schema, at)
        if inner:
            out[keyword] = inner


def _turns(schema: Schema, at: Position) -> bool:
    """Tell whether a branch refers to what it is a branch of, which adds nothing."""
    return isinstance(schema, dict) and schema.get("$ref", "").removeprefix(PREFIX) in at.inside


def _unlisted(schema: dict[str, Any], size: int) -> dict[str, Any]:
    """Return the schema without lists of members: the first few of many would look like all there are."""
    kept = {keyword: value for keyword, value in schema.items() if keyword != "properties"}
    for keyword in ("items", "anyOf"):
        inner = kept.get(keyword)
        if isinstance(inner, dict):
            kept[keyword] = _unlisted(inner, size)
        elif isinstance(inner, list):
            kept[keyword] = [_unlisted(branch, size) for branch in inner]
    return kept if size_of(kept) <= size else {keyword: kept[keyword] for keyword in ("type",) if keyword in kept}
