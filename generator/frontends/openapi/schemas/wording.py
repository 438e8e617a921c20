"""Texts of a schema as models get them: in one line, and short; titles only where they say something new.

Hidden characters are removed later, from all texts of all tools alike.
"""

from __future__ import annotations

import re

from ..plain_text import cut, plain

MAX_DESCRIPTION = 300
"""Characters of an argument's description: two or three sentences."""

MIN_SENTENCE = 80
"""Characters a text should have when it is cut at the end of a sentence; else it is cut at a word."""

MAX_ANSWER_DESCRIPTION = 100
"""Characters of a description in an answer's schema: models read the answer itself."""

_LETTERS = re.compile(r"[\W_]+")


def folded(text: object, limit: int = MAX_DESCRIPTION) -> str:
    """Return a text in one line of at most `limit` characters; an empty one for what is no text."""
    if not isinstance(text, str):
        return ""
    # Only the beginning is looked at: descriptions may be whole manuals.
    return cut(" ".join(plain(text[: limit * 8]).split()), limit, MIN_SENTENCE)


def repeats(title: str, name: str) -> bool:
    """Tell whether a title only repeats a name: `Pet Id` says no more than `pet_id`."""
    return _LETTERS.sub("", title).casefold() == _LETTERS.sub("", name).casefold()
