"""Pieces of schemas: enumerations, unions, keys of mappings, names of definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .forms import (
    ArrayForm,
    AwaitableForm,
    ConstrainedForm,
    DefinitionKey,
    DictForm,
    EnumDefinition,
    Form,
    NamedForm,
    NoneForm,
    ScalarForm,
    SubclassForm,
    UnionForm,
)
from .scalars import SCALARS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
INTEGER_KEYS = "^-?[0-9]+$"
"""Keys of a mapping with integer keys, as JSON has them."""


def safe_name(text: str) -> str:
    """Return a text with only characters that every host accepts in a definition's name."""
    return _UNSAFE.sub("_", text)


def enum_schema(definition: EnumDefinition) -> dict[str, Any]:
    """Return the schema of an enumeration: its values or names, for flags a range."""
    if definition.mask is not None:
        schema: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": definition.mask}
    else:
        schema = typed_enum([value for _, value in definition.members])
    if definition.description:
        schema["description"] = definition.description
    return schema


def json_type(value: Any) -> str:
    """Return the JSON Schema type of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list | tuple) else "object"


def referred_names(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions a schema refers to."""
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix("#/$defs/")
        for value in schema.values():
            yield from referred_names(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from referred_names(value)


def typed_enum(values: list[Any]) -> dict[str, Any]:
    """Return an enumeration of values, each once, with their type when they share one."""
    types = {json_type(value) for value in values}
    if types == {"integer", "number"}:
        types = {"number"}
    unique: list[Any] = []
    for value in values:
        if not any(type(value) is type(other) and value == other for other in unique):
            unique.append(value)
    return {"type": types.pop(), "enum": unique} if len(types) == 1 else {"enum": unique}


def any_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema that accepts what any of the parts accepts: flat, equal parts once."""
    unique: list[dict[str, Any]] = []
    for part in parts:
        for arm in part["anyOf"] if set(part) == {"anyOf"} else [part]:
            if not arm:
                return {}
            if not any(_same(arm, other) for other in unique):
                unique.append(arm)
    return unique[0] if len(unique) == 1 else {"anyOf": unique}


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON values in which 1, 1.0 and true are different."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def key_names(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an enumeration's values as keys."""
    if "enum" in schema:
        return {"enum": [value if isinstance(value, str) else _as_key(value) for value in schema["enum"]]}
    if schema.get("type") == "integer":
        return {"pattern": INTEGER_KEYS}
    return {}


def _as_key(value: Any) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_text(form: Form) -> bool:
    """Whether a form is sent as plain text."""
    return isinstance(form, ScalarForm) and SCALARS[form.kind].schema.get("type") == "string"


def readable(key: DefinitionKey) -> str:
    """`Box[int]` as `Box_int`."""
    parts = [key.qualname, *(_argument_name(argument) for argument in key.arguments)]
    return safe_name("_".join(parts)).strip("_.-")[:60] or "Type"


def _argument_name(form: Form) -> str:
    match form:
        case ScalarForm(kind=kind):
            return kind.rpartition(".")[2]
        case NamedForm(key=key):
            return readable(key)
        case ArrayForm(kind=kind, item=item):
            return f"{kind}_{_argument_name(item)}"
        case DictForm(key=key, value=value):
            return f"dict_{_argument_name(key)}_{_argument_name(value)}"
        case UnionForm(arms=arms):
            return "_or_".join(_argument_name(arm) for arm in arms)
        case ConstrainedForm(form=inner) | SubclassForm(form=inner) | AwaitableForm(form=inner):
            return _argument_name(inner)
        case NoneForm():
            return "None"
    return type(form).__name__.removesuffix("Form").lower()
