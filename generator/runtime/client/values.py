"""JSON values as text on the wire: exact numbers, `true` and `false`, compact JSON where nothing flatter exists."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST_PLAIN_EXPONENT = 21
"""From 10**21 on a number is written with an exponent, as ECMAScript does; servers read both."""

SMALLEST_PLAIN_EXPONENT = -7
"""Below 10**-7 a number is written with an exponent, as ECMAScript does."""


class ArgumentProblem(Exception):
    """An argument cannot be sent: `path` leads to it from the arguments; `message` never holds the whole value."""

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message

    def below(self, *parents: str | int) -> ArgumentProblem:
        """Return the same problem seen from further out."""
        return ArgumentProblem((*parents, *self.path), self.message)


def is_flat(value: object) -> bool:
    """Say whether a value is neither an array nor an object."""
    return not isinstance(value, (list, dict))


def text_of(value: Any) -> str:
    """Return the text of a value: strings as they are, numbers exactly, arrays and objects as compact JSON.

    `10.0` becomes `10`, because an API that wants an integer takes no other form. Null becomes nothing. Raises
    ArgumentProblem for NaN and infinities.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal)):
        return number_text(value)
    return json_text(value)


def number_text(value: float | Decimal) -> str:
    """Return a number's digits, none lost and none added; raises ArgumentProblem for NaN, infinities and huge ones."""
    if isinstance(value, int):
        return _integer_text(value)
    if not (value.is_finite() if isinstance(value, Decimal) else isfinite(value)):
        raise ArgumentProblem((), "the value is not a finite number")
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not exact:
        return "0"
    if not SMALLEST_PLAIN_EXPONENT <= exact.adjusted() < LARGEST_PLAIN_EXPONENT:
        return str(exact).replace("E", "e")
    plain = format(exact, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain and not plain.partition(".")[2].strip("0") else plain


def items_of(value: list[Any]) -> list[str]:
    """Return the texts of an array's items; null items are undefined and left out (RFC 6570 §3.2.1)."""
    return [text_of(item) for item in value if item is not None]


def members_of(value: dict[str, Any]) -> list[tuple[str, str]]:
    """Return names and texts of an object's members; null members are undefined and left out (RFC 6570 §3.2.1)."""
    return [(name, text_of(member)) for name, member in value.items() if member is not None]


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    """Return compact JSON, every digit kept; raises ArgumentProblem for what JSON cannot say.

    `ascii_only` escapes everything else, for places that take no other characters.
    """
    try:
        try:
            return jsonrpc.encode(value).decode("ascii") if ascii_only else jsonrpc.text(value)
        except TypeError:  # a Decimal, which the C encoder does not take
            return _with_decimals(value, jsonrpc.encode if ascii_only else jsonrpc.text)
    except (ValueError, TypeError):
        raise ArgumentProblem((), "the value has a part that JSON cannot express, such as NaN") from None
    except RecursionError:
        raise ArgumentProblem((), "the value is nested too deeply") from None


def utf8(text: str) -> bytes:
    """Encode a text; raises ArgumentProblem for half of a surrogate pair."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"the text has half of a surrogate pair at character {error.start}, which cannot be sent"
        raise ArgumentProblem((), message) from None


def in_charset(text: str, charset: str | None) -> bytes:
    """Encode a text as the API's description says, in UTF-8 where it is silent; raises ArgumentProblem."""
    if charset is None or charset.lower() in ("utf-8", "utf8"):
        return utf8(text)
    try:
        return text.encode(charset)
    except LookupError:
        raise ArgumentProblem((), f"the API wants the charset {charset[:40]}, which is not known here") from None
    except UnicodeEncodeError as error:
        message = f"character {error.start + 1} cannot be written in the charset {charset[:40]} that the API wants"
        raise ArgumentProblem((), message) from None


def _integer_text(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # the interpreter's limit on digits
        raise ArgumentProblem((), "the number has too many digits") from None


def _with_decimals(value: Any, encode: Any) -> str:
    """Encode as JSON where a number may be a Decimal."""
    if isinstance(value, dict):
        pairs = (f"{_plain(str(name), encode)}:{_with_decimals(member, encode)}" for name, member in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_with_decimals(item, encode) for item in value) + "]"
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("not JSON")
        return str(value).replace("E", "e")
    return _plain(value, encode)


def _plain(value: object, encode: Any) -> str:
    encoded = encode(value)
    return encoded.decode("ascii") if isinstance(encoded, bytes) else str(encoded)
