"""Arguments of tools repeated in headers (`x-mcp-header`, 2026-07-28, HTTP): which a schema names, their values. Pure.

A schema may only name parameters whose value fits into a header and that are reached through properties alone; a tool
whose schema names anything else is not to be used over HTTP.
"""

from __future__ import annotations

from ..server.http_routing import MARK
from ..server.http_sentinel import encoded
from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PREFIX = "Mcp-Param-"

FITTING = frozenset(("string", "integer", "boolean"))
"""Types whose values have one spelling in a header."""

BY_NAME = frozenset(("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"))
"""Keywords whose value holds schemas by names that are no keywords."""

VALUES = frozenset(("const", "enum", "default", "examples"))
"""Keywords whose value is no schema."""

MAX_DEPTH = 64
"""Nesting of a schema that is looked at; deeper ones are not served over HTTP."""

_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")  # RFC 9110, 5.6.2


def fault(schema: Any) -> str:
    """Say why a tool with this input schema must not be used over HTTP, "" when it may."""
    seen: set[str] = set()
    for name, kind, reached in _named(schema, reached=True, depth=0):
        if type(name) is not str or not name or not _TOKEN.issuperset(name):
            return f"{MARK} {jsonrpc.shown(str(name))!r} is no name of a header"
        if name.lower() in seen:
            return f"{MARK} {name!r} is used twice"
        if not reached:
            return f"{MARK} {name!r} is not on a property that properties alone lead to"
        if type(kind) is not str or kind not in FITTING:
            return f"{MARK} {name!r} is on a property that is no string, integer or boolean"
        seen.add(name.lower())
    return ""


def parameter_headers(schema: dict[str, Any] | None, arguments: Any) -> list[tuple[str, str]]:
    """Return the headers that repeat arguments; what is absent or null has none."""
    found: list[tuple[str, str]] = []
    if schema is not None and MARK in jsonrpc.text(schema):
        _collect(schema, arguments, found, MAX_DEPTH)
    return found


def _collect(schema: Any, value: Any, found: list[tuple[str, str]], depth: int) -> None:
    properties = schema.get("properties") if type(schema) is dict else None
    if type(properties) is not dict or type(value) is not dict or not depth:
        return
    for name, part in properties.items():
        given = value.get(name)
        if given is None or type(part) is not dict:
            continue
        header = part.get(MARK)
        if type(header) is str and _TOKEN.issuperset(header) and type(given) in (str, int, bool, float):
            found.append((PREFIX + header, _spelled(given)))
        _collect(part, given, found, depth - 1)


def _spelled(value: str | float | bool) -> str:  # noqa: FBT001 # the value itself
    if type(value) is str:
        return encoded(value)
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is float and value.is_integer():
        return str(int(value))
    return jsonrpc.text(value)


def _named(schema: Any, *, reached: bool, depth: int) -> Iterator[tuple[Any, Any, bool]]:
    """Yield every use of the keyword: its value, the type beside it, and whether properties alone lead to it."""
    if depth > MAX_DEPTH:
        yield "", None, False
        return
    if type(schema) is dict:
        if MARK in schema:
            yield schema[MARK], schema.get("type"), reached and depth > 0
        for part, by_property in _parts(schema):
            yield from _named(part, reached=reached and by_property, depth=depth + 1)
    elif type(schema) is list:
        for part in schema:
            yield from _named(part, reached=False, depth=depth + 1)


def _parts(schema: dict[str, Any]) -> Iterator[tuple[Any, bool]]:
    """Yield the parts of a schema that are schemas or hold some, and whether they are properties."""
    for keyword, part in schema.items():
        if keyword in BY_NAME and type(part) is dict:
            for each in part.values():
                yield each, keyword == "properties"
        elif keyword not in VALUES:
            yield part, False
