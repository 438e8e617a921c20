"""Small tools for text. Nothing here knows about servers: it is any annotated module."""

import re
import unicodedata
from collections import Counter
from typing import Literal, TypedDict


class Statistics(TypedDict):
    """How long a text is, counted in several ways."""

    characters: int
    words: int
    lines: int
    reading_minutes: float


def statistics(text: str, words_per_minute: int = 220) -> Statistics:
    """Count what a text is made of.

    Args:
        text: The text.
        words_per_minute: How fast its reader reads.
    """
    words = len(text.split())
    return {
        "characters": len(text),
        "words": words,
        "lines": len(text.splitlines()),
        "reading_minutes": round(words / words_per_minute, 2),
    }


def slug(title: str, separator: Literal["-", "_"] = "-") -> str:
    """Turn a title into a name for a link: lower case, ASCII, words joined.

    Args:
        title: Any text.
        separator: What stands between the words.
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return separator.join(re.findall(r"[a-z0-9]+", plain.lower()))


def frequent_words(text: str, limit: int = 5, *, ignore: frozenset[str] = frozenset()) -> dict[str, int]:
    """Count the most frequent words of a text.

    Args:
        text: The text.
        limit: How many words at most.
        ignore: Words that do not count, in lower case.
    """
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in ignore]
    return dict(sorted(Counter(words).most_common(limit), key=lambda pair: (-pair[1], pair[0])))


def replace_all(text: str, replacements: dict[str, str]) -> str:
    """Replace several phrases in one pass, the longest first.

    Args:
        text: The text.
        replacements: What is replaced, and by what.
    """
    if not replacements:
        return text
    choices = "|".join(re.escape(phrase) for phrase in sorted(replacements, key=len, reverse=True))
    return re.sub(choices, lambda found: replacements[found[0]], text)


def wrap_quote(text: str, width: int = 72, prefix: str = "> ") -> list[str]:
    """Break a text into quoted lines, as mail programs do.

    Args:
        text: The text; paragraphs are joined.
        width: Characters of a line, its prefix included.
        prefix: What every line starts with.
    """
    lines: list[str] = []
    line = prefix
    for word in text.split():
        if len(line) + len(word) > width and line != prefix:
            lines.append(line.rstrip())
            line = prefix
        line += f"{word} "
    return [*lines, line.rstrip()] if line != prefix else lines
