"""JSON of an API, read and written without losing a digit.

A fraction that a float holds is read as one; a document with longer ones is read as decimals, which its text keeps.
What goes into structured content becomes floats again, because that is all most clients have.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONG_NUMBER = re.compile(rb"[0-9](?:[0-9.]{16}|[eE][+-]?[0-9]{3})")
"""Where a number may have more than the 15 digits every float keeps, or an exponent beyond it."""


def read(body: bytes) -> Any:
    """Return the JSON value of a UTF-8 body, fractions that a float cannot hold as decimals; raises ParseFailure."""
    if _LONG_NUMBER.search(body):
        return jsonrpc.parse_exact(body, _number)
    return jsonrpc.parse(body)


def _number(digits: str) -> object:
    """Return a float where that is written with the same digits again, which is what most long ones are.

    A number whose exponent no decimal has stays the text that it is.
    """
    number = float(digits)
    try:
        return number if repr(number) == digits else Decimal(digits)
    except InvalidOperation:
        return digits


def compact(value: Any) -> str:
    """Return compact JSON with non-ASCII characters and every digit kept; lone surrogates become U+FFFD."""
    try:
        text = jsonrpc.text(value)
    except TypeError:  # decimals among the values
        text = _written(value)
    return _unicode(text)


def plain(value: Any) -> Any:
    """Return the value with floats for decimals, and strings for numbers beyond every float; shares what is plain."""
    kind = type(value)
    if kind is dict:
        return {_unicode(name): plain(item) for name, item in value.items()}
    if kind is list:
        return [plain(item) for item in value]
    if kind is str:
        return _unicode(value)
    if kind is int or kind is float or kind is bool or value is None:
        return value
    number = float(value)
    return number if number - number == 0 else str(value)


def _written(value: Any) -> str:
    kind = type(value)
    if kind is dict:
        return "{" + ",".join(f"{jsonrpc.text(name)}:{_written(item)}" for name, item in value.items()) + "}"
    if kind is list:
        return "[" + ",".join(map(_written, value)) + "]"
    if kind is str or kind is int or kind is float or kind is bool or value is None:
        return jsonrpc.text(value)
    return str(value)


def _unicode(text: str) -> str:
    """Return the text with lone surrogates replaced, which many clients refuse to read."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
