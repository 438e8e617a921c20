"""Lines and columns for JSON pointers into one text, computed only when a diagnostic asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Span
from .json_places import JsonPlaces, line_and_column
from .yaml_places import YamlPlaces

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 1 << 16
"""Characters between two entries of the index of lines: few to count through, and a quick index of a large text."""


class Positions:
    """The places of one loaded text; `surplus` says how many characters it has more than the file before an offset."""

    __slots__ = ("_breaks", "_has_returns", "_places", "_shown", "_surplus", "_text")

    def __init__(self, text: str, *, shown: str, is_json: bool, surplus: Callable[[int], int] | None = None) -> None:
        self._text = text
        self._surplus = surplus
        self._shown = shown
        self._breaks: list[int] = []
        self._has_returns = "\r" in text
        self._places: JsonPlaces | YamlPlaces = JsonPlaces(text) if is_json else YamlPlaces(text)

    def span(self, pointer: tuple[str, ...]) -> Span:
        """Return the span of a member's key, else of the beginning of the value; else of the nearest ancestor."""
        found = self._places.find(pointer)
        start = found.value if found.key is None else found.key
        line, column = self._at(start)
        end_line, end_column = self._at(self._end(start, pointer, exact=found.exact))
        return Span(path=self._shown, line=line, column=column, end_line=end_line, end_column=end_column)

    def _at(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset in the file that the text was read from."""
        line, column = self._counted(offset)
        if self._surplus is not None:
            column -= self._surplus(offset) - self._surplus(offset - column + 1)
        return line, column

    def _counted(self, offset: int) -> tuple[int, int]:
        """Return the line and column in the text, from an index: a document may have thousands of findings."""
        if self._has_returns:
            return line_and_column(self._text, offset)
        block = offset // BLOCK
        while len(self._breaks) <= block:
            done = len(self._breaks)
            before = self._breaks[-1] + self._text.count("\n", (done - 1) * BLOCK, done * BLOCK) if done else 0
            self._breaks.append(before)
        line = self._breaks[block] + self._text.count("\n", block * BLOCK, offset) + 1
        return line, offset - self._text.rfind("\n", 0, offset)

    def _end(self, start: int, pointer: tuple[str, ...], *, exact: bool) -> int:
        if exact and pointer and self._text.startswith(pointer[-1], start):
            return start + len(pointer[-1])
        return self._places.end(start)

    def value_offset(self, pointer: tuple[str, ...]) -> int | None:
        """Return the character offset where a pointer's value begins; None when there is no such value."""
        found = self._places.find(pointer)
        return found.value if found.exact else None


def span_at(text: str, shown: str, offset: int) -> Span:
    """Return the span of one character of a text that has no index."""
    line, column = line_and_column(text, offset)
    return Span(path=shown, line=line, column=column, end_line=line, end_column=column + 1)
