"""Tools as a table: a line each when the terminal is wide enough for that, else two."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.plain import plain, width
from ..ir.model import PythonCall
from . import phrases
from .layout import fitted, listed, padded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..ir.model import Tool

INDENT = "  "
GAP = "  "

MIN_ARGUMENTS = 30
"""Columns that parameters must have; where a table leaves fewer, they get a line of their own."""

MAX_RESULT = 28
"""Columns of a result in a table; a longer one is cut."""

MAX_LAZY = 24
"""Columns of the modules that are imported at the first call."""


class Row(NamedTuple):
    """What is told of one tool."""

    name: str
    flags: str
    arguments: list[str]
    result: str
    lazy: str
    cost: str


def table(tools: Sequence[Tool], room: int, costs: Mapping[str, int] | None = None) -> list[str]:
    """Return the lines of a table that is at most `room` columns wide; `costs` are tokens by tool."""
    rows = [_row(tool, (costs or {}).get(tool.name)) for tool in tools]
    if not rows:
        return []
    names, flags, results, lazies, prices = (
        max(width(each) for each in column)
        for column in zip(*((r.name, r.flags, r.result, r.lazy, r.cost) for r in rows), strict=True)
    )
    others = sum(size + len(GAP) for size in (names, flags, results, lazies, prices) if size)
    left = room - len(INDENT) - others
    widest = max(width(", ".join(row.arguments)) for row in rows)
    if left < min(widest, MIN_ARGUMENTS):
        return [line for row in rows for line in _two_lines(row, room)]
    return [_one_line(row, (names, flags, min(widest, left), results, lazies, prices)) for row in rows]


def _row(tool: Tool, cost: int | None) -> Row:
    lazy = tool.call.lazy_imports if isinstance(tool.call, PythonCall) else ()
    return Row(
        name=plain(tool.name),
        flags=phrases.marks(tool),
        arguments=[plain(each) for each in phrases.arguments(tool)],
        result=fitted(plain(phrases.result(tool)), MAX_RESULT),
        lazy=fitted(plain(f"imports {', '.join(lazy)}"), MAX_LAZY) + " when called" if lazy else "",
        cost="" if cost is None else f"{cost} tokens",
    )


def _one_line(row: Row, sizes: tuple[int, ...]) -> str:
    """Return a line with the cells in columns; a column that is empty everywhere takes no room."""
    arguments = listed(row.arguments, sizes[2]) if row.arguments else ""
    cells = (row.name, row.flags, arguments, row.result, row.lazy, row.cost)
    shown = (padded(cell, size) for cell, size in zip(cells, sizes, strict=True) if size)
    return INDENT + GAP.join(shown).rstrip()


def _two_lines(row: Row, room: int) -> list[str]:
    """Return the name with what is said of the tool, and below it what goes in and out."""
    head = fitted(INDENT + GAP.join(filter(None, (row.name, row.flags, row.lazy, row.cost))), room)
    inner = room - 2 * len(INDENT) - (width(row.result) + len(GAP) if row.result else 0)
    arguments = listed(row.arguments, max(inner, 1)) if row.arguments else ""
    below = GAP.join(filter(None, (arguments, row.result)))
    return [head, 2 * INDENT + below] if below else [head]
