"""Values of the settings that a server of an API reads besides credentials, and the tools that need them."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...ir.model import ConfigEntry, HttpCall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...config import Config
    from ...ir.model import Tool
    from .findings import Findings
    from .model import Operation


def with_application(
    entries: Sequence[ConfigEntry],
    config: Config,
    tools: Sequence[Tool],
    operations: Sequence[Operation],
    findings: Findings,
) -> tuple[ConfigEntry, ...]:
    """Return the entries of the credentials and those of the settings, each with the tools that need it.

    `required_by` takes names of tools, operation ids and keys; what is none of them is reported. `operations` are all
    of the description: what is not served needs nothing.
    """
    spelled = _spelled(tools, operations)
    needing = {name: _needing(name, config, spelled, findings) for name in config.config}
    found = [
        replace(entry, required_by=needers, required=True) if (needers := needing.get(entry.name)) else entry
        for entry in entries
    ]
    taken = {entry.name for entry in entries}
    found += [setting.entry(name, needing[name]) for name, setting in config.config.items() if name not in taken]
    return tuple(found)


def report_middleware(config: Config, findings: Findings) -> None:
    """Report middleware in the settings: the functions around an API's calls stand in its handlers."""
    if config.middleware:
        message = "`middleware` is for servers made from Python"
        hint = "Write the functions into handlers.py: before_request, after_response and a function for each operation."
        span = config.span("middleware")
        findings(Diagnostic(rule=rule("invalid-setting"), message=message, span=span, unit="middleware", hint=hint))


def _spelled(tools: Sequence[Tool], operations: Sequence[Operation]) -> Mapping[str, str | None]:
    """Return the tool's name by everything it may be called, None where none is served; its own name comes first."""
    names = {tool.call.operation: tool.name for tool in tools if isinstance(tool.call, HttpCall)}
    ids = {each.operation_id: names.get(each.key) for each in operations if each.operation_id}
    keys = {each.key: names.get(each.key) for each in operations}
    return {**ids, **keys, **{name: name for name in names.values()}}


OTHER = "Name a tool of this server, or take the name out of `required_by`."


def _needing(name: str, config: Config, spelled: Mapping[str, str | None], findings: Findings) -> tuple[str, ...]:
    found = []
    for position, unit in enumerate(config.config[name].required_by):
        if unit in spelled:
            found.append(spelled[unit])
            continue
        close = get_close_matches(unit, sorted(spelled), n=1)
        findings(
            Diagnostic(
                rule=rule("unmatched-tool-setting"),
                message=f"`{unit[:60]}` in `required_by` of `{name}` is no tool",
                span=config.span("config", name, "required_by", position),
                unit=name,
                hint=f"Did you mean `{close[0]}`?" if close else OTHER,
            )
        )
    return tuple(dict.fromkeys(each for each in found if each is not None))
