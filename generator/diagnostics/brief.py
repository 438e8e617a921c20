"""Many findings of one kind, made short for people: the first few in full, one line for the others.

A module that was never written for us says the same thing fifty times; what is rare among it must stay in sight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Diagnostic, Rule, Severity

SHOWN_OF_A_RULE = 3
"""Findings of one rule that are shown in full: enough to see what it is about, few enough to read."""

MAX_LINE = 100
"""Columns of the line that stands for the others."""


def shortened(diagnostics: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[str]]:
    """Return what is shown in full, and a line for each rule of which more was found."""
    shown: list[Diagnostic] = []
    found: dict[tuple[Rule, Severity], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        alike = found.setdefault((diagnostic.rule, diagnostic.level), [])
        alike.append(diagnostic)
        if len(alike) <= SHOWN_OF_A_RULE:
            shown.append(diagnostic)
    others = [(rule, alike[SHOWN_OF_A_RULE:]) for (rule, _), alike in found.items() if len(alike) > SHOWN_OF_A_RULE]
    return shown, [_line(rule, rest) for rule, rest in sorted(others, key=lambda pair: pair[0].code)]


def _line(rule: Rule, others: list[Diagnostic]) -> str:
    """Return `… and 31 more of MG104 untyped-parameter: wrap, fill, …`, with as many units as the line holds."""
    line = f"… and {len(others)} more of {rule.code} {rule.name}"
    units = list(dict.fromkeys(other.unit for other in others if other.unit is not None))
    for position, unit in enumerate(units):
        longer = f"{line}{', ' if position else ': '}{unit}"
        if len(longer) + len(", …") > MAX_LINE and position:
            return f"{line}, …"
        line = longer
    return line
