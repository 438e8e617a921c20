"""pydantic models, as far as they are plain: fields, aliases, constraints, `extra`, computed fields, root models.

Values are made and checked by pydantic itself when a tool is called, so validators run; only the schema is read here.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .constants import Unevaluable, evaluate, json_default
from .constraints import read_descriptor
from .docstrings import parse_docstring, raw_docstring
from .fields import annotated_fields, class_description, field_texts, qualifiers, stated
from .forms import (
    MISSING,
    AnyForm,
    Constraints,
    DefinitionKey,
    Form,
    RecordDefinition,
    RecordField,
    constrained,
)
from .resolve import Known, dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .classes import ClassEntry, Lineage
    from .reading import Reading, Scope

_RESERVED = frozenset({"model_config", "model_fields", "model_computed_fields"})
_CUSTOM = frozenset({"__get_pydantic_json_schema__", "__get_pydantic_core_schema__", "model_json_schema"})
_ROOT = "pydantic.RootModel"
_GENERATORS = frozenset({None, "None", "to_camel", "to_pascal", "to_snake"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Configuration:
    extra: str = "ignore"
    generator: str | None = None
    frozen: bool = False
    keywords: tuple[tuple[str, Any], ...] = ()


def model_definition(key: DefinitionKey, line: Lineage, reading: Reading) -> RecordDefinition:
    """Read a model with the models it derives from."""
    settings = _configuration(line, reading)
    fields: dict[str, RecordField] = {}
    for entry in reversed(line.entries):
        _collect(entry, settings, fields, reading)
    for entry in reversed(line.entries):
        _serialize(entry, fields, reading)
    description = class_description(line.entries[0].node)
    root = _root(line, fields, reading)
    refused = _custom(line, reading)
    if refused is None and settings.generator not in _GENERATORS:
        message = f"the aliases of `{key.qualname}` are made by a function, which cannot be read statically"
        refused = reading.refuse("unsupported-feature", message, line.entries[0].node, line.entries[0].scope)
    if refused is not None:
        root = refused
    policies: dict[str, Form | bool] = {"forbid": False, "allow": AnyForm()}
    extra = policies.get(settings.extra, True)
    return RecordDefinition(
        key=key,
        kind="pydantic",
        fields=tuple(fields.values()),
        extra=extra,
        description=description,
        root=root,
        result_root=_model_serializer(line, reading),
        keywords=settings.keywords,
        hashable=settings.frozen or any(_defines_hash(entry) for entry in line.entries),
    )


def _defines_hash(entry: ClassEntry) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == "__hash__" for each in entry.node.body)


def _custom(line: Lineage, reading: Reading) -> Form | None:
    """Return a refusal when the model makes its own schema, which only pydantic can tell."""
    for entry in line.entries:
        for statement in entry.node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name in _CUSTOM:
                message = f"the model `{entry.found.qualname}` makes its own schema in `{statement.name}`"
                hint = "State the schema in [tool.mcpgen.tools.NAME], or take a model without a schema of its own."
                return reading.refuse("unsupported-feature", message, statement, entry.scope, hint=hint)
    return None


def _root(line: Lineage, fields: Mapping[str, RecordField], reading: Reading) -> Form | None:
    """Return the type a root model stands for."""
    for name, base, scope in line.known:
        if name == _ROOT:
            if "root" in fields:
                return fields["root"].form
            if isinstance(base, ast.Subscript):
                return reading.form(base.slice, scope)
            return AnyForm()
    return None


def _collect(entry: ClassEntry, settings: _Configuration, fields: dict[str, RecordField], reading: Reading) -> None:
    texts = field_texts(entry.node)
    for name, node in annotated_fields(entry):
        if name.startswith("_") or name in _RESERVED:
            continue
        if "typing.ClassVar" in qualifiers(node.annotation, entry.scope, reading):
            continue
        fields[name] = _field(name, node, entry, settings, reading, texts.get(name))
    for function, call in _decorated(entry, "pydantic.computed_field", reading):
        fields[function.name] = _computed(function, call, entry, settings, reading)


def _field(
    name: str, node: ast.AnnAssign, entry: ClassEntry, settings: _Configuration, reading: Reading, text: str | None
) -> RecordField:
    form = reading.form(node.annotation, entry.scope)
    required, default = node.value is None, MISSING
    call = _descriptor(node.value, entry, reading)
    if call is not None:
        form = constrained(form, read_descriptor(call, entry.scope, reading, "pydantic.Field"))
    elif node.value is not None and not _is_ellipsis(node.value):
        default = json_default(node.value, entry.scope, reading)
    constraints = stated(form)
    if call is not None or constraints.has_default:
        required, default = not constraints.has_default and (call is not None or required), constraints.default
    if node.value is not None and _is_ellipsis(node.value):
        required = True
    generated = _generated_alias(name, settings)
    return RecordField(
        name=name,
        wire=constraints.validation_alias or constraints.alias or generated,
        result_wire=constraints.serialization_alias or constraints.alias or generated,
        form=form,
        required=required,
        default=default,
        description=None if constraints.description else text,
        in_result=not constraints.exclude,
        keyword_only=True,
    )


def _computed(
    function: ast.FunctionDef, call: ast.Call | None, entry: ClassEntry, settings: _Configuration, reading: Reading
) -> RecordField:
    """Return a computed field: in results only."""
    constraints = read_descriptor(call, entry.scope, reading, "pydantic.Field") if call else Constraints()
    text = constraints.description or parse_docstring(raw_docstring(function)).description or None
    return RecordField(
        name=function.name,
        wire=function.name,
        result_wire=constraints.alias or _generated_alias(function.name, settings),
        form=_returned(function, entry, reading),
        required=False,
        description=text,
        in_input=False,
        read_only=True,
    )


def _serialize(entry: ClassEntry, fields: dict[str, RecordField], reading: Reading) -> None:
    """Give fields with a `@field_serializer` the type it returns in results; without one stated, any."""
    for function, call in _decorated(entry, "pydantic.field_serializer", reading):
        returned = _returned(function, entry, reading)
        names = [part.value for part in call.args if isinstance(part, ast.Constant)] if call is not None else []
        for name in fields if "*" in names else names:
            if name in fields:
                fields[name] = replace(fields[name], result_form=returned)


def _model_serializer(line: Lineage, reading: Reading) -> Form | None:
    """Return what a `@model_serializer` makes of the model, None without one."""
    for entry in line.entries:
        for function, _ in _decorated(entry, "pydantic.model_serializer", reading):
            return _returned(function, entry, reading)
    return None


def _decorated(entry: ClassEntry, wanted: str, reading: Reading) -> Iterator[tuple[ast.FunctionDef, ast.Call | None]]:
    """Yield the methods of a class body that carry a decorator, with the decorator's call if it is one."""
    for statement in entry.node.body:
        if isinstance(statement, ast.FunctionDef):
            for decorator in statement.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                found = reading.resolve(call.func if call else decorator, entry.scope)
                if isinstance(found, Known) and found.name == wanted:
                    yield statement, call


