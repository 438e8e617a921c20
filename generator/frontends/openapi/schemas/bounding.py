"""Cut the schema of an answer to a size: how deep it goes first, then its texts, its types, and its last members.

The schema tells a model which members an answer has, before there is one; once there is, the answer tells more. What
is cut away is only left unsaid: every answer that passed still does. Bases and unions are written out: an object with
all members that may be there is shorter, and models read it better.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from ....jsonschema.slimming import PREFIX
from .joining import either, together

ANSWER_DEPTH = 2
"""Levels of members that are described: the answer's own, and those of the objects in it."""

ANSWER_BYTES = 1_000
"""Bytes of an answer's schema, about 250 tokens; a catalog of a thousand tools still fits in two megabytes."""

MAX_PARTS = 4_000
"""Schemas looked at for the names of an answer's members: far more than fit into its bytes."""

MAX_HOPS = 40
"""References and schemas inside one another on the way to a part."""

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean."""


class Detail(NamedTuple):
    """How much is said: levels of members, whether texts are kept at the first level, and types below the root."""

    depth: int
    texts: bool
    types: bool = True


def bounded(
    schema: Schema, definitions: Mapping[str, Schema], *, depth: int = ANSWER_DEPTH, size: int = ANSWER_BYTES
) -> dict[str, Any]:
    """Return an answer's schema without definitions, cut to `depth` levels of members and `size` bytes.

    A root that is an object or null becomes an object, so that answers need no wrapping.
    """
    for detail in (Detail(depth, texts=True), *(Detail(level, texts=False) for level in range(depth, 0, -1))):
        # What has more parts than bytes are allowed will not fit, and need not be gathered to the end.
        cutter = _Cutter(definitions, detail, size)
        cut = cutter.cut(schema, Position())
        if not cutter.exhausted and size_of(cut) <= size:
            return rooted(cut)
    names = _Cutter(definitions, Detail(1, texts=False, types=False), MAX_PARTS).cut(schema, Position())
    return rooted(names if size_of(names) <= size else _shortened(names, size))


def rooted(schema: Schema) -> dict[str, Any]:
    """Return the schema with an object at its root where it only might be null; clients look for `object` there."""
    if not isinstance(schema, dict):
        return {}
    return {**schema, "type": "object"} if schema.get("type") == ["object", "null"] else schema


def size_of(schema: Schema) -> int:
    """Return the bytes of a schema's compact JSON."""
    return len(json.dumps(schema, separators=(",", ":")))


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
    __slots__ = ("_definitions", "_detail", "_left")

    def __init__(self, definitions: Mapping[str, Schema], detail: Detail, parts: int) -> None:
        self._definitions = definitions
        self._detail = detail
        self._left = parts

    @property
    def exhausted(self) -> bool:
        """Whether there were more parts than were to be looked at."""
        return self._left < 0

    def cut(self, schema: Schema, at: Position) -> dict[str, Any]:
        """Return what is kept of a schema."""
        self._left -= 1
        if not isinstance(schema, Mapping) or at.hops > MAX_HOPS or self._left < 0:
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
            out = together([out, *(self.cut(part, at.beside()) for part in schema["allOf"])])
        if "anyOf" in schema:
            parts = [part for part in schema["anyOf"] if not _turns(part, at)]
            out = together([out, either([self.cut(part, at.beside()) for part in parts])])
        # Without types, only what the root is and which members it has is said.
        return {} if at.level > 0 and not self._detail.types else out

    def _referred(self, schema: Mapping[str, Any], at: Position) -> dict[str, Any]:
        name = schema["$ref"].removeprefix(PREFIX)
        if name in at.inside:
            return {}
        out = self.cut(self._definitions.get(name, {}), at.beside(name))
        if self._detail.texts and at.level <= 1 and "description" in schema:
            out["description"] = schema["description"]
        return out

    def _contents(self, schema: Mapping[str, Any], out: dict[str, Any], at: Position) -> None:
        """Cut what is inside an object or array."""
        if at.level < self._detail.depth:
            if "properties" in schema:
                below = at.below(1)
                out["properties"] = {name: self.cut(inner, below) for name, inner in schema["properties"].items()}
            if "additionalProperties" in schema:
                self._put(out, "additionalProperties", schema["additionalProperties"], at.below(1))
        if "items" in schema:
            self._put(out, "items", schema["items"], at.below(0))

    def _put(self, out: dict[str, Any], keyword: str, schema: Schema, at: Position) -> None:
        inner = self.cut(schema, at)
        if inner:
            out[keyword] = inner


def _turns(schema: Schema, at: Position) -> bool:
    """Tell whether a branch refers to what it is a branch of, which adds nothing."""
    return isinstance(schema, Mapping) and schema.get("$ref", "").removeprefix(PREFIX) in at.inside


def _shortened(schema: dict[str, Any], size: int) -> dict[str, Any]:
    """Return the schema with its last members left out, as many as are too many."""
    for keyword in ("items", "anyOf"):
        inner = schema.get(keyword)
        if keyword == "items" and isinstance(inner, dict):
            schema = {**schema, keyword: _shortened(inner, size - size_of({**schema, keyword: {}}))}
        elif isinstance(inner, list):
            schema = {**schema, keyword: [_shortened(branch, size // len(inner)) for branch in inner]}
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return schema
    left = size - size_of({**schema, "properties": {}})
    kept = {}
    for name, inner in properties.items():
        left -= size_of(name) + size_of(inner) + 2
        if left < 0:
            break
        kept[name] = inner
    return {**schema, "properties": kept}
