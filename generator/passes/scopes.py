"""Scopes: what a tool asks of its callers has to be a scope that the server declares, and rates are of known tools.

A scope is a promise about who may do what. One that is only misspelt would let nobody in, or be granted by nobody, so
a build with it fails; `scopes` in the settings says which there are (R097). What an API description says of its own
operations counts as declared.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..config_serve import scope_problem
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..ir.model import Server, Tool

EVERY_TOOL = "*"
"""Stands for all tools in `serve.tool_rate_limits`."""


def apply(server: Server) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the scopes of a server's tools, and with the rates of its settings."""
    found = [problem for tool in server.tools for scope in tool.scopes for problem in _judged(scope, tool, server)]
    return (*found, *_unknown_tools(server))


def _judged(scope: str, tool: Tool, server: Server) -> Iterator[Diagnostic]:
    reason = scope_problem(scope)
    shown = scope[:60]
    if reason is not None:
        yield _undeclared(tool, f"`{shown}` cannot be a scope of tool `{tool.name}`: {reason}")
    elif scope not in server.scopes:
        near = difflib.get_close_matches(scope, server.scopes, n=1)
        listed = json.dumps([*server.scopes, scope])
        declare = f"Declare it in [tool.mcpgen] or mcpgen.toml: scopes = {listed}"
        message = f"tool `{tool.name}` asks for the scope `{shown}`, which the server does not declare"
        yield _undeclared(tool, message, f"Did you mean `{near[0]}`? {declare}" if near else declare)


def _undeclared(tool: Tool, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(rule=rule("undeclared-scope"), message=message, span=tool.span, unit=tool.name, hint=hint)


def _unknown_tools(server: Server) -> Iterator[Diagnostic]:
    """Yield the rates that are about no tool: they would limit nothing."""
    serve = server.settings.get("serve")
    rates = serve.get("tool_rate_limits") if isinstance(serve, Mapping) else None
    names = {tool.name for tool in server.tools}
    for name in rates if isinstance(rates, Mapping) else ():
        if name != EVERY_TOOL and name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            yield Diagnostic(
                rule=rule("unmatched-tool-setting"),
                message=f"`serve.tool_rate_limits` names `{name[:60]}`, and there is no such tool",
                unit=name,
                hint=f"Did you mean `{near[0]}`?" if near else "Name a tool as clients call it, or `*` for all.",
            )
