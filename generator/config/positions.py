"""Where each setting stands in a TOML document.

tomllib gives values without places. This scanner walks the same text, already accepted by tomllib, and records for
every path of keys (array items by index) where its key and its value are. It never judges: the text is known to be
valid.
"""

from __future__ import annotations

import bisect
from typing import NamedTuple

Path = tuple[str | int, ...]

_BARE_END = frozenset(" \t\n\r=.,]}#")
_BLANK = frozenset(" \t\n\r")


class Place(NamedTuple):
    """Character offsets of a key and of its value, ends exclusive; for an array item both are the item."""

    key_start: int
    key_end: int
    value_start: int
    value_end: int


class LineIndex:
    """Turns character offsets of one text into 1-based lines and columns."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        """Index the text's line starts."""
        self._starts = [0] + [offset + 1 for offset, character in enumerate(text) if character == "\n"]

    def at(self, offset: int) -> tuple[int, int]:
        """Return (line, column) of an offset."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def positions(text: str) -> dict[Path, Place]:
    """Return the place of every key path in a valid TOML document; a table's place is its first header."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.places


class _Scanner:
    """A cursor over the text; each method leaves it after what it read."""

    __slots__ = ("_counts", "_offset", "_text", "places")

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._counts: dict[Path, int] = {}
        self.places: dict[Path, Place] = {}

    def document(self) -> None:
        """Read headers and assignments up to the end."""
        prefix: Path = ()
        while self._skip_blank() < len(self._text):
            if self._text[self._offset] == "[":
                prefix = self._header()
            else:
                self._assignment(prefix)

    def _header(self) -> Path:
        double = self._text.startswith("[[", self._offset)
        self._offset += 2 if double else 1
        keys = self._dotted()
        self._skip_blank()
        self._offset += 2 if double else 1
        path = self._resolved(keys, array=double)
        for length in range(1, len(path) + 1):
            start, end = keys[min(length, len(keys)) - 1][1:]
            self.places.setdefault(path[:length], Place(start, end, start, end))
        return path

    def _resolved(self, keys: list[tuple[str, int, int]], *, array: bool) -> Path:
        """Insert the current index after every part that is an array of tables."""
        path: Path = ()
        for position, (name, _, _) in enumerate(keys):
            path = (*path, name)
            if array and position == len(keys) - 1:
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
        return path

    def _assignment(self, prefix: Path) -> None:
        keys = self._dotted()
        self._skip_blank()
        self._offset += 1  # the equals sign
        self._skip_blank()
        path = (*prefix, *(name for name, _, _ in keys))
        value_start = self._offset
        self._value(path)
        for length in range(1, len(keys) + 1):
            _, start, end = keys[length - 1]
            self.places.setdefault(
                (*prefix, *(name for name, _, _ in keys[:length])), Place(start, end, value_start, self._offset)
            )

    def _dotted(self) -> list[tuple[str, int, int]]:
        """Read `a."b c".d` as (name, start, end) of each part."""
        keys = []
        while True:
            self._skip_blank()
            start = self._offset
            name = self._quoted() if self._text[start] in "\"'" else self._bare()
            keys.append((name, start, self._offset))
            if self._skip_blank() >= len(self._text) or self._text[self._offset] != ".":
                return keys
            self._offset += 1

    def _bare(self) -> str:
        start = self._offset
        while self._offset < len(self._text) and self._text[self._offset] not in _BARE_END:
            self._offset += 1
        if self._offset == start:  # cannot happen in valid TOML; never loop
            self._offset += 1
        return self._text[start : self._offset]

    def _quoted(self) -> str:
        """Read any of the four string forms; returns the name a one-line form stands for."""
        quote = self._text[self._offset]
        start = self._offset
        triple = self._text.startswith(quote * 3, start)
        closing = quote * 3 if triple else quote
        self._offset += len(closing)
        while self._offset < len(self._text) and not self._text.startswith(closing, self._offset):
            self._offset += 2 if quote == '"' and self._text[self._offset] == "\\" else 1
        self._offset += len(closing)
        while triple and self._text.startswith(quote, self._offset):
            self._offset += 1  # one or two quotes may stand before the closing three
        self._offset = min(self._offset, len(self._text))
        body = self._text[start + len(closing) : self._offset - len(closing)]
        return _unescaped(body) if quote == '"' and "\\" in body and not triple else body

    def _value(self, path: Path) -> None:
        opening = self._text[self._offset : self._offset + 1]
        if opening in ('"', "'"):
            self._quoted()
        elif opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        else:
            self._scalar()

    def _scalar(self) -> None:
        """Read a number, date or boolean; a date may hold one space, dots and colons."""
        start = self._offset
        while self._offset < len(self._text) and self._text[self._offset] not in ",]}#\n\r":
            self._offset += 1
        self._offset = start + len(self._text[start : self._offset].rstrip())
        if self._offset == start:  # cannot happen in valid TOML; never loop
            self._offset += 1

    def _array(self, path: Path) -> None:
        self._offset += 1
        index = 0
        while self._skip_blank() < len(self._text) and self._text[self._offset] != "]":
            if self._text[self._offset] == ",":
                self._offset += 1
                continue
            start = self._offset
            self._value((*path, index))
            self.places[*path, index] = Place(start, self._offset, start, self._offset)
            index += 1
        self._offset += 1

    def _inline_table(self, path: Path) -> None:
        self._offset += 1
        while self._skip_blank() < len(self._text) and self._text[self._offset] != "}":
            if self._text[self._offset] == ",":
                self._offset += 1
                continue
            self._assignment(path)
        self._offset += 1

    def _skip_blank(self) -> int:
        """Skip white space, newlines and comments; returns the new offset."""
        while self._offset < len(self._text):
            character = self._text[self._offset]
            if character == "#":
                end = self._text.find("\n", self._offset)
                self._offset = len(self._text) if end < 0 else end
            elif character in _BLANK:
                self._offset += 1
            else:
                break
        return self._offset


def _unescaped(body: str) -> str:
    """Return what a quoted key with escapes says, by asking tomllib."""
    import tomllib

    value: str = tomllib.loads(f'key = "{body}"')["key"]
    return value
