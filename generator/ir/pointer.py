"""Parts of JSON pointers, escaped and as they are (RFC 6901, sections 3 and 4)."""

from __future__ import annotations


def escaped(token: str) -> str:
    """Return a name as a JSON pointer spells it."""
    return token.replace("~", "~0").replace("/", "~1")


def unescaped(token: str) -> str:
    """Return the name that a part of a JSON pointer spells."""
    return token.replace("~1", "/").replace("~0", "~")
