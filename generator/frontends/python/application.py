"""Values the application needs from outside: the `config.*` settings, and which tools need which of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .unmatched import nearest

if TYPE_CHECKING:
    from ...config import Config
    from ...ir.model import ConfigEntry, Tool


def application_config(
    tools: tuple[Tool, ...], config: Config
) -> tuple[tuple[Tool, ...], tuple[ConfigEntry, ...], tuple[Diagnostic, ...]]:
    """Return the tools with everything they need, the entries with everything that needs them, and what names nothing.

    A tool and an entry may each name the other; both ways count. `required_by` takes names of tools or of functions.
    """
    found: list[Diagnostic] = []
    units = {_function(tool): tool.name for tool in tools} | {tool.name: tool.name for tool in tools}
    needed: dict[str, list[str]] = {tool.name: list(tool.config) for tool in tools}
    for name, setting in config.config.items():
        for position, unit in enumerate(setting.required_by):
            if unit in units:
                needed[units[unit]].append(name)
            elif unit not in config.tools:
                message = f"`{unit[:60]}` in `required_by` of `{name}` is no tool"
                span = config.span("config", name, "required_by", position)
                hint = nearest(unit, units) or "Name a tool of this server, or take the name out of `required_by`."
                unmatched = rule("unmatched-tool-setting")
                found.append(Diagnostic(rule=unmatched, message=message, span=span, hint=hint, unit=name))
    for tool in tools:
        for name in tool.config:
            if name not in config.config and name not in _stated(config, tool):
                message = f"tool `{tool.name}` needs `{name[:60]}`, which no `config` table defines"
                hint = f'Add [tool.mcpgen.config.{name[:60]}] with `env = "..."`.'
                diagnostic = Diagnostic(
                    rule=rule("marker-argument"), message=message, span=tool.span, hint=hint, unit=tool.name
                )
                found.append(diagnostic)
    changed = tuple(
        replace(tool, config=tuple(name for name in dict.fromkeys(needed[tool.name]) if name in config.config))
        for tool in tools
    )
    entries = tuple(
        setting.entry(name, tuple(tool.name for tool in changed if name in tool.config))
        for name, setting in config.config.items()
    )
    return changed, entries, tuple(found)


def _function(tool: Tool) -> str:
    """Return the name of the function a tool calls."""
    target = getattr(tool.call, "target", "")
    return str(target).partition(":")[2]


def _stated(config: Config, tool: Tool) -> tuple[str, ...]:
    """Return the names that the tool's settings state: the settings' own check has reported those."""
    return next((each.config for unit, each in config.tools.items() if unit in (tool.name, _function(tool))), ())
