"""The JSON Schema of the IR, derived from its dataclasses; `schemas/ir.schema.json` is this document written down."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, cast

from . import model
from .codec import CALL_KINDS, JsonMapping, JsonValue, hints

_PLAIN: dict[Any, Any] = {
    JsonValue: True,
    JsonMapping: {"type": "object"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
}


def derived() -> dict[str, Any]:
    """Return the schema of what `codec.dump` makes."""
    definitions: dict[str, Any] = {}
    root = _of(model.Server, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:mcpgen:ir",
        "title": "The intermediate representation of mcpgen",
        "type": "object",
        "required": ["format", "server"],
        "properties": {"format": {"const": model.FORMAT}, "server": root},
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }


def _of(expected: Any, definitions: dict[str, Any]) -> Any:
    """Return the schema of one type; classes become definitions."""
    if expected in _PLAIN:
        return _PLAIN[expected]
    if dataclasses.is_dataclass(expected):
        return _reference(cast("type", expected), definitions)
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    if origin is tuple:
        prefix = [_of(argument, definitions) for argument in arguments]
        return {"type": "array", "prefixItems": prefix, "minItems": len(prefix), "items": False}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [{"type": "null"} if arm is types.NoneType else _of(arm, definitions) for arm in arguments]}
    raise TypeError(f"{expected} is not a type of the IR")


def _reference(kind: type, definitions: dict[str, Any]) -> dict[str, str]:
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # set before the fields are read: classes may refer to themselves
        definitions[name] = _definition(kind, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _definition(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    resolved = hints(kind)
    call_kind = CALL_KINDS.get(kind)
    properties: dict[str, Any] = {} if call_kind is None else {"kind": {"const": call_kind}}
    required = []
    for field in dataclasses.fields(kind):
        properties[field.name] = _of(resolved[field.name], definitions)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    if call_kind is not None:
        required.insert(0, "kind")
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return schema if kind.__doc__ is None else {"description": kind.__doc__.split("\n")[0], **schema}
