"""What is said of each operation, by settings, the command line and extensions, and the name that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ...config.openapi import OperationRule
from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .extensions import inherited, merged, stated
from .findings import shown
from .selection import Candidate
from .tool_names import clashing, tool_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...config import ToolSetting
    from .findings import Findings
    from .model import Api, Operation
    from .settings import OpenApiRequest

Table = TypeVar("Table")

NO_EFFECT = ("target", "input_schema", "output_schema", "capture_output", "config", "task")
"""Settings of a tool that mean something for Python functions only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """All operations with their names and rules; `settings` are the tools' tables by operation key.

    `named` are the keys of operations that the settings give a name.
    """

    candidates: tuple[Candidate, ...]
    settings: Mapping[str, ToolSetting]
    named: frozenset[str]


def candidates_of(api: Api, request: OpenApiRequest, findings: Findings) -> Candidates:
    """Return every operation of a description with its name, and report settings that are about none."""
    around = inherited(stated(api.extensions, api.place, findings))
    said = {each.key: merged(_stated(each, findings), around) for each in api.operations}
    derived = tool_names(api.operations, _names(said), {})
    spellings = {each.key: _spellings(each, derived[each.key], request) for each in api.operations}
    rules = _by_operation(spellings, request.rules)
    settings = _by_operation(spellings, request.config.tools)
    for key, setting in settings.items():
        said[key] = merged(_as_rule(setting), said[key])
    for key, table in rules.items():
        said[key] = merged(table, said[key])
    names = derived
    if settings or rules or request.known_names:
        names = tool_names(api.operations, _names(said), request.known_names)
    _report_unmatched(api, request, spellings, findings)
    found = tuple(Candidate(operation=each, name=names[each.key], rule=said[each.key]) for each in api.operations)
    named = frozenset(key for key, setting in settings.items() if setting.name is not None)
    named |= {key for key, rule in rules.items() if rule.name is not None}
    return Candidates(candidates=found, settings=settings, named=named)


def report_taken(
    selected: Sequence[Candidate], named: frozenset[str], known: Mapping[str, str], findings: Findings
) -> None:
    """Report stated names that another of the selected operations has, too: neither would be what was asked for.

    Those of the settings are errors; what a description says of itself twice is told apart like its operationIds.
    """
    stated_names = {each.operation.key: each.rule.name for each in selected if each.rule.name is not None}
    if not stated_names:
        return
    names = {each.operation.key: each.name for each in selected}
    for key, other in clashing(names, [each.operation for each in selected], stated_names, known):
        message = f"the name `{shown(stated_names[key])}` of `{shown(key)}` is also that of `{shown(other)}`"
        severity = None if key in named or other in named else Severity.WARNING
        findings.tell("taken-name", message, unit=key, severity=severity)


def _stated(operation: Operation, findings: Findings) -> OperationRule:
    return stated(operation.extensions, operation.place, findings, operation.key)


def _names(rules: Mapping[str, OperationRule]) -> dict[str, str]:
    return {key: rule.name for key, rule in rules.items() if rule.name is not None}


def _spellings(operation: Operation, name: str, request: OpenApiRequest) -> tuple[str, ...]:
    """Return what a table of the settings may be called to mean this operation."""
    known = request.known_names.get(operation.key)
    return tuple(each for each in (operation.key, operation.operation_id, known, name) if each)


def _by_operation(spellings: Mapping[str, tuple[str, ...]], tables: Mapping[str, Table]) -> dict[str, Table]:
    """Return the table of each operation that has one."""
    found = {}
    for key, names in spellings.items():
        table = next((tables[name] for name in names if name in tables), None)
        if table is not None:
            found[key] = table
    return found


def _as_rule(setting: ToolSetting) -> OperationRule:
    return OperationRule(
        name=setting.name,
        title=setting.title,
        description=setting.description,
        hide=setting.hidden,
        annotations=setting.annotations,
        timeout=setting.timeout,
        scopes=setting.scopes,
    )


def _report_unmatched(
    api: Api, request: OpenApiRequest, spellings: Mapping[str, tuple[str, ...]], findings: Findings
) -> None:
    """Report tables of the settings that are about no operation, or say what has no effect on one."""
    known = {name for names in spellings.values() for name in names} | set(api.unreadable)
    config = request.config
    tables = [("openapi", "operations", name) for name in request.rules]
    for path in (*tables, *(("tools", name) for name in config.tools)):
        name = path[-1]
        if name not in known:
            message = f"`{shown(name)}` is no operation of the description"
            hint = "Name a tool, an operationId or a key like `GET /pets/{id}`."
            unmatched = rule("unmatched-tool-setting")
            findings(Diagnostic(rule=unmatched, message=message, span=config.span(*path), unit=name, hint=hint))
    for name, setting in config.tools.items():
        for option in NO_EFFECT:
            if name in known and getattr(setting, option):
                message = f"`{option}` of `{shown(name)}` has no effect on an operation of an API"
                span = config.span("tools", name, option)
                findings(
                    Diagnostic(rule=rule("invalid-setting"), message=message, span=span, unit=name, hint="Remove it.")
                )
