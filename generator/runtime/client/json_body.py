"""JSON bodies: UTF-8, every digit kept; also one value a line, and values after record separators."""

from __future__ import annotations

from .values import json_text, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RECORD_SEPARATOR = "\x1e"
"""What starts each value of a JSON text sequence (RFC 7464 §2.1)."""


def json_bytes(value: Any, *, ascii_only: bool = False) -> bytes:
    """Encode a JSON body; raises ArgumentProblem for NaN and for half of a surrogate pair.

    `ascii_only` escapes everything else: it is the same in every charset that a description may ask for.
    """
    return utf8(json_text(value, ascii_only=ascii_only))


def sequence_bytes(value: Any, *, separated: bool) -> bytes:
    """Encode the items of an array as lines, with `separated` as a JSON text sequence; another value is one line.

    A string is taken for the finished text, which is how callers give what a description types as string.
    """
    if isinstance(value, str):
        return utf8(value)
    items = value if isinstance(value, list) else [value]
    start = RECORD_SEPARATOR if separated else ""
    return utf8("".join(f"{start}{json_text(item)}\n" for item in items))
