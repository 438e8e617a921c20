"""Text from outside, made harmless for a terminal: no escape sequences, no control or direction-changing characters."""

from __future__ import annotations

import unicodedata

TAB_WIDTH = 4
"""Columns a tab is shown as in a source frame."""

_SHOWN_AS_CODE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"})


def plain(text: str, *, keep: str = "") -> str:
    r"""Return `text` with every character that could command a terminal or hide text shown as `\u{…}`.

    `keep` names characters that stay, for example a newline. Combining marks and all visible scripts stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if character in keep or not _dangerous(character) else escaped(character) for character in text
    )


def escaped(character: str) -> str:
    """Return a visible name of one character."""
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\u{{{ord(character):x}}}")


def _dangerous(character: str) -> bool:
    return unicodedata.category(character) in _SHOWN_AS_CODE


def width(text: str) -> int:
    """Return how many terminal columns a text takes: wide East Asian characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