def _returned(function: ast.FunctionDef, entry: ClassEntry, reading: Reading) -> Form:
    return reading.form(function.returns, entry.scope) if function.returns is not None else AnyForm()


def _descriptor(value: ast.expr | None, entry: ClassEntry, reading: Reading) -> ast.Call | None:
    if not isinstance(value, ast.Call):
        return None
    found = reading.resolve(value.func, entry.scope)
    return value if isinstance(found, Known) and found.name == "pydantic.Field" else None


def _is_ellipsis(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is ...


def _configuration(line: Lineage, reading: Reading) -> _Configuration:
    """Return what `model_config`, class keywords and an inner `Config` say, the most derived class last."""
    found: dict[str, Any] = {}
    for entry in reversed(line.entries):
        for statement in entry.node.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="model_config")], value=value):
                    found.update(_settings(value, entry.scope, reading))
                case ast.AnnAssign(target=ast.Name(id="model_config"), value=ast.expr() as value):
                    found.update(_settings(value, entry.scope, reading))
                case ast.ClassDef(name="Config", body=body):
                    for part in body:
                        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                            found.update(_setting(part.targets[0].id, part.value, entry.scope, reading))
        for given in entry.node.keywords:
            if given.arg:
                found.update(_setting(given.arg, given.value, entry.scope, reading))
    keywords = found.get("json_schema_extra")
    return _Configuration(
        extra=str(found.get("extra", "ignore")),
        generator=found.get("alias_generator"),
        frozen=found.get("frozen") is True,
        keywords=tuple(keywords.items()) if isinstance(keywords, dict) else (),
    )


def _settings(value: ast.expr, scope: Scope, reading: Reading) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if isinstance(value, ast.Call):
        for given in value.keywords:
            if given.arg:
                found.update(_setting(given.arg, given.value, scope, reading))
    elif isinstance(value, ast.Dict):
        for key, item in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                found.update(_setting(key.value, item, scope, reading))
    return found


def _setting(name: str, value: ast.expr, scope: Scope, reading: Reading) -> dict[str, Any]:
    if name == "alias_generator":
        return {name: (dotted(value) or "").rpartition(".")[2]}
    if name not in {"extra", "json_schema_extra", "frozen"}:
        return {}
    if name == "extra" and isinstance(value, ast.Attribute):  # Extra.forbid of pydantic 1
        return {name: value.attr}
    try:
        return {name: evaluate(value, scope, reading)}
    except Unevaluable:
        return {}


def to_snake(name: str) -> str:
    """Return a name in snake case, as pydantic's `to_snake` writes it."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])|([a-z])([A-Z])|([0-9])([A-Z])|([a-z])([0-9])", _split, name)
    return name.replace("-", "_").lower()


def _split(match: re.Match[str]) -> str:
    return "_".join(part for part in match.groups() if part)


def _generated_alias(name: str, settings: _Configuration) -> str:
    """Return the alias pydantic's own generators make; another generator's is not known, and the name is kept."""
    words = [word for word in name.split("_") if word]
    if settings.generator == "to_snake":
        return to_snake(name)
    if settings.generator == "to_pascal":
        return "".join(word[:1].upper() + word[1:] for word in words)
    if settings.generator == "to_camel":
        joined = "".join(word[:1].upper() + word[1:] for word in words)
        return joined[:1].lower() + joined[1:]
    return name
