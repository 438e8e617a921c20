"""Streams of values in one body: server-sent events and JSON lines, read up to a number of values."""

from __future__ import annotations

from itertools import islice

from ..wire import jsonrpc
from . import exact_json
from .json_body import RECORD_SEPARATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_VALUES = 10_000
"""Events or lines of one answer that are read; the byte limits of results are met far earlier."""


MOST_PARTS = 2 * MAX_VALUES
"""Lines of one answer that are looked at; empty ones between values keep a connection alive."""

END_MARKS = frozenset(("[DONE]", "[done]"))
"""Data by which some APIs say that a stream is complete; no value."""


def events(text: str, *, complete: bool = True) -> list[Any]:
    """Return what server-sent events carry (HTML Living Standard, 9.2.6): their data, as JSON where it is JSON.

    An event with a name of its own or an id becomes `{"event", "id", "data"}` with those members it has. The last event
    of a stream that is not `complete` counts only if it ended.
    """
    found: list[Any] = []
    data: list[str] = []
    named: dict[str, Any] = {}
    for line in _lines(text):
        if not line:
            _end_event(found, data, named)
            data, named = [], {}
            if len(found) >= MAX_VALUES:
                return found
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event" or (field == "id" and "\0" not in value):
            named[field] = value
    if complete:  # many servers forget the empty line behind the last event
        _end_event(found, data, named)
    return found


def lines(text: str, *, complete: bool = True) -> list[Any]:
    """Return the values of JSON lines or of a JSON text sequence; a line that is no JSON is a string.

    What stands behind the last separator of a stream that is not `complete` is a part of a value, and left out.
    """
    parts = text.split(RECORD_SEPARATOR if RECORD_SEPARATOR in text else "\n", MOST_PARTS)
    if not complete or len(parts) > MOST_PARTS:
        parts.pop()
    return [_value(part) for part in islice(filter(str.strip, parts), MAX_VALUES)]


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _end_event(found: list[Any], data: list[str], named: dict[str, Any]) -> None:
    if not data:
        return
    text = "\n".join(data)
    if text in END_MARKS:
        return
    value = _value(text)
    if named.get("event") == "message":
        del named["event"]
    found.append({**named, "data": value} if named else value)


def _value(text: str) -> Any:
    try:
        return exact_json.read(text.strip().encode("utf-8"))
    except (jsonrpc.ParseFailure, UnicodeEncodeError):
        return text
