"""The grammars by which a string is read as a number, a boolean, null, or one of a schema's listed values.

They are those of JSON, a little widened: `+5` and `5.0` for integers, any case for booleans. Python's own readers
take more than anybody means (`1_000`, digits of all scripts, `nan`), so they are not asked before the text has been
looked at.
"""

from __future__ import annotations

from .json_text import whole_json
from .kinds import INFINITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .coerce import Options

MOST_DIGITS = 400
"""Characters of a number in a string; the largest float has 309 digits."""

BOOLEANS = {"true": True, "false": False}
LOOSE_BOOLEANS = {"yes": True, "on": True, "1": True, "no": False, "off": False, "0": False}
NULLS = ("null", "None")

NAME_KEYWORDS = ("x-enum-varnames", "x-enumNames", "enumNames")
"""Annotations that name the values of an `enum`, in its order."""


def read_scalar(name: str, text: str, options: Options) -> tuple[Any] | None:
    """Return the value a string spells in a type as a tuple of one, None for no value; quotes are taken off once."""
    found = _read(name, text, options)
    if found is None and text.startswith('"'):
        inner = whole_json(text)
        if type(inner) is str:
            found = _read(name, inner, options)
    return found


def _read(name: str, text: str, options: Options) -> tuple[Any] | None:
    if name == "integer":
        return read_integer(text)
    if name == "number":
        return read_number(text)
    if name == "boolean":
        spelled = text.lower() if text.isascii() else ""
        if spelled in BOOLEANS:
            return (BOOLEANS[spelled],)
        return (LOOSE_BOOLEANS[spelled],) if options.loose_booleans and spelled in LOOSE_BOOLEANS else None
    if name == "null" and (text in NULLS or (options.empty_is_null and not text)):
        return (None,)
    return None


def is_digits(text: str) -> bool:
    """Say whether the text is one or more ASCII digits."""
    return text.isascii() and text.isdigit()


def read_integer(text: str) -> tuple[int] | None:
    """Read `[+-]?digits`, with a fraction of zeros at most."""
    if len(text) > MOST_DIGITS:
        return None
    digits, point, fraction = text.partition(".")
    body = digits[1:] if digits[:1] in ("+", "-") else digits
    if not is_digits(body) or (point and (not is_digits(fraction) or fraction.strip("0"))):
        return None
    return (int(digits),)


def read_number(text: str) -> tuple[int | float] | None:
    """Read a number by JSON's grammar (RFC 8259, 6): no leading zeros, no bare point, nothing infinite."""
    if len(text) > MOST_DIGITS:
        return None
    mantissa, exponent_sign, exponent = text.replace("E", "e", 1).partition("e")
    whole, point, fraction = mantissa.removeprefix("-").partition(".")
    power = exponent[1:] if exponent[:1] in ("+", "-") else exponent
    if not is_digits(whole) or (len(whole) > 1 and whole[0] == "0"):
        return None
    if (point and not is_digits(fraction)) or (exponent_sign and not is_digits(power)):
        return None
    if not point and not exponent_sign:
        return (int(text),)
    value = float(text)
    return (value,) if -INFINITY < value < INFINITY else None


def match_listed(text: str, schema: dict[str, Any], named: Iterable[tuple[str, Any]] = ()) -> tuple[Any] | None:
    """Return the one value of `enum` that is the text but for letter case, or that is called so.

    Names are in an annotation beside the values, or given as `named`: pairs of a name and its value.
    """
    values = schema["enum"]
    folded = text.casefold()
    same = [value for value in values if isinstance(value, str) and value.casefold() == folded]
    if same:
        return (same[0],) if len(same) == 1 else None
    for keyword in NAME_KEYWORDS:
        names = schema.get(keyword)
        if isinstance(names, list) and len(names) == len(values):
            named = [(str(name), value) for name, value in zip(names, values, strict=True)]
    meant = [value for name, value in named if name.casefold() == folded]
    return (meant[0],) if len(meant) == 1 else None
