"""attrs classes: annotated attributes and `attrs.field(...)` values, with the names their constructors take."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .classes import ClassEntry, Lineage, class_decorator
from .constants import Unevaluable, evaluate, json_default
from .constructors import with_own_constructor
from .fields import (
    class_description,
    field_texts,
    flag,
    keyword,
    mangled,
    metadata_description,
    optional_by_default,
    outer,
    qualifiers,
    stated,
)
from .forms import MISSING, AnyForm, DefinitionKey, RecordDefinition, RecordField
from .hashability import record_is_hashable
from .resolve import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .reading import Reading


def attrs_definition(key: DefinitionKey, line: Lineage, reading: Reading) -> RecordDefinition:
    """Read an attrs class; an attribute redefined by a subclass moves to the subclass's place, as in attrs."""
    fields: dict[str, RecordField] = {}
    for entry in reversed(line.entries):
        decorator = class_decorator(entry, reading)
        if decorator is None:
            continue
        keyword_only = isinstance(decorator[1], ast.Call) and flag(
            decorator[1], "kw_only", outer(entry), reading, default=False
        )
        texts = field_texts(entry.node)
        for name, annotation, value in _attributes(entry, reading):
            field = _field(name, annotation, value, entry, reading, texts.get(name), keyword_only=keyword_only)
            fields.pop(name, None)
            fields[name] = field
    description = class_description(line.entries[0].node)
    collected = tuple(fields.values())
    found = with_own_constructor(collected, line, reading)
    frozen = any(_is_frozen(entry, reading) for entry in line.entries)
    hashable = record_is_hashable(line, reading, frozen=frozen)
    return RecordDefinition(
        key=key, kind="attrs", fields=found, extra=False, description=description, hashable=hashable
    )


def _is_frozen(entry: ClassEntry, reading: Reading) -> bool:
    found = class_decorator(entry, reading)
    if found is None:
        return False
    decorator = found[1]
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    meant = reading.resolve(called, outer(entry))
    return isinstance(meant, Known) and meant.name == "attrs.frozen"


def _attributes(entry: ClassEntry, reading: Reading) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    for statement in entry.node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                if "typing.ClassVar" not in qualifiers(annotation, entry.scope, reading):
                    yield name, annotation, value
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value):
                if _is_field(value, entry, reading):
                    yield name, keyword(value, "type"), value


def _field(
    name: str,
    annotation: ast.expr | None,
    value: ast.expr | None,
    entry: ClassEntry,
    reading: Reading,
    text: str | None,
    *,
    keyword_only: bool,
) -> RecordField:
    form = reading.form(annotation, entry.scope) if annotation is not None else AnyForm()
    call = value if isinstance(value, ast.Call) and _is_field(value, entry, reading) else None
    default, in_init, required = value, True, value is None
    argument = mangled(name, entry.node).lstrip("_") or name
    if call is not None:
        default = keyword(call, "default")
        required = default is None and keyword(call, "factory") is None and not _has_default_method(name, entry)
        in_init = flag(call, "init", entry.scope, reading, default=True)
        keyword_only = flag(call, "kw_only", entry.scope, reading, default=keyword_only)
        text = metadata_description(call, entry.scope, reading) or text
        argument = _alias(call, entry, reading) or argument
    return RecordField(
        name=argument,
        wire=argument,
        result_wire=argument,
        form=optional_by_default(form, default, name, entry.scope),
        required=required,
        default=json_default(default, entry.scope, reading) if default is not None else MISSING,
        description=None if stated(form).description else text,
        in_input=in_init,
        keyword_only=keyword_only,
    )


def _alias(call: ast.Call, entry: ClassEntry, reading: Reading) -> str | None:
    value = keyword(call, "alias")
    try:
        found = evaluate(value, entry.scope, reading) if value is not None else None
    except Unevaluable:
        return None
    return found if isinstance(found, str) else None


def _is_field(call: ast.Call, entry: ClassEntry, reading: Reading) -> bool:
    found = reading.resolve(call.func, entry.scope)
    return isinstance(found, Known) and found.name == "attrs.field"


def _has_default_method(name: str, entry: ClassEntry) -> bool:
    """Whether a method is decorated `@NAME.default`."""
    for statement in entry.node.body:
        for decorator in getattr(statement, "decorator_list", ()):
            match decorator:
                case ast.Attribute(value=ast.Name(id=owner), attr="default") if owner == name:
                    return True
    return False
