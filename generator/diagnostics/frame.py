"""The source frame below a message: the line with its number, and carets under what the message is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .plain import TAB_WIDTH, plain, width

if TYPE_CHECKING:
    from .model import Span

MAX_LINE_WIDTH = 160
"""Columns of a source line that are shown; longer ones are cut around the carets."""

CUT = "…"

Sources = Callable[[str], "str | None"]
"""Gives a source's text by the path its spans carry, or None when it cannot be shown."""


def frame(span: Span, sources: Sources) -> list[str]:
    """Return the lines of a frame; only the place when the source is not at hand or the place is outside it."""
    place = f"--> {plain(span.path)}:{span.line}:{span.column}"
    line = _line(sources(span.path), span.line)
    gutter = " " * len(str(span.line))
    if line is None:
        return [f"{gutter} {place}"]
    end_column = span.end_column if span.end_line == span.line else len(line) + 1
    start = min(max(span.column - 1, 0), len(line))
    end = min(max(end_column - 1, start), len(line))
    before, marked, after = _windowed(_shown(line[:start]), _shown(line[start:end]), _shown(line[end:]))
    carets = " " * width(before) + "^" * max(1, width(marked))
    text = f"{before}{marked}{after}".rstrip()
    return [f"{gutter} {place}", f" {gutter} |", f" {span.line} | {text}".rstrip(), f" {gutter} | {carets}"]


def _line(source: str | None, number: int) -> str | None:
    """Return one line; only newlines end lines, as in Python's own count."""
    if source is None or number < 1:
        return None
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    start = 0
    for _ in range(number - 1):  # a description may have a million lines: they are not all kept for one
        start = source.find("\n", start) + 1
        if not start:
            return None
    end = source.find("\n", start)
    return source[start:] if end < 0 else source[start:end]


def _shown(text: str) -> str:
    return plain(text.replace("\t", " " * TAB_WIDTH).replace("\f", " "))


def _windowed(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """Cut a long line so that the marked part stays in sight."""
    if width(before) + width(marked) + width(after) <= MAX_LINE_WIDTH:
        return before, marked, after
    if len(marked) > MAX_LINE_WIDTH // 2:
        marked, after = marked[: MAX_LINE_WIDTH // 2] + CUT, ""
    room = MAX_LINE_WIDTH - len(marked)
    if len(before) > room // 2:
        before = CUT + before[len(before) - room // 2 :]
    if len(after) > room - len(before):
        after = after[: max(0, room - len(before))] + CUT
    return before, marked, after
