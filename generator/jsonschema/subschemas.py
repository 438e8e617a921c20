"""Where schemas stand inside a schema (JSON Schema 2020-12, sections 10 and 11), so that data is never taken for one.

A `$ref` in `default`, `const`, `enum` or `examples`, or a property that happens to be called `$ref`, is data. Whatever
rewrites schemas goes through `rewrite`. The keywords are those of the validator that servers carry.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..runtime.schema.references import HOLDERS, LIST, MAP, ONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

ANNOTATIONS = frozenset(
    {"$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}
)
"""Keywords that assert nothing: beside a `$ref` they may be moved onto what it refers to."""

_memory: ContextVar[dict[int, tuple[Schema, Sequence[Mapping[str, Any]]]] | None] = ContextVar("parts", default=None)

_HOLDING = frozenset(HOLDERS)

MAPPINGS = (dict, MappingProxyType)
"""What an object schema is: plain, or frozen by the IR."""

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean."""


def rewrite(schema: Schema, change: Callable[[Mapping[str, Any]], Schema]) -> Schema:
    """Return the schema with `change` applied to every object schema in it, innermost first; data is left alone."""
    if not isinstance(schema, MAPPINGS):
        return schema
    return change({keyword: _rewritten(keyword, value, change) for keyword, value in schema.items()})


def walk(schema: Schema) -> Iterator[Mapping[str, Any]]:
    """Yield every object schema in the schema, itself first."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, MAPPINGS):
            continue
        yield part
        if _HOLDING.isdisjoint(part):
            continue
        inner: list[Schema] = []
        for keyword, value in part.items():
            form = HOLDERS.get(keyword)
            if form is ONE:
                inner.append(value)
            elif form is LIST and isinstance(value, (list, tuple)):
                inner.extend(value)
            elif form is MAP and isinstance(value, MAPPINGS):
                inner.extend(value.values())
        waiting.extend(reversed(inner))


@contextmanager
def remembering() -> Iterator[None]:
    """Remember in the block which object schemas a schema has: several stages of a build ask for those of each tool."""
    before = _memory.get()
    token = _memory.set({} if before is None else before)
    try:
        yield
    finally:
        _memory.reset(token)


def parts(schema: Schema) -> Sequence[Mapping[str, Any]]:
    """Return every object schema in the schema, itself first."""
    memory = _memory.get()
    if memory is None:
        return tuple(walk(schema))
    known = memory.get(id(schema))
    if known is None:
        known = memory[id(schema)] = schema, tuple(walk(schema))  # with the schema, so that no other gets its id
    return known[1]


def _rewritten(keyword: str, value: Any, change: Callable[[Mapping[str, Any]], Schema]) -> Any:
    form = HOLDERS.get(keyword)
    if form is ONE:
        return rewrite(value, change)
    if form is LIST and isinstance(value, (list, tuple)):
        return [rewrite(item, change) for item in value]
    if form is MAP and isinstance(value, MAPPINGS):
        return {name: rewrite(item, change) for name, item in value.items()}
    return value
