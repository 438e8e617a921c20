"""Collecting diagnostics: one order, no duplicates, and what a list of them means for a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Diagnostic

_NO_PLACE = ("", 0, 0)


def arranged(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics without repetitions, ordered by path, line, column and code; those without a place last."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=_order))


def _order(diagnostic: Diagnostic) -> tuple[bool, str, int, int, str, str]:
    span = diagnostic.span
    path, line, column = (span.path, span.line, span.column) if span else _NO_PLACE
    return span is None, path, line, column, diagnostic.rule.code, diagnostic.message


def told(diagnostic: Diagnostic) -> list[str]:
    """Return a diagnostic's text where no frame is shown: the message, then notes and hint on their own lines."""
    action = [f"hint: {diagnostic.advice}"] if diagnostic.advice is not None else []
    return [diagnostic.message, *(f"note: {note}" for note in diagnostic.notes), *action]


def counted(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the closing line of a report: `2 errors, 1 warning`; empty for none."""
    counts = dict.fromkeys(Severity, 0)
    for diagnostic in diagnostics:
        counts[diagnostic.level] += 1
    return ", ".join(f"{count} {level}{'s' if count > 1 else ''}" for level, count in counts.items() if count)
