"""Tell the JSON type of a Python value: exact types first, because values come from a JSON reader."""

from __future__ import annotations

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[object], bool]
    """A compiled schema or part of one: says whether a value is accepted."""

INFINITY = float("inf")

NAMES = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
"""Python type to JSON type name, numbers aside: 5.0 is an integer as well (JSON Schema 2020-12, 4.2.3)."""


class SchemaError(ValueError):
    """A schema that cannot be compiled: malformed, or with a reference that leads nowhere."""


def always(value: object) -> bool:  # noqa: ARG001 (the form of a check)
    """Accept any value: the schema `true`."""
    return True


def never(value: object) -> bool:  # noqa: ARG001 (the form of a check)
    """Accept no value: the schema `false`."""
    return False


def is_decimal(value: object) -> bool:
    """Say whether this is a `decimal.Decimal`, without importing a module nobody has used."""
    decimal = modules.get("decimal")
    return decimal is not None and type(value) is decimal.Decimal


def is_number(value: object) -> bool:
    """Say whether this is a finite number; true and false are none (JSON Schema 2020-12, 4.2.1)."""
    if type(value) is int:
        return True
    if type(value) is float:
        return -INFINITY < value < INFINITY
    return type(value) not in NAMES and is_decimal(value) and value.is_finite()  # type: ignore[attr-defined]  # a Decimal by the test before


def is_integer(value: object) -> bool:
    """Say whether this is a number without a fractional part, 5.0 included."""
    if type(value) is int:
        return True
    if type(value) is float:
        return value.is_integer()
    if type(value) in NAMES or not is_decimal(value):
        return False
    return bool(value.is_finite() and value == value.to_integral_value())  # type: ignore[attr-defined]  # a Decimal


def is_string(value: object) -> bool:
    """Say whether this is a JSON string."""
    return type(value) is str


def is_boolean(value: object) -> bool:
    """Say whether this is true or false."""
    return value is True or value is False


def is_null(value: object) -> bool:
    """Say whether this is null."""
    return value is None


def is_array(value: object) -> bool:
    """Say whether this is a JSON array."""
    return type(value) is list


def is_object(value: object) -> bool:
    """Say whether this is a JSON object."""
    return type(value) is dict


PREDICATES: dict[str, Check] = {
    "string": is_string,
    "integer": is_integer,
    "number": is_number,
    "boolean": is_boolean,
    "null": is_null,
    "array": is_array,
    "object": is_object,
}

PLAIN: dict[Check, type] = {
    is_string: str,
    is_integer: int,
    is_boolean: bool,
    is_null: type(None),
    is_array: list,
    is_object: dict,
}
"""Checks that accept every value of a Python type: where they apply, a look at the type may save the call."""


def kind(value: object) -> str:
    """Name the JSON type of a value; a number is `integer` when it has no fractional part."""
    name = NAMES.get(type(value))
    if name is not None:
        return name
    if is_integer(value):
        return "integer"
    return "number" if type(value) is float or is_decimal(value) else type(value).__name__


def types_of(schema: dict[str, object]) -> tuple[str, ...] | None:
    """Return the names in `type`, None when there is no such keyword; raises SchemaError for an unknown one."""
    named = schema.get("type")
    if named is None:
        return None
    names = (named,) if isinstance(named, str) else named
    if not isinstance(names, (tuple, list)) or not all(isinstance(name, str) and name in PREDICATES for name in names):
        raise SchemaError("`type` is none of JSON Schema's type names")
    return tuple(names)
