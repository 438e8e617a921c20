"""Whether a schema allows null, and how it is made to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PREFIX = "#/$defs/"
MAX_STEPS = 50
"""References and combinators that are looked through; a cycle ends there."""


def allows_null(schema: Any, definitions: Mapping[str, Any], steps: int = MAX_STEPS) -> bool:
    """Return whether a converted schema says that null is allowed; one that says nothing about types allows it too."""
    if not isinstance(schema, Mapping):
        return schema is not False
    if steps <= 0:
        return False
    if "const" in schema:
        return schema["const"] is None
    if "enum" in schema and None not in schema["enum"]:
        return False
    kinds = schema.get("type")
    if kinds is not None and kinds != "null" and (isinstance(kinds, str) or "null" not in kinds):
        return False
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = definitions.get(reference.removeprefix(_PREFIX))
        if target is not None and not allows_null(target, definitions, steps - 1):
            return False
    for keyword, enough in (("anyOf", any), ("oneOf", any), ("allOf", all)):
        branches = schema.get(keyword)
        if branches and not enough(allows_null(each, definitions, steps - 1) for each in branches):
            return False
    return True


def says_null(schema: Any, definitions: Mapping[str, Any]) -> bool:
    """Return whether null is a value that a schema speaks of, not merely one that it does not exclude."""
    return isinstance(schema, Mapping) and bool(set(schema) - _SILENT) and allows_null(schema, definitions)


def with_null(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema that allows null besides what it allowed."""
    if allows_null(schema, definitions):
        return schema
    kinds = schema.get("type") if isinstance(schema, Mapping) else None
    if isinstance(kinds, str) and "enum" not in schema and "const" not in schema:
        return {**schema, "type": [kinds, "null"]}
    if isinstance(kinds, list | tuple) and "enum" not in schema and "const" not in schema:
        return {**schema, "type": [*kinds, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


_SILENT = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})
"""Keywords that do not restrict values."""
