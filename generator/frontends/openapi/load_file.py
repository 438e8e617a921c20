"""One loaded file: its value, its text for positions, and what it is called."""

from __future__ import annotations

import re
from typing import Any

from ...collector import uncollected
from ...diagnostics.model import Diagnostic, Span
from ...diagnostics.rules import rule
from .json_ascii import in_ascii
from .json_text import NotJson, load_json
from .load import ESCAPE_REFUSED, load_text
from .load_encoding import decode, find_control
from .load_problem import LoadProblem, TextProblem
from .load_scopes import Scopes
from .positions import Positions, span_at

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE_ESCAPE_BYTES = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class LoadedFile:
    """A file of a description. `location` is its address: a `file:` URL of the real path, or where it was fetched.

    `text` is as it is read: of JSON with few characters that are not ASCII, those are escaped (`_ascii`).
    `repaired` is the pointer of the first text that had half of a surrogate pair, None if there was none.
    """

    __slots__ = ("_ascii", "_positions", "_scopes", "is_json", "location", "repaired", "shown", "text", "value")

    def __init__(self, data: bytes, *, shown: str, location: str) -> None:
        """Parse the bytes; raises LoadProblem."""
        self.shown = shown
        self.location = location
        self.text = ""
        self._ascii = in_ascii(data)
        if self._ascii is None or not self._read_ascii(self._ascii.text):
            self._ascii = None
            self._read(data)
        has_surrogates = _SURROGATE_ESCAPE_BYTES.search(data) if self._ascii else _SURROGATE_ESCAPE.search(self.text)
        self.repaired = _repair(self.value) if has_surrogates else None
        self._positions: Positions | None = None
        self._scopes: Scopes | None = None

    def _read_ascii(self, text: str) -> bool:
        """Read the escaped form of a JSON text; what is wrong with one is told of the original."""
        try:
            with uncollected():
                self.value, self.is_json = load_json(text), True
        except (NotJson, TextProblem):
            return False
        self.text = text
        return True

    def _read(self, data: bytes) -> None:
        try:
            self.text = decode(data)
            try:
                self.value, self.is_json = load_text(self.text)
            except TextProblem as problem:
                if ESCAPE_REFUSED not in problem.message:
                    raise
                self.text = _PAIR.sub(_joined, self.text)
                self.value, self.is_json = load_text(self.text)
        except TextProblem as problem:
            better = find_control(self.text) if problem.rule == "invalid-syntax" else None
            raise LoadProblem(_diagnostic(better or problem, self.shown, problem.text or self.text)) from None

    def span(self, pointer: tuple[str, ...]) -> Span | None:
        """Return the place of a value, or of the nearest thing around it that can be found."""
        if self._positions is None:
            surplus = self._ascii.surplus if self._ascii else None
            self._positions = Positions(self.text, shown=self.shown, is_json=self.is_json, surplus=surplus)
        return self._positions.span(pointer)

    def scopes(self, *, honour_ids: bool) -> Scopes:
        """Return the bases and anchors the file declares, found once."""
        if self._scopes is None:
            self._scopes = Scopes(self.value, self.text, self.location, honour_ids=honour_ids)
        return self._scopes

    def replace(self, value: object) -> None:
        """Take another value in the place of what was read."""
        self.value = value
        self._scopes = None


def _diagnostic(problem: TextProblem, shown: str, text: str) -> Diagnostic:
    span = span_at(text, shown, problem.offset) if problem.offset is not None else None
    message = problem.message if span is not None else f"{shown}: {problem.message}"
    return Diagnostic(rule=rule(problem.rule), message=message, span=span, hint=problem.hint)


def _joined(escape: re.Match[str]) -> str:
    """Return YAML's escape for a pair of JSON's; the replacement character's for half of a pair."""
    if escape[1] is None:
        return "\\ufffd"
    return f"\\U{0x10000 + ((int(escape[1], 16) - 0xD800) << 10) + int(escape[2], 16) - 0xDC00:08x}"


def _whole(text: str) -> str:
    """Return a text with pairs of surrogates joined and others replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _repair(value: Any) -> tuple[str, ...] | None:
    """Replace lone surrogates in keys and texts in place; return the first pointer."""
    first: tuple[str, ...] | None = None
    waiting: list[tuple[Any, tuple[str, ...]]] = [(value, ())] if isinstance(value, (dict, list)) else []
    while waiting:
        container, pointer = waiting.pop()
        pairs = list(container.items() if type(container) is dict else enumerate(container))
        for key, item in pairs:
            if type(item) is dict or type(item) is list:
                waiting.append((item, (*pointer, str(key))))
            elif type(item) is str and _SURROGATE.search(item):
                container[key] = _whole(item)
                first = first or (*pointer, str(key))
        if type(container) is dict and any(_SURROGATE.search(key) for key, _ in pairs):
            renamed = [(_whole(key), container[key]) for key, _ in pairs]
            container.clear()
            container.update(renamed)
            first = first or pointer
    return first
