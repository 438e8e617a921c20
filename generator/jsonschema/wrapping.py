"""Results that are no objects, sent as `{"result": value}`: the schema that says so (decision 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .subschemas import Schema, rewrite

WRAPPED = "#/properties/result"
"""Where a wrapped result's schema stands in the schema that wraps it."""


def wrapped(schema: Schema) -> dict[str, Any]:
    """Return the schema of `{"result": value}`: definitions and dialect move to the root, references stay right."""
    if not isinstance(schema, Mapping):
        return _envelope({} if schema is True else schema)
    if "$id" in schema:
        # An embedded resource: its references are resolved inside it, wherever it stands.
        return _envelope(dict(schema))
    moved = {keyword: schema[keyword] for keyword in ("$schema", "$defs", "definitions") if keyword in schema}
    rest = {keyword: value for keyword, value in schema.items() if keyword not in moved}
    dialect = {"$schema": moved.pop("$schema")} if "$schema" in moved else {}
    envelope = {**dialect, **_envelope(rewrite(rest, _pointing_deeper))}
    return {**envelope, **{keyword: _definitions(value) for keyword, value in moved.items()}}


def is_object(schema: Schema) -> bool:
    """Tell whether a schema's root says that every value is an object."""
    return isinstance(schema, Mapping) and schema.get("type") == "object"


def _envelope(schema: Schema) -> dict[str, Any]:
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


def _definitions(definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: rewrite(schema, _pointing_deeper) for name, schema in definitions.items()}


def _pointing_deeper(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema with references to the old root, or to parts that stayed in it, pointing one level down."""
    reference = part.get("$ref")
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return part
    if reference.startswith(("#/$defs/", "#/definitions/")):
        return part
    return {**part, "$ref": WRAPPED + reference.removeprefix("#")}
