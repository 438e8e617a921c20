"""Compare texts with a limit in bytes, and cut them to it, without encoding what is clearly small or large."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_CHARACTER = 4
"""Bytes of one character in UTF-8 at most."""


def fits(text: str, limit: int) -> bool:
    """Say whether the text's UTF-8 form has at most `limit` bytes."""
    if len(text) > limit:
        return False
    return len(text) * LONGEST_CHARACTER <= limit or len(text.encode("utf-8", "surrogatepass")) <= limit


def cut(text: str, limit: int) -> tuple[str, dict[str, Any] | None]:
    """Return what fits of a text, and a content block that says so when something was cut off."""
    if fits(text, limit):
        return text, None
    room = max(limit, 0)
    kept = text[:room].encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
    note = f"[The result was cut: {len(kept)} of {len(text)} characters are shown. Ask for less at once.]"
    return kept, {"type": "text", "text": note}
