"""Texts in the Python that is written: how any text becomes a literal, and how wide a line may be."""

from __future__ import annotations

MAX_LINE = 100
"""Columns of a line that is written: no more than the settings of emitted projects allow."""


def literal(text: str, quote: str = '"') -> str:
    """Return a text as an ASCII Python literal: what is no plain character is an escape, so no text can end it."""
    return quote + "".join(_escaped(character, quote) for character in text) + quote


def _escaped(character: str, quote: str) -> str:
    if character in (quote, "\\"):
        return f"\\{character}"
    if " " <= character <= "~":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
