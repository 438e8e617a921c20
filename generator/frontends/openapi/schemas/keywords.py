"""Read the keywords that hold plain values: what is malformed is left out, so that the rest can be served."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")

MAX_DATA_DEPTH = 12
"""Levels of a default, an example or an enumerated value; deeper ones are no help to anybody."""


class Malformed(ValueError):
    """A value that its keyword cannot have; the text says what it must be."""


def is_json(value: object, depth: int = MAX_DATA_DEPTH) -> bool:
    """Tell whether a value can be sent as JSON, and is not nested beyond reason."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return depth > 0 and all(isinstance(key, str) and is_json(item, depth - 1) for key, item in value.items())
    if isinstance(value, list | tuple):
        return depth > 0 and all(is_json(item, depth - 1) for item in value)
    return value is None or isinstance(value, str | int | bool)


def types(value: object) -> list[str]:
    """Read `type`: the names JSON Schema knows; an empty list when it says nothing. `file` is a string of bytes."""
    if isinstance(value, str) and value in TYPES:
        return [value]
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple):
        raise Malformed("must be the name of a type")
    known = dict.fromkeys("string" if name == "file" else name for name in names if name == "file" or name in TYPES)
    if len(known) < len(names) and any(name not in (*TYPES, "file", "any") for name in names):
        raise Malformed(f"must be one of {', '.join(TYPES)}")
    return list(known)


def number(value: object) -> int | float:
    """Read a bound: any finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Malformed("must be a number")
    return value


def count(value: object) -> int:
    """Read a number of characters, items or members."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Malformed("must be a whole number that is not negative")
    return value


def factor(value: object) -> int | float:
    """Read `multipleOf`."""
    read = number(value)
    if read <= 0:
        raise Malformed("must be a number above 0")
    return read


def text(value: object) -> str:
    """Read a string."""
    if not isinstance(value, str):
        raise Malformed("must be a string")
    return value


def flag(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise Malformed("must be true or false")
    return value


def names(value: object) -> list[str]:
    """Read `required`: names, each once."""
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise Malformed("must be a list of names")
    return list(dict.fromkeys(value))


def name_lists(value: object) -> dict[str, list[str]]:
    """Read `dependentRequired`."""
    if not isinstance(value, dict):
        raise Malformed("must be an object of lists of names")
    return {str(name): names(needed) for name, needed in value.items()}


def data(value: object) -> Any:
    """Read any JSON value."""
    if not is_json(value):
        raise Malformed("must be a JSON value of moderate depth")
    return value


def values(value: object) -> list[Any]:
    """Read `enum`: JSON values, each once."""
    if not isinstance(value, list | tuple) or not all(map(is_json, value)):
        raise Malformed("must be a list of JSON values")
    kept: dict[object, Any] = {}
    for item in value:
        kept.setdefault(identity(item), item)
    return list(kept.values())


def identity(value: object) -> object:
    """Return something hashable that is equal for equal JSON values: true is not 1, but 1.0 is."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, dict):
        return ("object", frozenset((key, identity(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return ("array", tuple(map(identity, value)))
    return value


PLAIN: Mapping[str, Callable[[object], Any]] = {
    "const": data,
    "contentEncoding": text,
    "contentMediaType": text,
    "default": data,
    "dependentRequired": name_lists,
    "enum": values,
    "format": text,
    "maxContains": count,
    "maxItems": count,
    "maxLength": count,
    "maxProperties": count,
    "maximum": number,
    "minContains": count,
    "minItems": count,
    "minLength": count,
    "minProperties": count,
    "minimum": number,
    "multipleOf": factor,
    "pattern": text,
    "required": names,
    "uniqueItems": flag,
}
"""How each keyword without schemas in it is read; exclusive bounds, `type` and texts have readers of their own."""
