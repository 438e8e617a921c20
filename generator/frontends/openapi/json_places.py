"""Where things stand in a JSON text: found when asked for, by skipping what comes before with the C scanner.

A container is scanned member by member, no further than the beginning of the member asked for, and the scan goes on
from there the next time. The texts given to `JsonPlaces` are known to be valid JSON of bounded depth; the `find_…`
functions take texts the decoder refused and walk tokens instead.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from .limits import MAX_DEPTH, MAX_DIGITS
from .load_problem import TextProblem, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^ \t\n\r"{}\[\],:]+', re.DOTALL)
_DECODER = json.JSONDecoder()


class Found:
    """Character offsets of a value and, for a member of an object, of its key; `exact` is False for an ancestor's."""

    __slots__ = ("exact", "key", "value")

    def __init__(self, value: int, key: int | None, *, exact: bool = True) -> None:
        self.value = value
        self.key = key
        self.exact = exact


class _Container:
    """What is known of an object or an array so far: its members, and where the scan stands.

    A scan that found a member stands before the value (`entered`): the last one asked for is never read to its end.
    """

    __slots__ = ("complete", "cursor", "entered", "is_object", "members")

    def __init__(self, text: str, start: int) -> None:
        self.is_object = text[start] == "{"
        self.members: dict[str, tuple[int, int | None]] = {}
        self.cursor = _blank(text, start + 1)
        self.complete = text[self.cursor] in "}]"
        self.entered = False

    def find(self, text: str, token: str) -> tuple[int, int | None] | None:
        """Return the offsets of a member's value and key, scanning on as far as needed."""
        while (found := self.members.get(token)) is None and not self.complete:
            self._advance(text)
        return found

    def _advance(self, text: str) -> None:
        cursor = self.cursor
        if self.entered:
            _, cursor = _DECODER.raw_decode(text, cursor)
            cursor = _blank(text, cursor)
            if text[cursor] != ",":
                self.complete = True
                return
            cursor = _blank(text, cursor + 1)
        key, token = None, str(len(self.members))
        if self.is_object:
            key = cursor
            token, cursor = _DECODER.raw_decode(text, cursor)
            cursor = _blank(text, _blank(text, cursor) + 1)  # over the colon
        self.members.setdefault(token, (cursor, key))
        self.cursor, self.entered = cursor, True


class JsonPlaces:
    """The places of one JSON text; visited containers are remembered."""

    __slots__ = ("_containers", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._containers: dict[int, _Container] = {}

    def find(self, pointer: tuple[str, ...]) -> Found:
        """Return where a pointer's value stands, or the nearest ancestor that exists."""
        start, key = _blank(self._text, 0), None
        for token in pointer:
            member = self._container(start).find(self._text, token) if self._text[start] in "{[" else None
            if member is None:
                return Found(start, key, exact=False)
            start, key = member
        return Found(start, key)

    def end(self, start: int) -> int:
        """Return where the first token at an offset ends: a whole scalar, or the opening bracket."""
        token = _TOKEN.match(self._text, start)
        return token.end() if token else start + 1

    def _container(self, start: int) -> _Container:
        if (container := self._containers.get(start)) is None:
            container = self._containers[start] = _Container(self._text, start)
        return container


def find_repeated_key(text: str) -> TextProblem:
    """Return what to say about the first key an object has twice."""
    stack: list[dict[str, int]] = [{}]
    for piece, start, end in _tokens(text):
        if piece in "{[":
            stack.append({})
        elif piece in "}]":
            stack.pop()
        elif piece[0] == '"' and text[_blank(text, end) : _blank(text, end) + 1] == ":":
            key = json.loads(piece)
            first = stack[-1].setdefault(key, start)
            if first != start:
                return repeated_key(text, key, first, start)
    return TextProblem("duplicate-key", "an object has a key twice")


def repeated_key(text: str, key: str, first: int, second: int) -> TextProblem:
    """Return the problem of a key that stands at two offsets."""
    lines = line_and_column(text, first)[0], line_and_column(text, second)[0]
    where = f"lines {lines[0]} and {lines[1]}" if lines[0] != lines[1] else f"line {lines[0]}, twice"
    return TextProblem("duplicate-key", f"the key `{cut(key)}` is given more than once in one object: {where}", second)


def find_literal(text: str, literal: str) -> TextProblem:
    """Return what to say about a refused number or constant."""
    offset = next((start for piece, start, _ in _tokens(text) if piece == literal), None)
    if literal.lstrip("-") in ("NaN", "Infinity"):
        return TextProblem("invalid-syntax", f"{literal} is not JSON", offset)
    return number_too_large(literal, offset)


def number_too_large(literal: str, offset: int | None) -> TextProblem:
    """Return the problem of a number that has too many digits or is beyond the range of doubles."""
    if len(literal) > MAX_DIGITS:
        message = f"a number of {len(literal)} digits is longer than {MAX_DIGITS}"
    else:
        message = f"the number {cut(literal)} is too large"
    return TextProblem("loading-limit", message, offset)


def find_nesting(text: str) -> TextProblem:
    """Return where a text is nested too deep."""
    depth = 0
    for piece, start, _ in _tokens(text):
        if piece in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                return nested_too_deep(start)
        elif piece in "}]":
            depth -= 1
    return nested_too_deep(None)


def nested_too_deep(offset: int | None) -> TextProblem:
    """Return the problem of a document that is nested too deep."""
    return TextProblem("loading-limit", f"the document is nested deeper than {MAX_DEPTH} levels", offset)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the 1-based line and column of an offset; lines end in LF, CR LF or CR."""
    breaks = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    if "\r" in text:
        breaks += text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
        start = max(start, text.rfind("\r", 0, offset) + 1)
    return breaks + 1, offset - start + 1


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _TOKEN.finditer(text):
        yield match[0], match.start(), match.end()


def _blank(text: str, offset: int) -> int:
    match = _BLANK.match(text, offset)
    return match.end() if match else offset
