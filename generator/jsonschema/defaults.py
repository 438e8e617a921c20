"""Defaults that do not fit their own schema: a client that sends what it was shown would be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.schema.kinds import SchemaError

if TYPE_CHECKING:
    from .subschemas import Schema


def misfits(schema: Schema) -> tuple[str, ...]:
    """Return the properties of an object schema whose default the property's own schema refuses."""
    from ..runtime.schema.validator import compile_validator

    found = []
    for name, part in (schema.get("properties") or {}).items():
        if not isinstance(part, dict) or "default" not in part:
            continue
        try:
            validator = compile_validator(part, definitions=schema.get("$defs"), assert_formats=False)
        except SchemaError:
            continue  # another check reports it
        if not validator.accepts(part["default"]):
            found.append(name)
    return tuple(found)
