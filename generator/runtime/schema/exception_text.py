"""Text about other people's exceptions and classes that is safe to put into a message.

Both come from code we do not control: `__str__` may raise or return megabytes, a metaclass may hide `__name__`.
Nothing here raises, and nothing here ever uses `repr`, which shows addresses and values.
"""

from __future__ import annotations

MAX_TEXT = 200
"""Characters of an exception's text in a message: one sentence; more would be a way to echo a client's value whole."""

_NAME = type.__dict__["__name__"]


def type_name(kind: type) -> str:
    """Return the bare name of a class, whatever its metaclass does."""
    return str(_NAME.__get__(kind))


def exception_text(error: BaseException, limit: int = MAX_TEXT) -> str:
    """Return the first line of an exception's text, printable and capped; its class's name when it has none."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001  # __str__ is user code
        text = ""
    text = one_line(text, limit)
    return text or type_name(type(error))


def one_line(text: str, limit: int = MAX_TEXT) -> str:
    """Return the first line of a text with unprintable characters replaced, cut to `limit` characters."""
    line = text[: 4 * limit].strip().partition("\n")[0]
    if not line.isprintable():
        line = "".join(character if character.isprintable() else "\ufffd" for character in line)
    return line if len(line) <= limit else line[: limit - 1] + "…"
