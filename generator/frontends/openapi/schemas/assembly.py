"""The schemas of one tool, for its arguments or its answer, and the definitions they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .bounding import ANSWER_BYTES, ANSWER_DEPTH
from .findings import SchemaProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import SchemaNode
    from .components import Component
    from .schemas import Schemas

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean. Parts are shared between tools: never change one in place."""

Direction = Literal["input", "output", "whole"]
"""Arguments, answers as clients see them, answers as promised."""

MAX_LEVELS = 80
"""Levels of JSON from a tool's schema to its furthest definition; the IR takes 200, with those inside of it."""

MAX_BYTES = 120_000
"""Bytes of the definitions of one tool, 30,000 tokens: more than any model can use for one call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectShape:
    """An object that can be flattened into arguments: its members' schemas, and which of them are required."""

    properties: Mapping[str, Schema]
    required: tuple[str, ...] = ()


class Assembly:
    """Gathers the schemas of one tool; ask for `definitions` when all are in."""

    __slots__ = ("_direction", "_needed", "_schemas")

    def __init__(self, schemas: Schemas, direction: Direction) -> None:
        self._schemas = schemas
        self._direction: Direction = direction
        self._needed: dict[str, int] = {}

    def schema(self, node: SchemaNode) -> Schema:
        """Return a schema as JSON Schema 2020-12 with references to `#/$defs/NAME` only.

        That of an answer is cut and needs no definitions, see `answer`. Raises SchemaProblem when arguments need a
        schema that a reference does not lead to.
        """
        if self._direction == "output":
            return self.answer(node)
        component = self._schemas.converted(node, self._direction)
        self._take(component)
        return component.schema

    def refers_to_nothing(self, node: SchemaNode) -> bool:
        """Tell whether a schema is whole without definitions."""
        return not self._schemas.converted(node, self._direction).refs

    def shape(self, node: SchemaNode) -> ObjectShape | None:
        """Return the object a body can be flattened into, None when that would lose something (decision 29).

        Raises SchemaProblem like `schema`.
        """
        found = self._schemas.shape(node)
        if found is None:
            return None
        shape, component = found
        self._take(component)
        return shape

    def answer(self, node: SchemaNode, *, depth: int = ANSWER_DEPTH, size: int = ANSWER_BYTES) -> dict[str, Any]:
        """Return the schema of an answer, relaxed and cut; it needs no definitions, and is made once for each node.

        Raises SchemaProblem when nothing of it can be read, or when it has a reference that is refused.
        """
        return self._schemas.answer(node, depth, size)

    def definitions(self) -> dict[str, Schema]:
        """Return the definitions that the schemas given so far need, nearest first.

        Those too far away or too many are said to be anything, so that depth and size stay bounded.
        """
        found: dict[str, Schema] = {}
        levels = dict(self._needed)
        size = 0
        for name in (waiting := list(levels)):
            component = self._schemas.component(name, self._direction)
            size += component.size
            if size > MAX_BYTES or levels[name] > MAX_LEVELS:
                self._schemas.cut(name, deep=levels[name] > MAX_LEVELS)
                found[name] = component.outline
                continue
            found[name] = component.schema
            for inner, level in component.refs.items():
                if inner not in levels:
                    levels[inner] = levels[name] + level
                    waiting.append(inner)
        return found

    def _take(self, component: Component) -> None:
        if self._direction == "input":
            problems = self._schemas.problems(component)
            if problems:
                raise SchemaProblem(problems)
        for name, level in component.refs.items():
            self._needed[name] = max(level, self._needed.get(name, 0))
