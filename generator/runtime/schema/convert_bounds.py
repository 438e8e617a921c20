"""Bounds on converted values, where a schema cannot compare: dates, decimals sent as text, bytes, keys of mappings.

A bound is a test of one value: true, false, or an exception when the two cannot be compared (a time without a zone and
one with). It says nothing about a value of another type: that is another arm of a union, which its own test judges.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .convert import Compiler

    Test = Callable[[Any], bool]

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "ge": lambda value, limit: bool(value >= limit),
    "gt": lambda value, limit: bool(value > limit),
    "le": lambda value, limit: bool(value <= limit),
    "lt": lambda value, limit: bool(value < limit),
    "multiple_of": lambda value, limit: bool(value % limit == 0),
}
LENGTHS: dict[str, Callable[[int, int], bool]] = {
    "min_length": lambda length, limit: length >= limit,
    "max_length": lambda length, limit: length <= limit,
}


def compile_bound(body: dict[str, Any], compiler: Compiler) -> Test | None:
    """Return the test of `bound` ([meaning, limit, conversion]), `digits` ([most, places]) or `zone`; None without."""
    if "bound" in body:
        meaning, limit, conversion = body["bound"]
        if meaning in LENGTHS:
            return _length(LENGTHS[meaning], limit)
        convert = compiler.compile(conversion) if conversion is not None else None
        return _comparison(COMPARISONS[meaning], limit if convert is None else convert(limit))
    if "digits" in body:
        return _digits(*body["digits"])
    return _zone(body["zone"]) if "zone" in body else None


def _length(holds: Callable[[int, int], bool], limit: int) -> Test:
    return lambda value: not isinstance(value, (bytes, bytearray)) or holds(len(value), limit)


def _comparison(holds: Callable[[Any, Any], bool], limit: Any) -> Test:
    numeric = _is_number(limit)

    def test(value: Any) -> bool:
        alike = _is_number(value) if numeric else isinstance(value, type(limit)) or isinstance(limit, type(value))
        return not alike or holds(value, limit)

    return test


def _is_number(value: Any) -> bool:
    """Say whether a value is a number; Decimal and Fraction are told by what they can do, without importing them."""
    return not isinstance(value, bool) and (isinstance(value, (int, float)) or hasattr(value, "as_integer_ratio"))


def _digits(most: int | None, places: int | None) -> Test:
    def test(value: Any) -> bool:
        as_tuple = getattr(value, "as_tuple", None)
        if as_tuple is None:
            return True
        _, digits, exponent = as_tuple()
        after = max(-exponent, 0)
        count = max(len(digits) + max(exponent, 0), after)
        if places is not None and after > places:
            return False
        whole = most - (places or 0) if most is not None else None
        return whole is None or (count <= (most or 0) and count - after <= whole)

    return test


def _zone(wanted: str) -> Test:
    def test(value: Any) -> bool:
        if not hasattr(value, "tzinfo"):
            return True
        if wanted == "none":
            return value.tzinfo is None
        return value.tzinfo is not None and wanted in ("any", str(value.tzinfo))

    return test
