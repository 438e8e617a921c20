"""`x-mcp-header`: which parameters may be repeated in a header of their own (2026-07-28, SEP-2243)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .finding import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "x-mcp-header"
TYPES = ("string", "integer", "boolean")
"""Types that have one spelling in a header; a number has several."""

MAX_DEPTH = 64
"""Levels of a schema that are searched; deeper ones are an attack."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_PLACES = frozenset({"properties"})


def header_problem(tool: dict[str, Any], _server: str) -> str | None:
    """Return why a tool's header parameters are not acceptable, or None."""
    seen: set[str] = set()
    for schema, reachable in _annotated(tool.get("inputSchema"), reachable=True, depth=0):
        name = schema[KEY]
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            return f"`{KEY}` {shown(name, 40)} is no name of a header"
        if name.lower() in seen:
            return f"`{KEY}` {shown(name, 40)} is there twice"
        seen.add(name.lower())
        if not reachable:
            return f"`{KEY}` {shown(name, 40)} is in a place that `properties` alone do not lead to"
        if schema.get("type") not in TYPES:
            return f"`{KEY}` {shown(name, 40)} is on a value of type {shown(schema.get('type'), 30)}"
    return None


def _annotated(schema: Any, *, reachable: bool, depth: int) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield every subschema with the keyword, and whether only `properties` lead to it."""
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return
    if KEY in schema:
        yield schema, reachable and depth > 0
    for keyword, inner in schema.items():
        direct = reachable and keyword in _PLACES
        if keyword in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
            found = list(inner.values()) if isinstance(inner, dict) else []
        elif keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            found = inner if isinstance(inner, list) else []
        elif keyword in ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"):
            found = [inner]
        else:
            continue
        for each in found:
            yield from _annotated(each, reachable=direct, depth=depth + 1)
