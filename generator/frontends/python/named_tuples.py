"""NamedTuple classes: objects by field name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .classes import made_fields
from .constants import json_default
from .fields import annotated_fields, class_description, field_texts, optional_by_default, stated
from .forms import MISSING, DefinitionKey, RecordDefinition, RecordField

if TYPE_CHECKING:
    from .classes import Lineage
    from .reading import Reading


def named_tuple_definition(key: DefinitionKey, line: Lineage, reading: Reading) -> RecordDefinition:
    """Read a NamedTuple class; a subclass of one has the fields of its base."""
    fields: list[RecordField] = []
    for made in line.made:
        build = made_fields(key, made, reading)
        definition = build() if build is not None else None
        if isinstance(definition, RecordDefinition):
            return replace(definition, description=class_description(line.entries[0].node))
    entry = line.entries[-1]  # the class that derives from NamedTuple itself
    texts = field_texts(entry.node)
    for name, node in annotated_fields(entry):
        form = reading.form(node.annotation, entry.scope)
        fields.append(
            RecordField(
                name=name,
                wire=name,
                result_wire=name,
                form=optional_by_default(form, node.value, name, entry.scope),
                required=node.value is None,
                default=json_default(node.value, entry.scope, reading) if node.value is not None else MISSING,
                description=None if stated(form).description else texts.get(name),
            )
        )
    description = class_description(line.entries[0].node)
    return RecordDefinition(key=key, kind="namedtuple", fields=tuple(fields), extra=False, description=description)
