"""From forms to JSON Schema 2020-12, as arguments or as results; named types become `$defs`."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from .constraint_keywords import lay_over
from .contents import suppliable
from .forms import (
    MISSING,
    AliasDefinition,
    AnyForm,
    ArrayForm,
    AwaitableForm,
    ConstrainedForm,
    ContentForm,
    DefinitionKey,
    DictForm,
    Direction,
    EnumDefinition,
    Form,
    LiteralForm,
    MemberValue,
    NamedForm,
    NoneForm,
    RecordDefinition,
    RecordField,
    ScalarForm,
    SubclassForm,
    TupleForm,
    UnionForm,
)
from .scalars import SCALARS
from .schema_parts import INTEGER_KEYS, any_of, enum_schema, is_text, key_names, readable, safe_name, typed_enum

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .reading import Reading


class SchemaWriter:
    """Writes the schemas of one tool in one direction; `definitions` collects what they refer to by `#/$defs/NAME`."""

    __slots__ = ("_direction", "_keys", "_names", "_pending", "_reading", "definitions")

    def __init__(self, reading: Reading, direction: Direction) -> None:
        self._reading = reading
        self._direction = direction
        self._names: dict[DefinitionKey, str] = {}
        self._keys: dict[str, DefinitionKey] = {}
        self._pending: list[DefinitionKey] = []
        self.definitions: dict[str, dict[str, Any]] = {}

    def schema(self, form: Form) -> dict[str, Any]:
        """Return the schema of a form; `{}` for any value, and for forms that `findings` refuses."""
        schema = self._schema(form)
        self._write_pending()
        return schema

    def _schema(self, form: Form) -> dict[str, Any]:  # noqa: C901 # a table of forms
        match form:
            case NoneForm():
                return {"type": "null"}
            case ScalarForm(kind=kind):
                return self._scalar(kind)
            case ArrayForm():
                return self._array(form)
            case TupleForm():
                return self._tuple(form)
            case DictForm():
                return self._dict(form)
            case UnionForm(arms=arms):
                return self._union(arms)
            case LiteralForm():
                return self._literal(form)
            case ConstrainedForm(form=inner, constraints=constraints):
                return lay_over(self._schema(inner), constraints, self._followed)
            case SubclassForm(form=inner) | AwaitableForm(form=inner):
                return self._schema(inner)
            case NamedForm(key=key):
                return {"$ref": f"#/$defs/{self._reference(key)}"}
        return {}

    def complete(self, form: Form) -> dict[str, Any] | None:
        """Return the schema of a form with its `$defs`; None when any value is accepted, or nothing is sent."""
        while isinstance(form, AwaitableForm):
            form = form.form
        if isinstance(form, AnyForm | NoneForm | ContentForm):
            return None
        schema = self.schema(form)
        if not schema:
            return None
        return {**schema, "$defs": self.definitions} if self.definitions else schema

    def name(self, key: DefinitionKey) -> str:
        """Return the name of a definition among the `$defs`, which is written when it is first asked for."""
        name = self._reference(key)
        self._write_pending()
        return name

    def _reference(self, key: DefinitionKey) -> str:
        if key not in self._names:
            name = self._free_name(key)
            self._names[key] = name
            self._keys[name] = key
            self.definitions[name] = {}
            self._pending.append(key)
        return self._names[key]

    def _write_pending(self) -> None:
        """Write definitions one after the other, not one inside the other: a long chain of records is no deep one."""
        while self._pending:
            key = self._pending.pop(0)
            self.definitions[self._names[key]].update(self._definition(key))

    def _free_name(self, key: DefinitionKey) -> str:
        base = readable(key)
        for name in (base, f"{safe_name(key.module)}_{base}"):
            if name not in self.definitions:
                return name
        number = 2
        while f"{base}_{number}" in self.definitions:
            number += 1
        return f"{base}_{number}"

    def _followed(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a reference stands for, as far as its type goes."""
        reference = schema.get("$ref")
        key = self._keys.get(reference.removeprefix("#/$defs/")) if isinstance(reference, str) else None
        if key is None:
            return schema
        definition = self._reading.definition(key)
        if isinstance(definition, EnumDefinition):
            return enum_schema(definition)
        form = definition.form if isinstance(definition, AliasDefinition) else definition.root
        if form is None:
            return {"type": "object"}
        match form:
            case ArrayForm() | TupleForm():
                return {"type": "array"}
            case DictForm():
                return {"type": "object"}
            case ScalarForm(kind=kind):
                return self._scalar(kind)
        return {}

    def _definition(self, key: DefinitionKey) -> dict[str, Any]:
        definition = self._reading.definition(key)
        if isinstance(definition, AliasDefinition):
            return self._schema(definition.form)
        if isinstance(definition, EnumDefinition):
            return enum_schema(definition)
        return self._record(definition)

    def _record(self, record: RecordDefinition) -> dict[str, Any]:
        root = record.result_root if self._direction == "result" and record.result_root else record.root
        if root is not None:
            schema = self._schema(root)
            return {**schema, "description": record.description} if record.description else schema
        properties: dict[str, Any] = {}
        required: list[str] = []
        for field in record.fields:
            as_argument = self._direction == "input"
            if field.in_input if as_argument else field.in_result:
                name = field.wire if as_argument else field.result_wire
                properties[name] = self._property(field)
                if field.required if as_argument else field.result_required:
                    required.append(name)
        result: dict[str, Any] = {"type": "object", "properties": properties}
        if required:
            result["required"] = required
        if record.extra is False:
            result["additionalProperties"] = False
        elif isinstance(record.extra, Form):
            result["additionalProperties"] = self._schema(record.extra) or True
        if record.description:
            result["description"] = record.description
        result.update(copy.deepcopy(dict(record.keywords)))
        return result

    def _property(self, field: RecordField) -> dict[str, Any]:
        schema = self._schema(field.shown(self._direction))
        if field.default is not MISSING:
            schema["default"] = copy.deepcopy(field.default)
        if field.description:
            schema["description"] = field.description
        if field.read_only:
            schema["readOnly"] = True
        return schema

    def _scalar(self, kind: str) -> dict[str, Any]:
        scalar = SCALARS[kind]
        chosen = scalar.result if self._direction == "result" and scalar.result is not None else scalar.schema
        return copy.deepcopy(dict(chosen)) if "anyOf" in chosen else dict(chosen)

    def _array(self, form: ArrayForm) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "array"}
        items = self._schema(form.item)
        if items:
            schema["items"] = items
        if form.kind in {"set", "frozenset"}:
            schema["uniqueItems"] = True
        return schema

    def _tuple(self, form: TupleForm) -> dict[str, Any]:
        fixed = len(form.prefix) + len(form.suffix)
        schema: dict[str, Any] = {"type": "array"}
        if form.prefix:
            schema["prefixItems"] = [self._schema(part) for part in form.prefix]
        if form.rest is not None:
            parts = [self._schema(part) for part in (form.rest, *form.suffix)]
            rest = any_of(parts)
            if rest:
                schema["items"] = rest
            return {**schema, "minItems": fixed}
        return {**schema, "minItems": fixed, "maxItems": fixed}

    def _dict(self, form: DictForm) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        values = self._schema(form.value)
        if values:
            schema["additionalProperties"] = values
        names = self._key_schema(form.key)
        if names:
            schema["propertyNames"] = names
        return schema

    def _key_schema(self, key: Form) -> dict[str, Any]:  # noqa: C901 # a table of forms
        """Return what a mapping's keys look like in JSON, where every key is text."""
        match key:
            case ConstrainedForm(form=inner):
                schema = self._key_schema(inner)
                return lay_over(schema, key.constraints, lambda _: {"type": "string"}) if is_text(inner) else schema
            case SubclassForm(form=inner):
                return self._key_schema(inner)
            case LiteralForm():
                return key_names(self._literal(key))
            case NamedForm(key=named):
                definition = self._reading.definition(named)
                return key_names(enum_schema(definition)) if isinstance(definition, EnumDefinition) else {}
            case ScalarForm(kind="builtins.int" | "numbers.Integral"):
                return {"pattern": INTEGER_KEYS}
            case ScalarForm(kind="builtins.bool"):
                return {"enum": ["true", "false"]}
            case ScalarForm(kind="builtins.float" | "numbers.Real" | "numbers.Number" | "builtins.complex"):
                return {}
            case ScalarForm(kind="decimal.Decimal"):
                return {"pattern": SCALARS["decimal.Decimal"].schema["anyOf"][1]["pattern"]}
            case ScalarForm():
                schema = self._scalar(key.kind)
                schema.pop("type", None)
                return schema
            case UnionForm(arms=arms):
                parts = [self._key_schema(arm) for arm in arms]
                return {"anyOf": parts} if all(parts) else {}
        return {}

    def _union(self, arms: tuple[Form, ...]) -> dict[str, Any]:
        kept = suppliable(arms) if self._direction == "input" else arms
        return any_of([self._schema(arm) for arm in kept])

    def _literal(self, form: LiteralForm) -> dict[str, Any]:
        if form.values and all(isinstance(value, bytes) for value in form.values):
            from .constant_json import to_json

            return {"type": "string", "contentEncoding": "base64", "enum": [to_json(value) for value in form.values]}
        return typed_enum([value.json if isinstance(value, MemberValue) else value for value in form.values])
