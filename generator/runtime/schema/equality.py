"""Compare JSON values as JSON Schema does: 1 equals 1.0, true is not 1, the order of members is nothing (core, 4.2.2).

Values are compared by a text that is the same for equal values only. Text also makes `uniqueItems` linear and safe:
Python salts the hashes of strings, while numbers that all share one hash are easily made up by an attacker.
"""

from __future__ import annotations

from .kinds import SchemaError, is_decimal, never

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .kinds import Check

SCALARS = (str, bool, type(None))
LARGEST_EXPONENT = 400
"""Above it a decimal is written with its exponent instead of all its zeros; floats end at 308."""


def canonical(value: Any) -> str:
    """Return a text that equals another value's text exactly if the values are equal JSON values."""
    kind = type(value)
    if kind is str:
        return f"s{len(value)}:{value}"
    if value is None or kind is bool:
        return repr(value)
    if kind is list or kind is tuple:
        return f"[{','.join(map(canonical, value))}]"
    if kind is dict:
        return f"{{{','.join(f'{len(name)}:{name}={canonical(value[name])}' for name in sorted(value))}}}"
    return number_text(value)


def number_text(value: Any) -> str:
    """Write a number by its value: integers in hexadecimal (linear for any size), others as shortest decimal."""
    if type(value) is int:
        return hex(value)
    if type(value) is float:
        return hex(int(value)) if value.is_integer() else repr(value)
    if not is_decimal(value) or not value.is_finite():
        return repr(value)
    normal = value.normalize() if len(value.as_tuple().digits) < 28 else value
    if value == value.to_integral_value() and normal.adjusted() < LARGEST_EXPONENT:
        return hex(int(value))
    return repr(float(value)) if str(normal) == repr(float(value)) else str(normal)


def unique(items: list[Any]) -> bool:
    """Say whether no two items are equal."""
    size = len(items)
    if size < 2:
        return True
    if all(type(item) is str for item in items):
        return len(set(items)) == size
    return len(set(map(canonical, items))) == size


def one_of_values(allowed: Any) -> Check:
    """Compile `enum`, or `const` as an enum of one: a set look-up for scalars, text for the rest."""
    if not isinstance(allowed, (list, tuple)):
        raise SchemaError("`enum` is not an array")
    if not allowed:
        return never
    if all(type(item) is str for item in allowed):
        strings = frozenset(allowed)
        if len(allowed) == 1:
            only = allowed[0]
            return lambda value: type(value) is str and value == only
        return lambda value: type(value) is str and value in strings
    if all(type(item) in SCALARS for item in allowed):
        pairs = frozenset((type(item), item) for item in allowed)
        return lambda value: type(value) in SCALARS and (type(value), value) in pairs
    return _by_text(allowed)


def _by_text(allowed: Any) -> Check:
    texts = frozenset(map(canonical, allowed))
    integers = frozenset(item for item in allowed if type(item) is int)

    def listed(value: Any) -> bool:
        if type(value) is int:
            return value in integers or hex(value) in texts
        return canonical(value) in texts

    return listed
