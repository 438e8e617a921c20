"""Text in the width of a terminal: cells cut at a sensible place, columns, wrapped paragraphs."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from ..diagnostics.plain import width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFAULT_COLUMNS = 100
"""Columns of a line when the output is no terminal and COLUMNS is not set."""

MIN_COLUMNS = 40
"""A narrower terminal gets lines that it wraps itself."""

MAX_COLUMNS = 160
"""A wider terminal is not filled: nobody reads such lines."""

CUT = "…"
SEPARATOR = ", "


def columns() -> int:
    """Return how many columns a line may have."""
    found = shutil.get_terminal_size((DEFAULT_COLUMNS, 24)).columns
    return min(max(found, MIN_COLUMNS), MAX_COLUMNS)


def fitted(text: str, room: int) -> str:
    """Return a text of at most `room` columns, cut after a whole word where there is one."""
    if width(text) <= room:
        return text
    end = used = 0
    for character in text:
        used += width(character)
        if used > room - len(CUT):
            break
        end += 1
    space = text.rfind(" ", 0, end + 1)
    kept = text[:space] if space > end // 2 else text[:end]
    return kept.rstrip(" ,") + CUT


def listed(items: Sequence[str], room: int) -> str:
    """Return items with commas between; what exceeds `room` is left out, item by item, with a `…` for it."""
    used = fitting = 0
    for count, item in enumerate(items, 1):
        used += width(item) + (len(SEPARATOR) if count > 1 else 0)
        if used > room:
            break
        if count == len(items):
            return SEPARATOR.join(items)
        if used + len(SEPARATOR) + len(CUT) <= room:
            fitting = count
    if fitting:
        return SEPARATOR.join((*items[:fitting], CUT))
    return fitted(items[0] if len(items) == 1 else f"{items[0]}, {CUT}", room)


def padded(text: str, size: int) -> str:
    """Return a text filled up to `size` columns."""
    return text + " " * (size - width(text))


def wrapped(text: str, room: int) -> list[str]:
    """Return the lines of a text, those that are longer than `room` broken between words; indentation is kept."""
    lines: list[str] = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        lines += [f"{indent}{each}".rstrip() for each in _broken(line.split(), room - len(indent))] or [""]
    return lines


def _broken(words: Iterable[str], room: int) -> list[str]:
    lines: list[str] = []
    current = ""
    for word in words:
        longer = f"{current} {word}" if current else word
        if current and width(longer) > room:
            lines.append(current)
            longer = word
        current = longer
    return [*lines, current] if current else lines
