"""Texts of servers that others wrote, without characters that nobody sees: a model would read what no person does.

The build and a table that follows its child clean by this one rule, so that a refresh changes nothing by itself.
"""

from __future__ import annotations

KEPT = frozenset("\n\t\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
"""Line ends and tabs, and what joins letters of some scripts and parts of an emoji."""

HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
"""Categories of Unicode: control, format (also the directions of writing), surrogates, private and unassigned."""


def visible(text: str) -> str:
    r"""Return a text without hidden characters; `\r\n` becomes `\n`."""
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(each for each in text.replace("\r\n", "\n") if each in KEPT or category(each) not in HIDDEN)
