"""Collect what is wrong with a description, so that a fault found a thousand times is one diagnostic with a count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ....diagnostics.model import Diagnostic, Severity
from ....diagnostics.rules import rule
from ..load_problem import ReferenceProblem

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..place import Place

MAX_DETAILS = 10
"""How many further places or operations a grouped diagnostic names; the rest is a number."""


class Unreadable(Exception):
    """Part of a description cannot be read; what encloses it decides whether it is left out as well."""

    def __init__(self, name: str, message: str, place: Place, hint: str | None = None) -> None:
        super().__init__(message)
        self.name, self.message, self.place, self.hint = name, message, place, hint

    @cached_property
    def diagnostic(self) -> Diagnostic:
        """What is told of it; a path may cost thousands of operations."""
        return Diagnostic(rule=rule(self.name), message=self.message, pointer=self.place.text, hint=self.hint)


@dataclass(slots=True)
class _Group:
    diagnostic: Diagnostic
    place: Place | None
    detail: str | None = None
    count: int = 0
    unit: str | None = None
    more: dict[str, None] = field(default_factory=dict)

    def finished(self) -> Diagnostic:
        found, message = self.diagnostic, self.diagnostic.message
        if self.detail:
            message += f": {self.detail}"
        if self.count > 1 and found.level is not Severity.ERROR:
            message += f" ({self.count} times)"
        notes = found.notes
        if self.more:
            rest = len(self.more) - MAX_DETAILS
            named = ", ".join(list(self.more)[:MAX_DETAILS])
            notes += (f"also: {named}" + (f" and {rest} more" if rest > 0 else ""),)
        span = found.span or (self.place.span if self.place else None)
        return replace(found, message=message, span=span, notes=notes, unit=self.unit or found.unit)


class Findings:
    """Groups findings: warnings with the same message, errors with the same message and place.

    `told` counts what came, grouped or not.
    """

    def __init__(self, report: Callable[[Diagnostic], None]) -> None:
        self._report = report
        self.told = 0
        self._groups: dict[tuple[str, str, str | None], _Group] = {}

    def warn(
        self,
        name: str,
        message: str,
        place: Place,
        *,
        detail: str | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Note something that is read in spite of a fault; `detail` tells this place from others of its group."""
        self.told += 1
        group = self._groups.get((name, message, None))
        if group is None:
            found = Diagnostic(rule=rule(name), message=message, pointer=place.text, severity=severity)
            group = self._groups[name, message, None] = _Group(found, place, detail)
        elif detail and detail != group.detail:
            group.more[detail] = None
        group.count += 1

    def error(self, problem: Unreadable | ReferenceProblem, unit: str | None = None) -> None:
        """Note something that is left out, and the operation this costs."""
        if isinstance(problem, ReferenceProblem):
            self._lost(problem.diagnostic, unit, None)
            return
        self._lost(problem.diagnostic, unit, problem.place)

    def _lost(self, found: Diagnostic, unit: str | None, place: Place | None) -> None:
        self.told += 1
        group = self._groups.setdefault((found.rule.name, found.message, found.pointer or ""), _Group(found, place))
        group.count += 1
        if unit and group.unit is None:
            group.unit = unit
        elif unit and unit != group.unit:
            group.more[unit] = None

    def flush(self) -> None:
        """Report every group, in the order in which they were found first."""
        for group in self._groups.values():
            self._report(group.finished())
        self._groups.clear()
