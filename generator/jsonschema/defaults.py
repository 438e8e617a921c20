"""Defaults that do not fit their own schema: a client that sends what it was shown would be refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..ir.codec import thaw
from ..runtime.schema.kinds import SchemaError

if TYPE_CHECKING:
    from .subschemas import Schema

MAX_REMEMBERED = 1024
"""Schemas of which it is remembered whether the default fits: `limit` and `page` are in hundreds of tools."""


def misfits(schema: Schema) -> tuple[str, ...]:
    """Return the properties of an object schema whose default the property's own schema refuses."""
    return tuple(
        name
        for name, part in (schema.get("properties") or {}).items()
        if isinstance(part, Mapping) and "default" in part and not _fits(thaw(part), schema)
    )


def _fits(part: dict[str, Any], schema: Schema) -> bool:
    text = json.dumps(part)
    return _accepts(part, thaw(schema.get("$defs"))) if '"$ref"' in text else _fits_alone(text)


@lru_cache(maxsize=MAX_REMEMBERED)
def _fits_alone(text: str) -> bool:
    """Tell it of a property that refers to nothing, by its text."""
    return _accepts(json.loads(text), None)


def _accepts(part: dict[str, Any], definitions: dict[str, Any] | None) -> bool:
    from ..runtime.schema.validator import compile_validator

    try:
        validator = compile_validator(part, definitions=definitions, assert_formats=False)
    except SchemaError:
        return True  # another check reports it
    return validator.accepts(part["default"])
