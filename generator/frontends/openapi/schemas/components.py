"""A converted schema, with what it refers to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ....diagnostics.model import Diagnostic

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean."""

_OUTLINED = ("type", "description")


class Component:
    """A converted schema; `refs` are the definitions it refers to, each with the levels of JSON above the reference."""

    __slots__ = ("_size", "problems", "refs", "schema")

    def __init__(self, schema: Schema, refs: Mapping[str, int], problems: tuple[Diagnostic, ...]) -> None:
        self.schema = schema
        # A schema inside another is two levels down: the keyword, and the name or position.
        self.refs = {name: 2 * depth + 2 for name, depth in refs.items()}
        self.problems = problems
        self._size: int | None = None

    @property
    def size(self) -> int:
        """The bytes of the schema's compact JSON."""
        if self._size is None:
            self._size = len(json.dumps(self.schema, separators=(",", ":")))
        return self._size

    @property
    def outline(self) -> Schema:
        """What is left of the schema when it is cut: its type and description."""
        if not isinstance(self.schema, dict):
            return self.schema
        return {keyword: self.schema[keyword] for keyword in _OUTLINED if keyword in self.schema}


class Lazy:
    """Definitions that are converted when they are asked for: a cut schema needs few of those it refers to."""

    __slots__ = ("_component", "used")

    def __init__(self, component: Callable[[str], Component]) -> None:
        self._component = component
        self.used: dict[Component, None] = {}

    def get(self, name: str, default: Schema = None, /) -> Schema:  # noqa: ARG002 - whatever refers to one has named it
        """Return the schema of a definition, and remember that it was used."""
        component = self._component(name)
        self.used[component] = None
        return component.schema
