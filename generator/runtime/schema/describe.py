"""Describe what a schema asks for in a few words: "a number from 1 to 14", "a string of at most 50 characters"."""

from __future__ import annotations

from .examples import BY_ENCODING, BY_FORMAT
from .kinds import types_of
from .strings import NO_LIMIT, size_bounds
from .wording import either, listed, literal, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Site

ARTICLES = {
    "string": "a string", "integer": "an integer", "number": "a number", "boolean": "true or false", "null": "null",
    "array": "an array", "object": "an object",
}  # fmt: skip


def described(schema: Any, site: Site) -> str:
    """Describe what a schema asks for; empty when it asks for nothing that can be said shortly."""
    if not isinstance(schema, dict):
        return ""
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return f"one of {listed(schema['enum'])}"
    targets = site.targets(schema)
    if targets:
        return described(targets[0].schema, targets[0].site)
    names = types_of(schema)
    if names is None:
        choices: Any = schema.get("anyOf", schema.get("oneOf", ()))
        arms = [described(arm, site) for arm in choices]
        return either(dict.fromkeys(arms)) if arms and all(arms) else ""
    return either(dict.fromkeys(_of_type(name, schema) for name in names))


def _of_type(name: str, schema: dict[str, Any]) -> str:
    words = ARTICLES[name]
    if name == "string":
        known = schema.get("format", schema.get("contentEncoding"))
        words = f"a string in the form {known}" if known in BY_FORMAT or known in BY_ENCODING else words
        words = f"{words} that matches {literal(schema['pattern'])}" if "pattern" in schema else words
        return words + _size(schema, "minLength", "maxLength", "character")
    if name in ("integer", "number"):
        bounds = _range(schema)
        return f"a number{bounds}" if bounds else words
    if name == "array":
        return words + _size(schema, "minItems", "maxItems", "item")
    required = schema.get("required")
    return f"{words} with {listed(required)}" if name == "object" and required else words


def _size(schema: dict[str, Any], lower: str, upper: str, unit: str) -> str:
    low, high = size_bounds(schema, lower, upper)
    if low == high:
        return f" of {plural(low, unit)}"
    if low and high != NO_LIMIT:
        return f" of {low} to {plural(high, unit)}"
    if low:
        return f" of at least {plural(low, unit)}"
    return f" of at most {plural(high, unit)}" if high != NO_LIMIT else ""


def _range(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    words = ""
    if low is not None and high is not None:
        words = f" from {low} to {high}"
    elif low is not None:
        words = f" of at least {low}"
    elif high is not None:
        words = f" of at most {high}"
    if above is not None:
        words += f" greater than {above}"
    if below is not None:
        words += f"{' and' if above is not None else ''} less than {below}"
    if "multipleOf" in schema and schema["multipleOf"] != 1:
        words += f" that is a multiple of {schema['multipleOf']}"
    return words
