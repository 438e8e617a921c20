"""The schemas and conversions of one tool, from its signature and its result."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .contents import inner_forms
from .forms import MISSING, AliasDefinition, ConstrainedForm, Form, NamedForm, RecordDefinition, ScalarForm
from .value_names import value_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .forms import DefinitionKey, RecordField
    from .reading import Reading
    from .results import Result
    from .schema import SchemaWriter
    from .signatures import Signature
    from .type_reader import Types

FURTHER = "**"
"""The name under which `conversions` says how the values of further keys are converted; no property can have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schemas:
    """What clients are told (`arguments`, `result`, `value_texts`) and what the runtime does with arguments."""

    arguments: dict[str, Any]
    result: dict[str, Any] | None = None
    conversions: dict[str, Any] = field(default_factory=dict)
    definitions: dict[str, Any] = field(default_factory=dict)
    prepare: dict[str, Any] = field(default_factory=dict)
    exact_numbers: bool = False
    value_texts: tuple[str, ...] = ()


def schemas_of(signature: Signature, result: Result, types: Types, module_targets: Mapping[str, str]) -> Schemas:
    """Write the schemas and conversions of a tool."""
    writer = types.schemas("input")
    arguments = _arguments(signature, writer)
    conversion = types.conversions(writer, lambda module, name: f"{module_targets.get(module, module)}:{name}")
    converted = {one.wire: conversion.conversion(one.form) for one in signature.properties}
    if isinstance(signature.extra, Form):
        converted[FURTHER] = conversion.conversion(signature.extra)
    conversions = {wire: spec for wire, spec in converted.items() if spec is not None}
    forms = [one.form for one in signature.properties]
    forms += [signature.extra] if isinstance(signature.extra, Form) else []
    return Schemas(
        arguments=arguments,
        result=types.schemas("result").complete(result.form) if result.form is not None else None,
        conversions=conversions,
        definitions=conversion.definitions() if conversions else {},
        prepare={
            one.wire: list(one.form.constraints.prepare)
            for one in signature.properties
            if isinstance(one.form, ConstrainedForm) and one.form.constraints.prepare
        },
        exact_numbers=_has_decimals(forms, types.reading),
        value_texts=value_texts(_named_forms(signature), types.reading),
    )


def _arguments(signature: Signature, writer: SchemaWriter) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {one.wire: _property(one, writer) for one in signature.properties},
    }
    required = [one.wire for one in signature.properties if one.required]
    if required:
        schema["required"] = required
    extra = signature.extra
    schema["additionalProperties"] = (writer.schema(extra) or True) if isinstance(extra, Form) else extra
    if writer.definitions:
        schema["$defs"] = writer.definitions
    return schema


def _property(one: RecordField, writer: SchemaWriter) -> dict[str, Any]:
    schema = dict(writer.schema(one.form))
    if one.default is not MISSING:
        schema["default"] = copy.deepcopy(one.default)
    if one.description:
        schema["description"] = one.description
    return schema


def _named_forms(signature: Signature) -> list[tuple[str, Form]]:
    """Return the forms of the arguments by their names; further keys go by `**`."""
    extra = [(FURTHER, signature.extra)] if isinstance(signature.extra, Form) else []
    return [*((one.wire, one.form) for one in signature.properties), *extra]


def _has_decimals(forms: Iterable[Form], reading: Reading) -> bool:
    """Whether a number in the arguments must be read from its digits (decision 19)."""
    pending = list(forms)
    seen: set[DefinitionKey] = set()
    while pending:
        form = pending.pop()
        if isinstance(form, ScalarForm) and form.kind in {"decimal.Decimal", "fractions.Fraction"}:
            return True
        pending.extend(inner_forms(form))
        if isinstance(form, NamedForm) and form.key not in seen:
            seen.add(form.key)
            definition = reading.definition(form.key)
            if isinstance(definition, AliasDefinition):
                pending.append(definition.form)
            elif isinstance(definition, RecordDefinition):
                pending.extend(one.form for one in definition.fields)
                pending.extend(each for each in (definition.root, definition.extra) if isinstance(each, Form))
    return False
