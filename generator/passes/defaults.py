"""A default that its own schema refuses is not stated: the parameter stays optional, and Python's default holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.codec import freeze, thaw
from ..jsonschema.defaults import misfits

if TYPE_CHECKING:
    from ..ir.model import Server, Tool


def apply(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with fitting defaults only, and which were left out."""
    tools, found = [], []
    for tool in server.tools:
        wrong = () if tool.verbatim or not _has_defaults(tool) else misfits(tool.input_schema)
        tools.append(_without(tool, wrong) if wrong else tool)
        found += [_diagnostic(tool, name) for name in wrong]
    return replace(server, tools=tuple(tools)), tuple(found)


def _has_defaults(tool: Tool) -> bool:
    properties: Any = tool.input_schema.get("properties") or {}
    return any(isinstance(part, Mapping) and "default" in part for part in properties.values())


def _without(tool: Tool, names: tuple[str, ...]) -> Tool:
    schema = thaw(tool.input_schema)
    for name in names:
        del schema["properties"][name]["default"]
    frozen: Any = freeze(schema)
    return replace(tool, input_schema=frozen)


def _diagnostic(tool: Tool, name: str) -> Diagnostic:
    return Diagnostic(
        rule=rule("mismatched-default"),
        message=f"the default of `{name}` of tool `{tool.name}` is not of its type; it is not stated",
        span=tool.span,
        unit=tool.name,
        hint="Correct the annotation or the default.",
    )
