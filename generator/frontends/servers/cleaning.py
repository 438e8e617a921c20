"""Texts of servers that others wrote, without characters that nobody sees: a model would read what no person does."""

from __future__ import annotations

import unicodedata
from typing import Any

KEPT = frozenset("\n\t\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
"""Line ends and tabs, and what joins letters of some scripts and parts of an emoji."""

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Categories of Unicode: control, format (also the directions of writing), surrogates, private and unassigned."""

PROSE = frozenset({"title", "description"})
"""Members that people and models read, wherever they stand in a definition."""


def cleaned(text: str) -> str:
    r"""Return a text without hidden characters; `\r\n` becomes `\n`."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n")
    return "".join(each for each in lines if each in KEPT or unicodedata.category(each) not in HIDDEN)


def cleaned_prose(value: Any) -> Any:
    """Return a JSON value in which every title and description is cleaned; names, values and patterns stay."""
    if isinstance(value, dict):
        return {
            name: cleaned(item) if name in PROSE and isinstance(item, str) else cleaned_prose(item)
            for name, item in value.items()
        }
    return [cleaned_prose(item) for item in value] if isinstance(value, list) else value
