"""Conversions of numbers, and of the exact ones back to plain floats.

A tool that needs every digit gets its arguments re-read with fractional numbers as `Decimal` (decision 19), so each
conversion here takes int, float and Decimal. Text is ASCII without underscores: Python's own constructors take more.
"""

from __future__ import annotations

from .conversion_problem import ConversionProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .conversion_problem import Convert

MAX_EXPONENT = 4_300
"""Powers of ten a fraction may span: Python's own limit on the digits of an integer; far beyond it arithmetic hangs."""

_INFINITY = float("inf")


def to_integer() -> Convert:
    """Compile `integer`: 5.0 is the JSON integer 5."""

    def convert(value: Any) -> int:
        if type(value) is int:
            return value
        _as_float(value, "an integer")  # bounds a Decimal's exponent before int() writes out its digits
        whole = int(value)
        if whole != value:
            raise ConversionProblem((), "not an integer")
        return whole

    return convert


def to_number() -> Convert:
    """Compile `number`: a float, also for JSON integers."""

    def convert(value: Any) -> float:
        if type(value) is float and value - value == 0:  # 1e999 is read as infinity
            return value
        return _as_float(value, "a number")

    return convert


def to_decimal() -> Convert:
    """Compile `decimal`: the digits as written; a float counts as its shortest text."""
    from decimal import Decimal

    def convert(value: Any) -> Decimal:
        if isinstance(value, float):
            value = repr(value)
        if isinstance(value, bool) or not isinstance(value, (str, int, Decimal)):
            raise ConversionProblem((), "expected a number or a string of digits")
        try:
            number = Decimal(value) if not isinstance(value, str) else Decimal(_plain_digits(value))
        except (ArithmeticError, ValueError):
            raise ConversionProblem((), "not a valid decimal number") from None
        if not number.is_finite():
            raise ConversionProblem((), "not a finite number")
        return number

    return convert


def to_fraction() -> Convert:
    """Compile `fraction`: `1/3`, digits, or a number."""
    from fractions import Fraction

    decimal = to_decimal()

    def convert(value: Any) -> Fraction:
        if isinstance(value, str) and "/" in value:
            try:
                return Fraction(_plain_digits(value))
            except (ArithmeticError, ValueError):
                raise ConversionProblem((), "not a valid fraction such as 1/3") from None
        number = decimal(value)
        if abs(number.adjusted()) > MAX_EXPONENT or abs(number.as_tuple().exponent) > MAX_EXPONENT:
            raise ConversionProblem((), "the exponent is too large for a fraction")
        return Fraction(number)

    return convert


def to_complex() -> Convert:
    """Compile `complex`: `1+2j`, or a real number."""

    def convert(value: Any) -> complex:
        if not isinstance(value, str):
            return complex(_as_float(value, "a number"))
        try:
            return complex(_plain_digits(value))
        except ValueError:
            raise ConversionProblem((), "not a valid complex number such as 1+2j") from None

    return convert


def inexact(value: Any) -> Any:
    """Return the value with every Decimal in it as a float; a tree without one is returned as it is."""
    kind = type(value)
    if kind is dict:
        changed = {key: inexact(item) for key, item in value.items()}
        return value if all(changed[key] is value[key] for key in value) else changed
    if kind is list:
        items = [inexact(item) for item in value]
        return value if all(map(_same, items, value)) else items
    if kind in (str, int, float, bool) or value is None:
        return value
    return float(value)


def _same(one: object, other: object) -> bool:
    return one is other


def _as_float(value: Any, expected: str) -> float:
    if isinstance(value, (str, bool)) or not hasattr(value, "__float__"):
        raise ConversionProblem((), f"expected {expected}")
    try:
        number = float(value)
    except (ValueError, OverflowError):
        number = _INFINITY
    if number - number != 0:  # only infinities and NaN
        raise ConversionProblem((), "the number is too large")
    return number


def _plain_digits(text: str) -> str:
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError("not ASCII digits")
    return text
