"""What is wrong with the schemas of a description, collected: one diagnostic for each kind, at the first place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....diagnostics.model import Diagnostic
from ....diagnostics.rules import rule

if TYPE_CHECKING:
    from ..place import Place

Report = Callable[[Diagnostic], None]


class SchemaProblem(Exception):
    """A schema that an operation cannot do without leads nowhere; `diagnostics` say why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics[0].message if diagnostics else "")
        self.diagnostics = diagnostics


class Findings:
    """Counts what was found; `finish` reports it."""

    __slots__ = ("_doubts", "_found")

    def __init__(self) -> None:
        self._doubts: dict[str, Diagnostic] = {}
        self._found: dict[tuple[str, str], dict[tuple[str, str], Place]] = {}

    def add(self, name: str, what: str, place: Place) -> None:
        """Note one finding: a rule's name, a message that is the same for all of its kind, and where it is."""
        # The same schema is read once for arguments and once for answers; it is still one place.
        self._found.setdefault((name, what), {}).setdefault((place.file.shown, place.json_pointer), place)

    def doubt(self, diagnostic: Diagnostic) -> None:
        """Note a reference in an answer that cannot be read, where the operation can do without."""
        self._doubts.setdefault(diagnostic.message, diagnostic)

    def finish(self, report: Report) -> None:
        """Report everything found so far, once."""
        if self._doubts:
            report(_as_warning(*self._doubts.values()))
            self._doubts.clear()
        for (name, what), places in self._found.items():
            first = next(iter(places.values()))
            more = len(places) - 1
            report(
                Diagnostic(
                    rule=rule(name),
                    message=what,
                    span=first.span,
                    pointer=first.text,
                    notes=(f"and in {more} more place{'s' if more > 1 else ''}",) if more else (),
                )
            )
        self._found.clear()


def _as_warning(first: Diagnostic, *others: Diagnostic) -> Diagnostic:
    """Return the first of several unreadable references as a finding about answers, and count the others."""
    more = (
        (f"{len(others)} more reference{'s' if len(others) > 1 else ''} in answers cannot be read",) if others else ()
    )
    return Diagnostic(
        rule=rule("unreadable-answer-schema"),
        message=first.message,
        span=first.span,
        pointer=first.pointer,
        notes=(*first.notes, *more),
        hint=first.hint,
    )
