"""What is found on the way, collected: single findings as they are, repeated ones as one line with a count."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .place import Place

MAX_ALIKE = 10
"""Findings of one kind that get a line each; a document of a thousand operations would bury everything else."""

MAX_EXAMPLES = 5
"""Further findings that a grouped line names."""

MAX_SHOWN = 60
"""Characters of a document's text that a message repeats."""


_USER = re.compile(r"//[^/?#]*@")


def shown(text: str) -> str:
    """Return a name of the document as messages show it: on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_SHOWN else f"{line[: MAX_SHOWN - 1]}…"


def address_shown(url: str) -> str:
    """Return a URL of the document as messages show it: without a user or password."""
    return shown(_USER.sub("//…@", url))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Alike:
    """A finding that is told only when its group is complete: its place is computed late."""

    diagnostic: Diagnostic
    place: Place | None


class Findings:
    """Collects diagnostics; it is itself the callable that other parts report to."""

    __slots__ = ("_groups", "_losses", "_told")

    def __init__(self) -> None:
        self._told: list[Diagnostic] = []
        self._groups: dict[tuple[str, str], list[_Alike]] = {}
        self._losses: dict[Diagnostic, list[tuple[str, Place]]] = {}

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Take a diagnostic as it is."""
        self._told.append(diagnostic)

    def tell(
        self,
        name: str,
        message: str,
        *,
        place: Place | None = None,
        unit: str | None = None,
        hint: str | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Make a diagnostic of a rule at a place."""
        found = Diagnostic(rule=rule(name), message=message, unit=unit, hint=hint, severity=severity)
        self._told.append(_placed(found, place))

    def group(
        self,
        name: str,
        message: str,
        *,
        kind: str = "",
        place: Place | None = None,
        unit: str | None = None,
        hint: str | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Take one of perhaps many findings of a rule and kind; of many the first is told and their number."""
        found = Diagnostic(rule=rule(name), message=message, unit=unit, hint=hint, severity=severity)
        self._groups.setdefault((name, kind), []).append(_Alike(diagnostic=found, place=place))

    def lost(self, unit: str, place: Place, problems: Iterable[Diagnostic]) -> None:
        """Take the reasons why an operation is left out; one that costs several operations is told once."""
        for problem in problems:
            self._losses.setdefault(problem, []).append((unit, place))

    def has_error(self, *names: str) -> bool:
        """Return whether an error was told by itself, of these rules or, without any, of whichever."""
        errors = (each for each in self._told if each.level is Severity.ERROR)
        return any(not names or each.rule.name in names for each in errors)

    def all(self) -> tuple[Diagnostic, ...]:
        """Return everything found, each once: single findings in the order they came, then the groups."""
        found = list(self._told)
        for group in self._groups.values():
            if len(group) <= MAX_ALIKE:
                found += [_placed(each.diagnostic, each.place) for each in group]
            else:
                found.append(_counted(group))
        found += [_costing(problem, units) for problem, units in self._losses.items()]
        return tuple(dict.fromkeys(found))


def _placed(diagnostic: Diagnostic, place: Place | None) -> Diagnostic:
    return diagnostic if place is None else replace(diagnostic, span=place.span, pointer=place.text)


def _counted(group: list[_Alike]) -> Diagnostic:
    """Return one diagnostic for a whole group, with a few of the others as notes."""
    first, others = group[0], group[1:]
    distinct = list(dict.fromkeys(each.diagnostic.message for each in others))
    named = [message for message in distinct if message != first.diagnostic.message][:MAX_EXAMPLES]
    notes = [f"also: {message}" for message in named]
    if named and len(others) > len(named):
        notes.append(f"and {len(others) - len(named)} more")
    message = f"{first.diagnostic.message}; {len(others)} more are like this one"
    return _placed(replace(first.diagnostic, message=message, notes=tuple(notes)), first.place)


def _costing(problem: Diagnostic, units: list[tuple[str, Place]]) -> Diagnostic:
    """Return a problem with the operations it costs: the first is its unit, the others are named or counted."""
    (unit, place), others = units[0], [name for name, _ in units[1:]]
    notes = list(problem.notes)
    if problem.pointer != place.text:
        notes.append(f"needed by `{shown(unit)}`")
    if others:
        named = ", ".join(f"`{shown(name)}`" for name in others[:MAX_EXAMPLES])
        more = f" and {len(others) - MAX_EXAMPLES} more" if len(others) > MAX_EXAMPLES else ""
        notes.append(f"also left out: {named}{more}")
    return replace(problem, unit=unit, notes=tuple(notes))
