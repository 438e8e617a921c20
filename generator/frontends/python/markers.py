"""Reading `@tool(...)` as source: each option is a literal, or a name bound to one, of the kind its table row says.

An option that cannot be read or used is reported (MG125) and left out; nothing is guessed.
"""

from __future__ import annotations

import ast
import difflib
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic, Span
from ...diagnostics.rules import rule
from ...ir.model import Annotations, Icon
from .constant_json import to_json
from .constants import Unevaluable, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .program import Module
    from .reading import Reading, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """What `@tool(...)` states: `options` holds only what stands there; `spans` says where."""

    options: Mapping[str, Any] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_is_text(item) for item in value)


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _is_icons(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        _is_text(icon) or (isinstance(icon, dict) and _is_text(icon.get("src"))) for icon in value
    )


ANNOTATION_NAMES: Mapping[str, str] = {
    "read_only": "read_only",
    "destructive": "destructive",
    "idempotent": "idempotent",
    "open_world": "open_world",
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
"""How `annotations={...}` may spell each annotation: our words, or those of the protocol."""


def _is_annotations(value: object) -> bool:
    return isinstance(value, dict) and all(
        (key in ANNOTATION_NAMES and _is_flag(item)) or (key == "title" and _is_text(item))
        for key, item in value.items()
    )


def _one_of(*values: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in values


OPTIONS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(("name", "title", "description"), (_is_text, "a string that is not empty")),
    **dict.fromkeys(("read_only", "destructive", "idempotent", "open_world"), (_is_flag, "True or False")),
    **dict.fromkeys(("hidden", "capture_output", "confirm"), (_is_flag, "True or False")),
    **dict.fromkeys(("scopes", "aliases", "tags", "config"), (_is_texts, "a list of strings")),
    **dict.fromkeys(("max_concurrent", "max_result_bytes"), (_is_count, "a whole number of at least 1")),
    **dict.fromkeys(("input_schema", "output_schema", "meta"), (_is_table, "a dictionary with string keys")),
    "timeout": (_is_seconds, "a number of seconds above 0"),
    "annotations": (_is_annotations, "a dictionary of the annotations read_only, destructive, idempotent, open_world"),
    "icons": (_is_icons, "a list of addresses or of dictionaries with `src`"),
    "task": (_one_of("forbidden", "optional", "required"), '"forbidden", "optional" or "required"'),
    "ui": (_is_text, "the address of a view"),
    "visibility": (
        lambda value: _is_texts(value) and isinstance(value, list | tuple) and set(value) <= {"model", "app"},
        'a list of "model" and "app"',
    ),
}
"""Every option of `tool`, the test its value must pass, and what to say when it does not."""

LINK_KEYS = frozenset({"ui", "ui/resourceUri"})
"""Keys of `_meta` that belong to views (MCP Apps), and are sent to clients that show them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerForm:
    """How a marker is written: its name, the rows of its options, and how many arguments come before those."""

    name: str
    options: Mapping[str, tuple[Callable[[object], bool], str]]
    leading: int = 0


TOOL = MarkerForm(name="tool", options=OPTIONS)


def read_marker(expression: ast.expr, unit: str, scope: Scope, reading: Reading, form: MarkerForm = TOOL) -> Marker:
    """Read the options of a `@tool` decorator, or of another marker; a bare one states nothing."""
    if not isinstance(expression, ast.Call):
        return Marker()
    module = scope.module
    options: dict[str, Any] = {}
    spans: dict[str, Span] = {}
    message = f"options of `{form.name}` go by name"
    hint = f"Write `@{form.name}({'..., ' * form.leading}title=...)`."
    problems = [marker_problem(message, each, unit, module, hint=hint) for each in expression.args[form.leading :]]
    for keyword in expression.keywords:
        problem = _take(keyword, options, unit, scope, reading, form)
        if problem is not None:
            problems.append(problem)
        elif keyword.arg in options:
            spans[str(keyword.arg)] = module.span(keyword.value)
    return Marker(options=options, spans=spans, diagnostics=tuple(problems))


def _take(
    keyword: ast.keyword, options: dict[str, Any], unit: str, scope: Scope, reading: Reading, form: MarkerForm
) -> Diagnostic | None:
    """Take one option into `options`; return what is wrong with it."""
    name, module = keyword.arg, scope.module
    if name is None:
        message = "options given with `**` cannot be read"
        return marker_problem(message, keyword.value, unit, module, hint="Write them out.")
    if name not in form.options:
        near = difflib.get_close_matches(name, form.options, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"Use one of {', '.join(sorted(form.options))}."
        return marker_problem(f"`{form.name}` has no option `{name[:60]}`", keyword, unit, module, hint=hint)
    try:
        value = to_json(evaluate(keyword.value, scope, reading))
    except Unevaluable:
        hint = "Write the value as a literal, or as a name bound to one."
        message = f"`{name}` cannot be read: `{ast.unparse(keyword.value)[:60]}` is computed, or has no JSON form"
        return marker_problem(message, keyword.value, unit, module, hint=hint)
    if value is None:
        return None
    accepts, wanted = form.options[name]
    if not accepts(value):
        return marker_problem(f"`{name}` must be {wanted}", keyword.value, unit, module)
    if name == "meta" and not LINK_KEYS.isdisjoint(value):
        message = "`ui` in `meta` would reach every client, also those without views"
        hint = "State it by options: `ui` and `visibility` of a tool, `csp` and the like of a view."
        return marker_problem(message, keyword.value, unit, module, hint=hint)
    options[name] = value
    return None


def marker_problem(message: str, node: ast.AST, unit: str, module: Module, *, hint: str | None = None) -> Diagnostic:
    """Return the finding (MG125) about something in a marker that cannot be used."""
    return Diagnostic(rule=rule("marker-argument"), message=message, span=module.span(node), unit=unit, hint=hint)


def annotations_of(options: Mapping[str, Any]) -> Annotations:
    """Return the annotations a marker states, one by one or as a dictionary; single options win."""
    table = options.get("annotations", {})
    stated = {ANNOTATION_NAMES[key]: item for key, item in table.items() if key in ANNOTATION_NAMES}
    single = {name: options[name] for name in ANNOTATION_NAMES.values() if name in options}
    return Annotations(**{**stated, **single})


def icons_of(options: Mapping[str, Any]) -> tuple[Icon, ...]:
    """Return the icons a marker states."""
    return tuple(
        Icon(src=icon)
        if isinstance(icon, str)
        else Icon(
            src=icon["src"],
            mime_type=icon.get("mimeType") or icon.get("mime_type"),
            sizes=tuple(icon.get("sizes", ())),
            theme=icon.get("theme"),
        )
        for icon in options.get("icons", ())
    )
