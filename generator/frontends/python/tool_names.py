"""Names and titles of tools, as they follow from functions; a pass decides whether the names are legal."""

from __future__ import annotations

import re

MAXIMUM_TITLE = 40
"""Characters of a first docstring line that still reads as a title: hosts show titles in lists and on buttons."""

_NO_TITLE = re.compile(r"[#|>`*]|.*[:;,]$")
"""A line that is mark-up, or that announces what comes next, is no title."""


def name_of(unit: str) -> str:
    """Return the tool's name for a unit: `calc.add` gives `calc_add` (decision 20)."""
    return unit.replace(".", "_")


def title_of(name: str, description: str = "") -> str:
    """Return a title: the description's first line when it is short and stands alone, else the name in words (R018).

    A title is no sentence: the line's full stop is left out.
    """
    first = description.split("\n\n", 1)[0].strip()
    line = (
        first
        if first.endswith(("..", "etc.", "e.g."))
        else first.removesuffix(".").removesuffix("\N{IDEOGRAPHIC FULL STOP}")
    )
    if line and len(line) <= MAXIMUM_TITLE and "\n" not in line and not _NO_TITLE.match(line):
        return line
    words = re.split(r"[_\-.\s]+", name.strip("_"))
    return " ".join(word[:1].upper() + word[1:] for word in words if word) or name
