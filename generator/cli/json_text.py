"""JSON for people: what fits on a line stays on it, the rest is broken into members with two more columns of indent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..diagnostics.plain import plain, width

STEP = "  "


def lines(value: Any, room: int, lead: str = "", tail: str = "") -> list[str]:
    """Return the lines of a JSON value, each at most `room` columns where its texts allow that.

    `lead` stands before the first line, `tail` after the last.
    """
    flat = lead + written(value) + tail
    if width(flat) <= room or not isinstance(value, dict | list) or not value:
        return [flat]
    indent = lead[: len(lead) - len(lead.lstrip(" "))] + STEP
    entries = list(value.items()) if isinstance(value, Mapping) else [(None, item) for item in value]
    opening, closing = ("{", "}") if isinstance(value, Mapping) else ("[", "]")
    inner: list[str] = []
    for position, (key, item) in enumerate(entries):
        name = f"{written(key)}: " if key is not None else ""
        comma = "," if position < len(entries) - 1 else ""
        inner += lines(item, room, indent + name, comma)
    return [lead + opening, *inner, indent.removesuffix(STEP) + closing + tail]


def written(value: Any) -> str:
    """Return compact JSON in which all that could command a terminal or hide text is escaped as JSON does."""
    text = json.dumps(value, ensure_ascii=False)
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if plain(character) == character else json.dumps(character)[1:-1] for character in text)
