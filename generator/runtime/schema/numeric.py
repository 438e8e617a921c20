"""Compile the keywords of numbers: bounds, and `multipleOf` in exact decimal arithmetic (validation, 6.2)."""

from __future__ import annotations

from .kinds import INFINITY, SchemaError, always, is_integer, is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .kinds import Check


def number_check(schema: dict[str, Any], *, integral: bool, otherwise: bool) -> Check:
    """Compile the bounds of a number; `integral` asks for an integer, `otherwise` is the answer for other types."""
    tests = bounds(schema, integral=integral)
    if "multipleOf" in schema:
        tests.append(multiple_of(schema["multipleOf"]))
    of_type = is_integer if integral else is_number
    if not tests:
        return always if otherwise else of_type
    test = tests[0] if len(tests) == 1 else _every(tests)
    if integral and not otherwise:

        def integer(value: object) -> bool:
            return test(value) if type(value) is int else is_integer(value) and test(value)

        return integer

    def number(value: object) -> bool:
        return test(value) if is_number(value) else otherwise

    if not integral:
        return number
    return lambda value: is_integer(value) and test(value) if is_number(value) else otherwise


def bounds(schema: dict[str, Any], *, integral: bool) -> list[Check]:
    """Return the tests for the four bounds, the inclusive ones as one; an integer's exclusive minimum becomes such."""
    low, high = _bound(schema, "minimum"), _bound(schema, "maximum")
    above, below = _bound(schema, "exclusiveMinimum"), _bound(schema, "exclusiveMaximum")
    tests: list[Check] = []
    if above is not None:
        tests.append(lambda value: value > above)
    if below is not None:
        tests.append(lambda value: value < below)
    if integral and low is None and type(above) is int:
        low = above + 1
        tests.pop(0)
    if low is not None and high is not None:
        tests.append(lambda value: low <= value <= high)
    elif low is not None:
        tests.append(lambda value: value >= low)
    elif high is not None:
        tests.append(lambda value: value <= high)
    return tests


def _bound(schema: dict[str, Any], keyword: str) -> Any:
    bound = schema.get(keyword)
    if bound is not None and not is_number(bound):
        raise SchemaError(f"`{keyword}` is not a number")
    return bound


def _every(tests: list[Check]) -> Check:
    def every(value: object) -> bool:
        for test in tests:  # noqa: SIM110 (a loop is quicker than all())
            if not test(value):
                return False
        return True

    return every


def multiple_of(divisor: Any) -> Check:
    """Compile `multipleOf`: by remainder for integers, otherwise by digits, so that 0.0075 is a multiple of 0.0001."""
    if not is_number(divisor) or divisor <= 0:
        raise SchemaError("`multipleOf` is not a positive number")
    whole = type(divisor) is int

    def multiple(value: Any) -> bool:
        return value % divisor == 0 if whole and type(value) is int else divides(divisor, value)

    return multiple


def divides(divisor: Any, value: Any) -> bool:
    """Say whether the value is an exact multiple, both taken as the decimals they are written as."""
    mantissa, exponent = digits(divisor)
    number, power = digits(value)
    if number == 0:
        return True
    shift = power - exponent
    if shift >= 0:  # number * 10**shift, without building a number of `shift` digits
        return bool(number * pow(10, shift, mantissa) % mantissa == 0)
    if -shift > len(hex(number)) * 2:  # more decimals than the number has digits: cannot divide
        return False
    return bool(number % (mantissa * 10**-shift) == 0)


def digits(value: Any) -> tuple[int, int]:
    """Split a finite number into (mantissa, decimal exponent) with value = mantissa * 10**exponent."""
    if type(value) is int:
        return value, 0
    if type(value) is float and abs(value) < INFINITY and value.is_integer() and abs(value) < 1e16:
        return int(value), 0
    mantissa, _, power = repr(value).partition("e") if type(value) is float else str(value).lower().partition("e")
    before, _, after = mantissa.partition(".")
    return int(before + after), int(power or 0) - len(after)
