"""The rows of the table: what was measured, against what, and whether it is good enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from measure import Spread

HEAD = "| what | target | stretch | measured (quartiles) | |\n|---|---|---|---|---|\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A bound: `most` says that less is better. `stretch` is what would be very good."""

    target: float
    stretch: float | None = None
    most: bool = True

    def reaches(self, value: float, bound: float) -> bool:
        """Say whether a value keeps to a bound."""
        return value <= bound if self.most else value >= bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure; without a goal it is there to be read."""

    what: str
    measured: Spread
    goal: Goal | None = None
    unit: str = "x"
    note: str = ""

    @property
    def missed(self) -> bool:
        """Whether the target is missed."""
        return self.goal is not None and not self.goal.reaches(self.measured.median, self.goal.target)

    @property
    def verdict(self) -> str:
        """The last column."""
        if self.goal is None:
            return ""
        if self.missed:
            return "**missed**"
        stretch = self.goal.stretch
        if stretch is None:
            return "reached"
        return "stretch reached" if self.goal.reaches(self.measured.median, stretch) else "target reached"


def table(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    return HEAD + "".join(_line(row) for row in rows)


def _line(row: Row) -> str:
    goal, spread = row.goal, row.measured
    bounds = ("", "") if goal is None else (_bound(row, goal, goal.target), _bound(row, goal, goal.stretch))
    figure = f"{_number(spread.median)}{row.unit}"
    if spread.low != spread.high:
        figure += f" ({_number(spread.low)} to {_number(spread.high)})"
    cells = (row.what, *bounds, figure + (f"; {row.note}" if row.note else ""), row.verdict)
    return "| " + " | ".join(cells) + " |\n"


def _bound(row: Row, goal: Goal, value: float | None) -> str:
    return "" if value is None else f"{'≤' if goal.most else '≥'} {value:g}{row.unit}"


def _number(value: float) -> str:
    """Show three digits that count, and no more of a large number than its whole part."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
