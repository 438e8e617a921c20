"""Header values that are no plain text: `=?base64?...?=` around Base64 of UTF-8 (2026-07-28, HTTP headers). Pure.

Decoding is strict, so that one text has one encoding: markers as they are written here, padding canonical, nothing
after the end. What lacks one of the markers is plain text.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

BEGIN, END = "=?base64?", "?="


class Undecodable(Exception):
    """The value is neither plain nor well encoded."""


def decoded(value: str) -> str:
    """Return the text of a header value, which was read as Latin-1; raises Undecodable."""
    if value.startswith(BEGIN) and value.endswith(END) and len(value) >= len(BEGIN) + len(END):
        inner = value[len(BEGIN) : -len(END)]
        try:
            data = a2b_base64(inner.encode("ascii"))
            if b2a_base64(data, newline=False) != inner.encode("ascii"):
                raise Undecodable
            return data.decode("utf-8")
        except (Error, UnicodeError):
            raise Undecodable from None
    if not value.isascii():
        raise Undecodable
    return value


def encoded(text: str) -> str:
    """Return the header value of a text: itself, or in Base64 where it would not come through."""
    plain = text.isascii() and text.isprintable() and text.strip(" ") == text
    if plain and not (text.startswith(BEGIN) and text.endswith(END)):
        return text
    return BEGIN + b2a_base64(text.encode("utf-8"), newline=False).decode("ascii") + END
