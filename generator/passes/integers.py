"""Integers that JavaScript clients round: a note where a schema states one beyond 2**53.

A bound, a default or a value of an enumeration that is stated shows that such numbers are meant; an integer without
bounds hardly ever is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..jsonschema.subschemas import parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..ir.model import Server, Tool

MAX_EXACT = 2**53
"""The largest integer up to which a double holds every one (IEEE 754)."""

MAX_SHOWN = 40
"""Digits of an integer that a message shows; Python itself refuses to print more than 4,300."""

STATED = {
    "default": "default",
    "const": "value",
    "enum": "value",
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "minimum",
    "exclusiveMaximum": "maximum",
    "multipleOf": "divisor",
}
"""The keywords that state numbers, and what each is called."""


_STATING = frozenset(STATED)


def apply(server: Server) -> tuple[Diagnostic, ...]:
    """Return a note for each argument and each result whose schema states such an integer."""
    return tuple(note for tool in server.tools for note in _notes(tool))


def _notes(tool: Tool) -> Iterator[Diagnostic]:
    if not any(next(_large(each), None) for each in (tool.input_schema, tool.result_schema)):
        return  # nearly always, and found out by one walk
    schema: Any = tool.input_schema
    definitions = {"$defs": schema.get("$defs", {})}
    properties = schema.get("properties")
    named = properties.items() if isinstance(properties, Mapping) else ()
    parts: list[tuple[str, Any]] = [(f"`{name[:60]}` of tool `{tool.name}`", part) for name, part in named]
    parts += [(f"a record among the arguments of tool `{tool.name}`", definitions)]
    parts += [(f"the result of tool `{tool.name}`", tool.result_schema)]
    for words, part in parts:
        found = next(_large(part), None)
        if found is not None:
            keyword, value = found
            yield Diagnostic(
                rule=rule("inexact-integer"),
                message=f"{words}: the {STATED[keyword]} {_shown(value)} is beyond 2**53, where JavaScript rounds",
                span=tool.span,
                unit=tool.name,
                hint="Bound it within 2**53, or send such numbers as text.",
            )


def _large(schema: Any) -> Iterator[tuple[str, int]]:
    """Yield the stated integers that not every client can send or read."""
    for part in parts(schema):
        if _STATING.isdisjoint(part):
            continue
        for keyword in (each for each in STATED if each in part):
            values = part[keyword] if keyword == "enum" else [part[keyword]]
            for value in values if isinstance(values, (list, tuple)) else ():
                if isinstance(value, int) and abs(value) > MAX_EXACT:
                    yield keyword, value


def _shown(value: int) -> str:
    sign, digits = ("-" if value < 0 else ""), abs(value)
    return f"{sign}{digits}" if digits < 10**MAX_SHOWN else f"{sign}2**{digits.bit_length() - 1} and more"
