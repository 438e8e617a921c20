"""TypedDict classes: total, Required and NotRequired, closed, extra_items (PEP 589, 655, 705, 728)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .classes import made_fields
from .constants import Unevaluable, evaluate
from .fields import annotated_fields, class_description, field_texts, outer, qualifiers, stated
from .forms import DefinitionKey, Form, RecordDefinition, RecordField
from .resolve import Known

if TYPE_CHECKING:
    from .classes import ClassEntry, Lineage
    from .reading import Reading, Scope


def typed_dict_definition(key: DefinitionKey, line: Lineage, reading: Reading) -> RecordDefinition:
    """Read a TypedDict class with those it derives from; undeclared keys are allowed unless it says otherwise."""
    fields: dict[str, RecordField] = {}
    extra: Form | bool = True
    for made in line.made:
        build = made_fields(key, made, reading)
        definition = build() if build is not None else None
        if isinstance(definition, RecordDefinition):
            fields.update({field.name: field for field in definition.fields})
            extra = definition.extra
    for entry in reversed(line.entries):
        total = _flag(entry, "total", reading, default=True)
        texts = field_texts(entry.node)
        for name, node in annotated_fields(entry):
            fields[name] = typed_dict_field(
                name, node.annotation, entry.scope, reading, total=total, text=texts.get(name)
            )
        extra = extra_keys(entry.node.keywords, outer(entry), reading, inherited=extra)
    description = class_description(line.entries[0].node)
    return RecordDefinition(
        key=key,
        kind="typeddict",
        fields=tuple(fields.values()),
        extra=extra,
        description=description,
        hashable=False,
    )


def typed_dict_field(
    name: str, annotation: ast.expr, scope: Scope, reading: Reading, *, total: bool, text: str | None = None
) -> RecordField:
    """One key of a TypedDict."""
    marks = qualifiers(annotation, scope, reading)
    required = "typing.Required" in marks or (total and "typing.NotRequired" not in marks)
    form = reading.form(annotation, scope)
    return RecordField(
        name=name,
        wire=name,
        result_wire=name,
        form=form,
        required=required,
        result_required=required,
        description=None if stated(form).description else text,
    )


def extra_keys(keywords: list[ast.keyword], scope: Scope, reading: Reading, *, inherited: Form | bool) -> Form | bool:
    """Return what undeclared keys may hold, as `closed` and `extra_items` say."""
    for given in keywords:
        if given.arg == "closed" and isinstance(given.value, ast.Constant):
            return not given.value.value
        if given.arg == "extra_items":
            found = reading.resolve(given.value, scope)
            if isinstance(found, Known) and found.name in {"typing.Never", "typing.NoReturn"}:
                return False
            return reading.form(given.value, scope)
    return inherited


def _flag(entry: ClassEntry, name: str, reading: Reading, *, default: bool) -> bool:
    for given in entry.node.keywords:
        if given.arg == name:
            try:
                return bool(evaluate(given.value, outer(entry), reading))
            except Unevaluable:
                return default
    return default
