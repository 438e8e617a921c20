"""Diagnostics for machines: one JSON object a line, in the form of `schemas/diagnostics.schema.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return JSON lines, ASCII only, one diagnostic each."""
    return "".join(json.dumps(record(diagnostic), separators=(",", ":")) + "\n" for diagnostic in diagnostics)


def record(diagnostic: Diagnostic) -> dict[str, object]:
    """Return one diagnostic as a JSON object; what is not stated is left out."""
    span = diagnostic.span
    values: dict[str, object] = {
        "code": diagnostic.rule.code,
        "name": diagnostic.rule.name,
        "severity": str(diagnostic.level),
        "message": diagnostic.message,
    }
    if span is not None:
        values["span"] = {
            "path": span.path,
            "line": span.line,
            "column": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        }
    if diagnostic.notes:
        values["notes"] = list(diagnostic.notes)
    stated = {
        "pointer": diagnostic.pointer,
        "hint": diagnostic.advice,
        "unit": diagnostic.unit,
        "paste": diagnostic.paste,
    }
    return values | {key: text for key, text in stated.items() if text is not None}
