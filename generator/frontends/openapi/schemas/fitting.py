"""Make values fit the type beside them, or find that they do not: enumerations, defaults, bounds.

Descriptions are often written in YAML by hand, where `enum: [1, 2]` beside `type: string` means the texts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .keywords import identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MISFIT = object()
"""Says that a value cannot be made to fit."""

_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)


def type_of(value: object) -> str:
    """Return the JSON Schema type of a value; `5.0` is an integer."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, dict) else "array"


def has_type(value: object, types: Sequence[str]) -> bool:
    """Tell whether a value has one of the types; none given means any."""
    kind = type_of(value)
    return not types or kind in types or (kind == "integer" and "number" in types)


def fitted(value: object, types: Sequence[str]) -> Any:
    """Return the value, or what it was meant to be in one of the types, or MISFIT."""
    if has_type(value, types):
        return value
    if "string" in types and isinstance(value, bool | int | float):
        return _text(value)
    if isinstance(value, str):
        return _read(value.strip(), types)
    return MISFIT


def _text(value: float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _read(text: str, types: Sequence[str]) -> Any:
    if "boolean" in types and text.lower() in ("true", "false"):
        return text.lower() == "true"
    digits = text.removeprefix("-")
    if ("integer" in types or "number" in types) and digits.isascii() and digits.isdigit() and len(digits) < MAX_DIGITS:
        return int(text)
    if "number" in types:
        try:
            number = float(text)
        except ValueError:
            return MISFIT
        return number if math.isfinite(number) else MISFIT
    return MISFIT


MAX_DIGITS = 40
"""Digits of a number written as text; longer ones are no numbers anybody meant."""


def enumeration(values: list[Any], types: Sequence[str]) -> tuple[list[Any], bool]:
    """Return the values that fit the types, each once, and whether some had to be left out (null aside)."""
    kept: dict[object, Any] = {}
    lost = False
    for value in values:
        fit = fitted(value, types)
        if fit is MISFIT:
            lost = lost or value is not None
        else:
            kept.setdefault(identity(fit), fit)
    return list(kept.values()), lost


def accepts(schema: Mapping[str, Any], value: object) -> bool:
    """Tell whether a value passes what a schema says about type, enumeration, length and size at its root."""
    types = schema.get("type", ())
    if not has_type(value, (types,) if isinstance(types, str) else types):
        return False
    if "enum" in schema and identity(value) not in set(map(identity, schema["enum"])):
        return False
    if "const" in schema and identity(value) != identity(schema["const"]):
        return False
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        return _inside(schema, value)
    unit = "Length" if isinstance(value, str) else "Properties" if isinstance(value, dict) else "Items"
    size = len(value) if isinstance(value, str | dict | list | tuple) else 0
    return bool(schema.get(f"min{unit}", 0) <= size <= schema.get(f"max{unit}", math.inf))


def _inside(schema: Mapping[str, Any], value: float) -> bool:
    return bool(
        schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf)
        and schema.get("exclusiveMinimum", -math.inf) < value
        and value < schema.get("exclusiveMaximum", math.inf)
    )


def crossed(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the pairs of bounds that nothing can satisfy, as keywords to leave out."""
    found: list[str] = []
    for low, high in _BOUNDS:
        if low in schema and high in schema and schema[low] > schema[high]:
            found += (low, high)
    for low, high in (("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum")):
        if low in schema and high in schema and schema[low] >= schema[high]:
            found += (low, high)
    return tuple(dict.fromkeys(found))
