"""Read plain values leniently: what does not decide a request is never a reason to leave an operation out."""

from __future__ import annotations

MAX_SHOWN = 60
"""Characters of a document's text that a message repeats."""

MAX_KEY = 300
"""Characters of the key of an operation that is not served: paths in use are shorter."""


def kind_of(value: object) -> str:
    """Return what a value is, in JSON's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "an object" if isinstance(value, dict) else "an array"


def text(value: object) -> str:
    """Return a text; numbers and booleans as JSON writes them, anything else is no text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, int | float):
        return ""
    try:
        return str(value)
    except ValueError:  # Python writes no integers of more than 4,300 digits
        return ""


def optional_text(value: object) -> str | None:
    """Return a text, None where there is none or it is empty."""
    return text(value) or None


def flag(value: object) -> bool:
    """Return whether a boolean is true; a quoted `"true"` counts."""
    return value is True or value == "true"


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of an array, a single text as one; everything else is skipped."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        return ()
    return tuple(found for found in map(text, value) if found)


def shown(value: str, limit: int = MAX_SHOWN) -> str:
    """Return a document's text for a message: what is not printable escaped, and cut."""
    start = value[: limit + 1]
    printable = start if start.isprintable() else "".join(map(_escaped, start))
    return printable if len(printable) <= limit else printable[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _escaped(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
