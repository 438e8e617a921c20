"""Whole numbers for parameters that are text: `7` for the path's `"7"`.

In a path, a query, a header and a cookie both are the same characters, so nothing is changed by taking one for the
other. In JSON they are not, so a body's members are left to validation.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


MOST_BITS = 256
"""Whole numbers that are taken for text; identifiers are not longer."""


def textual(request: Mapping[str, Any], properties: Mapping[str, Any]) -> frozenset[str]:
    """Return the arguments that are text, or arrays of text, where all is text."""
    return frozenset(
        parameter["argument"]
        for parameter in request.get("parameters") or ()
        if "content" not in parameter and _is_text(properties.get(parameter["argument"]))
    )


def with_text(arguments: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Return the arguments with the digits of whole numbers in place of the numbers; the same ones without any."""
    found = {name: _text(arguments[name]) for name in names if name in arguments}
    changed = {name: value for name, value in found.items() if value is not arguments[name]}
    return {**arguments, **changed} if changed else arguments


def _is_text(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    taken = schema.get("type")
    if taken == "array":
        return _is_text(schema.get("items")) and schema["items"].get("type") != "array"
    return (
        "string" in taken and not {"integer", "number"} & set(taken) if isinstance(taken, list) else taken == "string"
    )


def _text(value: Any) -> Any:
    if _is_whole(value):
        return str(value)
    if isinstance(value, list) and any(map(_is_whole, value)):
        return [str(item) if _is_whole(item) else item for item in value]
    return value


def _is_whole(value: Any) -> bool:
    return type(value) is int and value.bit_length() <= MOST_BITS
