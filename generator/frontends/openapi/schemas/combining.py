"""Join schemas that hold for the same value: into one where that changes nothing, else with `allOf`."""

from __future__ import annotations

from typing import Any

from .follow import ANNOTATIONS

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean."""

_DEPENDENT = frozenset(
    {
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "maxContains",
        "minContains",
        "patternProperties",
        "prefixItems",
        "properties",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords whose meaning depends on others beside them: two schemas with some of these are not simply put together."""


def combined(schemas: list[Schema]) -> Schema:
    """Return one schema that accepts what all of them accept."""
    first = schemas[0]
    for second in schemas[1:]:
        first = _both(first, second)
    return first


def _both(first: Schema, second: Schema) -> Schema:
    if first == second:
        return first
    if not isinstance(first, dict) or not isinstance(second, dict):
        return {"allOf": [first, second]}
    shared = first.keys() & second.keys() - ANNOTATIONS
    dependent = not _DEPENDENT.isdisjoint(first) and not _DEPENDENT.isdisjoint(second)
    if dependent or any(first[key] != second[key] for key in shared):
        notes = {key: item for key, item in {**first, **second}.items() if key in ANNOTATIONS}
        bare = [{key: item for key, item in part.items() if key not in ANNOTATIONS} for part in (first, second)]
        return {**notes, "allOf": bare}
    return {**first, **second}


def folded_in(schema: dict[str, Any], others: list[Schema], keyword: str) -> Schema:
    """Return a schema with others that must hold too; a single one is laid under it if it only has annotations."""
    if not others:
        return schema
    if len(others) == 1 and isinstance(others[0], dict) and ANNOTATIONS.issuperset(schema):
        return {**others[0], **schema}
    return {**schema, keyword: [*schema.get(keyword, ()), *others]}
