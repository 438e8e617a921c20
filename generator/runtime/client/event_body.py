"""Bodies of `text/event-stream`: an array of events, or of values that are the data of one each (HTML, section 9.2)."""

from __future__ import annotations

from .values import ArgumentProblem, json_text, text_of, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIELDS = ("event", "id", "retry", "data")
"""The fields of an event, in the order in which they are written; an object with any other is data."""


def event_bytes(value: Any) -> bytes:
    """Encode the items of an array as events; another value is one, and a string is taken for the finished text."""
    if isinstance(value, str):
        return utf8(value)
    if not isinstance(value, list):
        return utf8(_event(value))
    events = []
    for index, item in enumerate(value):
        try:
            events.append(_event(item))
        except ArgumentProblem as problem:
            raise problem.below(index) from None
    return utf8("".join(events))


def _event(value: Any) -> str:
    if isinstance(value, dict) and value and value.keys() <= set(FIELDS):
        fields = value
    else:
        fields = {"data": value if isinstance(value, str) else json_text(value)}
    lines = [line for name in FIELDS if fields.get(name) is not None for line in _lines(name, fields[name])]
    return "".join(f"{line}\n" for line in lines) + "\n"


def _lines(name: str, value: Any) -> list[str]:
    """Return the lines of a field: data has one for each of its own, the others cannot hold a line's end."""
    text = json_text(value) if isinstance(value, (dict, list)) else text_of(value)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if name != "data" and (len(lines) > 1 or "\0" in text):
        raise ArgumentProblem((name,), "this field of an event is one line, without NUL")
    return [f"{name}: {line}" for line in lines]
