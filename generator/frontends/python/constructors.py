"""Constructors that a record class writes itself: what a client sends is then what `__init__` takes."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from .classes import class_decorator
from .constants import json_default
from .fields import flag, optional_by_default, outer
from .forms import MISSING, AnyForm, Form, RecordField
from .parameters import Parameter, declared_parameters

if TYPE_CHECKING:
    from .classes import ClassEntry, Lineage
    from .reading import Reading


def with_own_constructor(fields: tuple[RecordField, ...], line: Lineage, reading: Reading) -> tuple[RecordField, ...]:
    """Return the fields as they are, or with the parameters of the `__init__` that somebody wrote as the input."""
    for entry in line.entries:
        written = _written(entry)
        if written is not None:
            return _replaced(fields, written, entry, reading)
        if _is_generated(entry, reading):
            return fields
    return fields


def _is_generated(entry: ClassEntry, reading: Reading) -> bool:
    """Say whether a class of the lineage gets a constructor made from its fields."""
    decorator = class_decorator(entry, reading)
    if decorator is None:
        return False
    call = decorator[1]
    return not isinstance(call, ast.Call) or flag(call, "init", outer(entry), reading, default=True)


def _written(entry: ClassEntry) -> ast.FunctionDef | None:
    found = [each for each in entry.node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    return found[-1] if found else None


def _replaced(
    fields: tuple[RecordField, ...], written: ast.FunctionDef, entry: ClassEntry, reading: Reading
) -> tuple[RecordField, ...]:
    known = {field.name: field for field in fields}
    sent = tuple(replace(field, in_input=False) for field in fields if field.in_result)
    taken = [
        _taken(parameter, known.get(parameter.name), entry, reading)
        for parameter in declared_parameters(written.args)[1:]
        if parameter.kind not in ("star", "star_star")
    ]
    return (*sent, *taken)


def _taken(parameter: Parameter, field: RecordField | None, entry: ClassEntry, reading: Reading) -> RecordField:
    """Return one parameter of a constructor as a field that only arguments have."""
    form: Form = field.form if field is not None else AnyForm()
    if parameter.kind == "positional":
        message = f"`{parameter.name}` of the constructor of `{entry.node.name}` can be given by position only"
        form = reading.refuse("unsupported-feature", message, parameter.node, entry.scope)
    elif parameter.annotation is not None:
        form = reading.form(parameter.annotation, entry.scope)
    default = parameter.default
    return RecordField(
        name=parameter.name,
        wire=parameter.name,
        result_wire=parameter.name,
        form=optional_by_default(form, default, parameter.name, entry.scope),
        required=parameter.required,
        default=json_default(default, entry.scope, reading) if default is not None else MISSING,
        description=field.description if field is not None else None,
        in_result=False,
        keyword_only=parameter.kind == "keyword",
    )
