"""Dataclasses: fields of every decorated class of the lineage, as `dataclasses` collects them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .classes import ClassEntry, Lineage, class_decorator, lineage
from .constants import json_default
from .constraints import read_descriptor
from .constructors import with_own_constructor
from .fields import (
    annotated_fields,
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
from .forms import MISSING, DefinitionKey, RecordDefinition, RecordField, constrained
from .hashability import record_is_hashable
from .resolve import Known

if TYPE_CHECKING:
    from .reading import Reading


def dataclass_definition(key: DefinitionKey, line: Lineage, reading: Reading) -> RecordDefinition:
    """Read a dataclass; fields keep the place of their first declaration, later ones replace what they say."""
    fields = tuple(_Collector(reading).fields(line.entries).values())
    fields = with_own_constructor(fields, line, reading)
    description = class_description(line.entries[0].node)
    hashable = record_is_hashable(line, reading)
    return RecordDefinition(
        key=key, kind="dataclass", fields=fields, extra=False, description=description, hashable=hashable
    )


class _Collector:
    """Collects fields as `dataclasses` does: each base gives all it has, what it inherited included.

    That matters where bases meet: in `class D(Left, Right)` a field that `Right` redefined and `Left` inherited is
    the one of `Left` again.
    """

    __slots__ = ("_known", "_reading")

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._known: dict[int, dict[str, RecordField]] = {}

    def fields(self, entries: tuple[ClassEntry, ...]) -> dict[str, RecordField]:
        """Return the fields of the first class of a lineage; a class that is no dataclass has those of its base."""
        own = next((at for at, each in enumerate(entries) if class_decorator(each, self._reading) is not None), None)
        if own is None:
            return {}
        entry, decorator = entries[own], class_decorator(entries[own], self._reading)
        if id(entry.node) not in self._known:
            entries = self._above(own, entries)
            found: dict[str, RecordField] = {}
            for position in range(len(entries) - 1, 0, -1):
                found.update(self.fields(self._above(position, entries)))
            if decorator is not None:
                _collect(entry, decorator[1], found, self._reading)
            self._known[id(entry.node)] = found
        return self._known[id(entry.node)]

    def _above(self, position: int, entries: tuple[ClassEntry, ...]) -> tuple[ClassEntry, ...]:
        """Return the class at a position and those it derives from, in the order of the whole lineage."""
        if position == 0:
            return entries
        related = {id(each.node) for each in lineage(entries[position].found, (), self._reading).entries}
        return tuple(each for each in entries[position:] if id(each.node) in related)


def _collect(entry: ClassEntry, decorator: ast.expr, fields: dict[str, RecordField], reading: Reading) -> None:
    keyword_only = isinstance(decorator, ast.Call) and flag(decorator, "kw_only", outer(entry), reading, default=False)
    texts = field_texts(entry.node)
    for name, node in annotated_fields(entry):
        marks = qualifiers(node.annotation, entry.scope, reading)
        if "typing.ClassVar" in marks:
            fields.pop(name, None)
            continue
        if "dataclasses.KW_ONLY" in marks:
            keyword_only = True
            continue
        inner = mangled(name, entry.node)
        fields[inner] = _field(
            inner,
            node,
            entry,
            reading,
            texts.get(name),
            init_only="dataclasses.InitVar" in marks,
            keyword_only=keyword_only,
        )


def _field(
    name: str,
    node: ast.AnnAssign,
    entry: ClassEntry,
    reading: Reading,
    text: str | None,
    *,
    init_only: bool,
    keyword_only: bool,
) -> RecordField:
    form = reading.form(node.annotation, entry.scope)
    constraints = stated(form)
    call = _field_call(node.value, entry, reading)
    default = node.value
    in_init = True
    required = node.value is None
    if call is not None:
        default = keyword(call, "default")
        if _name(call, entry, reading) == "pydantic.Field":
            form = constrained(form, read_descriptor(call, entry.scope, reading, "pydantic.Field"))
            constraints = stated(form)
            default = default or (call.args[0] if call.args else None)
        if isinstance(default, ast.Constant) and default.value is ...:
            default = None
        required = default is None and keyword(call, "default_factory") is None
        in_init = flag(call, "init", entry.scope, reading, default=True)
        keyword_only = flag(call, "kw_only", entry.scope, reading, default=keyword_only)
        text = metadata_description(call, entry.scope, reading) or text
    return RecordField(
        name=name,
        wire=constraints.alias or name,
        result_wire=name,
        form=optional_by_default(form, default, name, entry.scope),
        required=required,
        default=json_default(default, entry.scope, reading) if default is not None else MISSING,
        description=None if constraints.description else text,
        in_input=in_init,
        in_result=not init_only,
        keyword_only=keyword_only,
    )


def _field_call(value: ast.expr | None, entry: ClassEntry, reading: Reading) -> ast.Call | None:
    """Return the call that describes a field, None when the value is a plain default."""
    if not isinstance(value, ast.Call):
        return None
    return value if _name(value, entry, reading) in {"dataclasses.field", "pydantic.Field"} else None


def _name(call: ast.Call, entry: ClassEntry, reading: Reading) -> str | None:
    found = reading.resolve(call.func, entry.scope)
    return found.name if isinstance(found, Known) else None
