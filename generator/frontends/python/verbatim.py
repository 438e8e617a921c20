"""Schemas an author wrote: emitted as they are, with a word on what some hosts refuse (decision 15, MG134)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagnostics.model import Span

_KEY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "enum", "$ref")


def verbatim_note(schema: Mapping[str, Any], which: str, unit: str, span: Span | None) -> Diagnostic:
    """Return the diagnostic about an author's schema: a warning when some hosts refuse its form, else a note."""
    refused = refused_form(schema) if which == "input_schema" else None
    said = f"; some hosts refuse it: {refused}" if refused else ""
    return Diagnostic(
        rule=rule("verbatim-schema"),
        message=f"`{which}` of tool `{unit}` is emitted as it is written{said}",
        span=span,
        unit=unit,
        severity=None if refused else Severity.NOTE,
    )


def refused_form(schema: Mapping[str, Any]) -> str | None:
    """Return what hosts refuse in the form of an input schema, or None."""
    if schema.get("type") != "object":
        return "its root has no `type: object`"
    combinator = next((key for key in _COMBINATORS if key in schema), None)
    if combinator is not None:
        return f"its root has `{combinator}`"
    properties = schema.get("properties")
    names = properties if isinstance(properties, dict) else {}
    bad = next((name for name in names if not _KEY.fullmatch(str(name))), None)
    return f"the property name `{str(bad)[:60]}`" if bad is not None else None


def is_object(schema: object) -> bool:
    """Whether a result schema's root is an object, also through a `$ref` into its own `$defs`."""
    seen: set[str] = set()
    root = schema
    while isinstance(root, dict) and isinstance(root.get("$ref"), str) and "type" not in root:
        reference = root["$ref"]
        name = reference.removeprefix("#/$defs/")
        definitions = schema.get("$defs") if isinstance(schema, dict) else None
        if reference in seen or not isinstance(definitions, dict):
            return False
        seen.add(reference)
        root = definitions.get(name)
    return isinstance(root, dict) and root.get("type") == "object"
