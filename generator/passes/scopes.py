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

from ..config.serve import scope_problem
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..config import Config
    from ..ir.model import Prompt, Resource, Server, Tool

EVERY_TOOL = "*"
"""Stands for all tools in `serve.tool_rate_limits`."""

BUILT_IN = ("*", "mcpgen:activity")
"""Scopes of tokens that are there in every server: for all tools, and to see all calls."""


def apply(server: Server, config: Config | None = None) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the scopes that a server's parts ask for, and with the rates of its settings.

    The settings' `config` says where each stands.
    """
    units = [(f"{kind} `{each.name}`", each) for kind, group in _groups(server) for each in group]
    declared = frozenset(server.scopes)
    asked = ((scope, what, unit) for what, unit in units for scope in unit.scopes)
    wrong = (each for each in asked if each[0] not in declared or scope_problem(each[0]) is not None)
    found = [each for scope, what, unit in wrong for each in _judged(scope, what, unit, server)]
    return (*found, *_granted(server, config), *_unknown_tools(server, config))


def _groups(server: Server) -> Iterator[tuple[str, Iterable[Tool | Resource | Prompt]]]:
    yield "tool", server.tools
    yield "resource", server.resources
    yield "prompt", server.prompts


def _judged(scope: str, what: str, unit: Tool | Resource | Prompt, server: Server) -> Iterator[Diagnostic]:
    reason = scope_problem(scope)
    shown = scope[:60]
    if reason is not None:
        yield _undeclared(unit, f"`{shown}` cannot be a scope of {what}: {reason}")
    elif scope not in server.scopes:
        near = difflib.get_close_matches(scope, server.scopes, n=1)
        listed = json.dumps([*server.scopes, scope])
        declare = f"Declare it in [tool.mcpgen] or mcpgen.toml: scopes = {listed}"
        message = f"{what} asks for the scope `{shown}`, which the server does not declare"
        yield _undeclared(
            unit,
            message,
            f"Did you mean `{near[0]}`? If not, add it to `scopes` in [tool.mcpgen]." if near else declare,
        )


def _granted(server: Server, config: Config | None) -> Iterator[Diagnostic]:
    """Yield the scopes of tokens in the settings that nothing could ask for."""
    serve = server.settings.get("serve")
    tokens = serve.get("tokens") if isinstance(serve, Mapping) else None
    for place, token in enumerate(tokens if isinstance(tokens, list | tuple) else ()):
        scopes = token.get("scopes") if isinstance(token, Mapping) else None
        for number, scope in enumerate(scopes if isinstance(scopes, list | tuple) else ()):
            if scope not in (*server.scopes, *BUILT_IN):
                near = difflib.get_close_matches(str(scope), server.scopes, n=1)
                message = (
                    f"a token of `serve.tokens` has the scope `{str(scope)[:60]}`, which the server does not declare"
                )
                hint = f"Did you mean `{near[0]}`?" if near else "Declare it in `scopes`, or take it from the token."
                span = config.span("serve", "tokens", place, "scopes", number) if config is not None else None
                unit = "serve.tokens"
                yield Diagnostic(rule=rule("undeclared-scope"), message=message, span=span, unit=unit, hint=hint)


def _undeclared(unit: Tool | Resource | Prompt, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(rule=rule("undeclared-scope"), message=message, span=unit.span, unit=unit.name, hint=hint)


def _unknown_tools(server: Server, config: Config | None) -> Iterator[Diagnostic]:
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
                span=config.span("serve", "tool_rate_limits", name) if config is not None else None,
                unit=name,
                hint=f"Did you mean `{near[0]}`?" if near else "Name a tool as clients call it, or `*` for all.",
            )
