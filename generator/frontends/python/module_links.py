"""`__mcp_ui__`: links of functions to views as plain data, for modules that import nothing of ours.

    __mcp_ui__ = {"forecast": {"resourceUri": "ui://weather/forecast", "visibility": ["model", "app"]}}

Members are spelled as in the protocol's `_meta.ui`; those of a view (`csp`, `permissions`, `domain`, `prefersBorder`,
and `file` for its HTML) may stand there as well, and speak of the view that is linked.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...runtime.gateway.view_links import VISIBILITIES
from ...views.statements import Statement
from .constant_json import to_json
from .constants import Unevaluable, evaluate
from .markers import marker_problem
from .reading import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...diagnostics.model import Span
    from .markers import Marker
    from .program import Module
    from .reading import Reading
    from .selection import Chosen
    from .subjects import Subject

VARIABLE = "__mcp_ui__"

VIEW_MEMBERS: Mapping[str, str] = {
    "csp": "csp",
    "permissions": "permissions",
    "domain": "domain",
    "prefersBorder": "prefers_border",
    "file": "file",
}
"""Members that speak of the view, and what we call them."""

MEMBERS = ("resourceUri", "visibility", *VIEW_MEMBERS)


@dataclass(slots=True, kw_only=True)
class ModuleLinks:
    """What the variable says: options of tools by function, statements about views, and what was found."""

    options: dict[str, dict[str, Any]] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    span: Span | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)


def module_links(module: Module, reading: Reading) -> ModuleLinks:
    """Read the variable of a module; a module without it links nothing."""
    found = ModuleLinks()
    binding = module.index.names.get(VARIABLE)
    value = binding.value if binding is not None else None
    if not isinstance(value, ast.expr):
        return found
    found.span = module.span(value)
    try:
        stated = to_json(evaluate(value, Scope(module=module), reading))
    except (Unevaluable, RecursionError):
        stated = None
    if not isinstance(stated, dict):
        _refuse(found, f"`{VARIABLE}` must be a dictionary of literals", value, VARIABLE, module)
        return found
    for unit, members in stated.items():
        _take(found, str(unit), members, value, module)
    return found


def _take(found: ModuleLinks, unit: str, members: Any, value: ast.expr, module: Module) -> None:
    if not isinstance(members, dict) or any(name not in MEMBERS for name in members):
        message = f"`{unit[:60]}` in `{VARIABLE}` must be a dictionary of {', '.join(MEMBERS)}"
        _refuse(found, message, value, unit, module)
        return
    uri, visibility = members.get("resourceUri"), members.get("visibility", [])
    if (
        not isinstance(uri, str | None)
        or not isinstance(visibility, list)
        or any(v not in VISIBILITIES for v in visibility)
    ):
        message = f"`{unit[:60]}` in `{VARIABLE}` needs a text as `resourceUri`, and `model` or `app` in `visibility`"
        _refuse(found, message, value, unit, module)
        return
    found.options[unit] = {
        **({"ui": uri} if uri is not None else {}),
        **({"visibility": visibility} if visibility else {}),
    }
    options = {VIEW_MEMBERS[name]: item for name, item in members.items() if name in VIEW_MEMBERS}
    if not options:
        return
    if uri is None or any(name in options and not _is_of(name, options[name]) for name in ("prefers_border", "file")):
        message = f"what `{unit[:60]}` in `{VARIABLE}` says of a view cannot be used"
        _refuse(found, message, value, unit, module)
        return
    folder, slash, _ = module.source.shown.rpartition("/")
    found.statements.append(
        Statement(
            uri=uri,
            place=f"`{VARIABLE}`",
            options=options,
            span=found.span,
            folder=module.source.path.parent,
            shown=f"{folder}{slash}",
        )
    )


def _is_of(name: str, item: object) -> bool:
    return isinstance(item, bool if name == "prefers_border" else str)


def _refuse(found: ModuleLinks, message: str, node: ast.AST, unit: str, module: Module) -> None:
    found.diagnostics.append(marker_problem(message, node, unit, module))


def with_links(marker: Marker, links: Mapping[str, Any], subject: Subject) -> tuple[Marker, list[Diagnostic]]:
    """Return a tool's marker with what the module says of it as data; where they differ, the marker's word holds."""
    found = []
    for name, value in links.items():
        if marker.options.get(name, value) != value:
            message = f"`{name}` of tool `{subject.unit}` is stated by its marker and in `{VARIABLE}`, differently"
            span = marker.spans.get(name) or subject.span
            hint = "Remove one of the two."
            found.append(
                Diagnostic(rule=rule("marker-conflict"), message=message, span=span, hint=hint, unit=subject.unit)
            )
    return (replace(marker, options={**links, **marker.options}) if links else marker), found


def unmatched_links(links: ModuleLinks, chosen: Iterable[Chosen]) -> list[Diagnostic]:
    """Return what was found in the variable, and a finding for each function it names that is no tool."""
    units = {each.subject.unit for each in chosen}
    unmatched = [
        Diagnostic(
            rule=rule("marker-argument"),
            message=f"`{VARIABLE}` names `{unit[:60]}`, which is no tool",
            span=links.span,
            hint="Name a function that is served as a tool, or remove the entry.",
            unit=unit,
        )
        for unit in links.options
        if unit not in units
    ]
    return [*links.diagnostics, *unmatched]
