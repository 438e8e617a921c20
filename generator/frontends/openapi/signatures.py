"""Operations as Python functions: checked names for functions and parameters, annotations from schemas."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...ir.codec import thaw
from ...ir.model import HttpCall
from ...ir.signature import Signature, SignatureArgument
from ...jsonschema.slimming import PREFIX
from ...runtime.client.projection import ARGUMENT as PROJECTION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...ir.model import Tool


MAX_DEPTH = 5
"""Levels of a type that an annotation spells out."""

MAX_ARMS = 6
"""Members of a union that an annotation spells out."""

TAKEN = frozenset(
    {
        "Callable", "NOT_YET", "TYPE_CHECKING", "ToolError", "after_response", "before_request", "bool", "dict",
        "float", "int", "list", "models", "object", "operations", "renamed", "str",
    }
)  # fmt: skip
"""Names that handlers.py has or uses already."""

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def signatures(
    tools: Iterable[tuple[str, Tool]],
    sent: Mapping[str, str],
    received: Mapping[str, str],
    answers: Mapping[str, Any],
) -> tuple[Signature, ...]:
    """Return a signature for each tool of an operation, by the tool's final name, in their order.

    `sent` and `received` are the types of models.py by the definitions of arguments and answers; `answers` are the
    schemas of good answers by operation key.
    """
    taken = set(TAKEN)
    return tuple(
        Signature(
            operation=tool.call.operation,
            function=_python_name(_snake(name), taken),
            arguments=_arguments(tool, sent),
            result=annotated(answers.get(tool.call.operation), received),
        )
        for name, tool in tools
        if isinstance(tool.call, HttpCall)
    )


def _arguments(tool: Tool, types: Mapping[str, str]) -> tuple[SignatureArgument, ...]:
    schema = thaw(tool.input_schema)
    required = set(schema.get("required") or ())
    parameters: set[str] = set()
    arguments = [
        SignatureArgument(
            argument=name,
            parameter=_python_name(name, parameters),
            annotation=annotated(part, types),
            required=name in required,
        )
        for name, part in (schema.get("properties") or {}).items()
        if name != PROJECTION  # the server sees to it itself
    ]
    # What may be left out comes after what must be given, as everywhere in Python.
    return tuple(sorted(arguments, key=lambda each: not each.required))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _python_name(text: str, taken: set[str]) -> str:
    """Return a name for any text, unlike all that are taken."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", text)
    if plain.startswith("__"):  # inside a class it would be another name
        plain = plain.lstrip("_")
    if not plain.strip("_") or plain[0].isdigit():
        plain = f"arg_{plain}"
    if keyword.iskeyword(plain):
        plain = f"{plain}_"
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}_{number}", number + 1
    taken.add(name)
    return name


def annotated(schema: Any, types: Mapping[str, str], depth: int = 0) -> str:
    """Return the annotation of a schema's values; `object` where no better type is known."""
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return "object"
    reference = schema.get("$ref")
    if isinstance(reference, str):
        name = types.get(reference.removeprefix(PREFIX))
        return f"models.{name}" if name else "object"
    arms = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(arms, list | tuple):
        return _union(annotated(arm, types, depth + 1) for arm in arms)
    if "allOf" in schema:
        return "object"
    kinds = schema.get("type")
    listed = kinds if isinstance(kinds, list | tuple) else [kinds]
    return _union(_of_kind(kind, schema, types, depth) for kind in listed)


def _union(arms: Iterable[str]) -> str:
    found = list(dict.fromkeys(arms))
    if "object" in found or not found or len(found) > MAX_ARMS:
        return "object"
    return " | ".join(found)


def _of_kind(kind: Any, schema: Mapping[str, Any], types: Mapping[str, str], depth: int) -> str:
    if kind == "array":
        return f"list[{annotated(schema.get('items'), types, depth + 1)}]"
    if kind == "object":
        extra = schema.get("additionalProperties")
        inner = annotated(extra, types, depth + 1) if not schema.get("properties") else "object"
        return f"dict[str, {inner}]"
    return _SCALARS.get(kind, "object") if isinstance(kind, str) else "object"
