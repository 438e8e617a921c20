"""Diagnostics as values: a rule, a place, what is wrong, and the next action.

Front ends collect them and go on, so that one run shows everything. Nothing here prints; see `render`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in a source file: 1-based lines, 1-based columns counted in characters; `path` as the user wrote it."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Severity(StrEnum):
    """How much a diagnostic matters: an error means something was left out or refused."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of finding: a code that is never reused, a name that reads well after "allow", and its explanation.

    `action` is what to do when a finding has no hint of its own; every rule that may end a run has one.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    explanation: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding.

    `unit` names the function, operation or setting it is about, `notes` say how it came about, `hint` is the next
    action, `paste` a setting that skips the unit.
    """

    rule: Rule
    message: str
    span: Span | None = None
    pointer: str | None = None
    notes: tuple[str, ...] = ()
    hint: str | None = None
    unit: str | None = None
    paste: str | None = None
    severity: Severity | None = None

    @property
    def level(self) -> Severity:
        """The rule's severity unless this finding has its own."""
        return self.severity or self.rule.severity

    @property
    def advice(self) -> str | None:
        """The next action: the finding's own hint, for an error else the rule's."""
        if self.hint is None and self.level is Severity.ERROR:
            return self.rule.action or None
        return self.hint
