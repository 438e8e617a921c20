"""Departures of a stop: one contract, shown as a page, as a part of a page, as a tool's result and as a view of it.

What a stop shows is said once, by the classes `Board` and `Departure`, and how that looks once, by `board.html`. A web
server can serve `page`, or let a script put `fragment` into one; a model calls the tool and reads its result; a host
with MCP Apps opens `board_view`, the same page, which fills itself in from the result of the tool.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated

from mcpgen import Param, tool, ui_resource

__all__ = ["board_view", "departures"]

PAGE = Path(__file__).with_name("board.html")
ROWS = "<!-- rows -->"
"""Where the page takes its rows."""

TIMETABLE = {
    "Harbour": [("12", "Airport", 3), ("4", "University", 7), ("12", "Old town", 18)],
    "Airport": [("12", "Harbour", 1), ("X", "Central station", 5)],
}


@dataclass
class Departure:
    """One departure: the line, where it goes, in how many minutes."""

    line: str
    to: str
    minutes: int


@dataclass
class Board:
    """The next departures of a stop, the first one first."""

    stop: str
    departures: list[Departure]


@tool(title="Departures", read_only=True, open_world=False, ui="ui://board/departures")
def departures(
    stop: Annotated[str, Param(description="Name of the stop.", examples=["Harbour"])],
    most: Annotated[int, Param(ge=1, le=20, description="How many departures are told.")] = 5,
) -> Board:
    """Tell the next departures of a stop."""
    return Board(stop, [Departure(*each) for each in TIMETABLE.get(stop, ())][:most])


def fragment(board: Board) -> str:
    """Return the rows of a board, as a part of a page."""
    return "\n".join(
        f"<tr><td>{escape(each.line)}</td><td>{escape(each.to)}</td><td>{each.minutes} min</td></tr>"
        for each in board.departures
    )


def page(board: Board) -> str:
    """Return a whole page that shows a board."""
    return PAGE.read_text(encoding="utf-8").replace(ROWS, fragment(board))


@ui_resource("ui://board/departures", title="Departure board", prefers_border=True)
def board_view() -> str:
    """Show the departures; the page takes its rows from the tool's result."""
    return PAGE.read_text(encoding="utf-8").replace(ROWS, "")
