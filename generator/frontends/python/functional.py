"""Types made by calls: `TypedDict("T", {...})`, `NamedTuple("T", [...])`, `Enum("E", "A B")` and their like."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from .constants import Unevaluable, evaluate
from .enums import is_scalar
from .fields import keyword
from .forms import AnyForm, Definition, DefinitionKey, EnumDefinition, Form, NamedForm, RecordDefinition, RecordField
from .reading import Reading, Scope
from .typed_dicts import extra_keys, typed_dict_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...diagnostics.model import Span
    from .resolve import Defined


def functional_form(
    name: str, call: ast.Call, found: Defined, expression: ast.expr, scope: Scope, reading: Reading
) -> Form:
    """Return the form of a type that a call makes; refused when its fields are computed."""
    key = DefinitionKey(module=found.module.name, qualname=found.qualname)
    span = scope.module.span(expression)
    if key in reading.builders or key in reading.definitions:
        return NamedForm(key=key, span=span)
    build = made_by_call(name, call, key, span, Scope(module=found.module, owners=found.owners), reading)
    if build is None:
        return computed_fields(name, found.qualname, expression, scope, reading)
    reading.builders[key] = build
    return NamedForm(key=key, span=span)


def made_by_call(
    name: str, call: ast.Call, key: DefinitionKey, span: Span, scope: Scope, reading: Reading
) -> Callable[[], Definition] | None:
    """Return what makes the definition of the type a call makes, None when its fields are computed."""
    body = call.args[1] if len(call.args) > 1 else None
    if name not in {"typing.TypedDict", "typing.NamedTuple"}:
        return _evaluated(name, key, call, span, scope, reading)
    pairs = _dict_pairs(body) if name == "typing.TypedDict" else _list_pairs(body)
    if pairs is None:
        return None

    def build() -> Definition:
        if name == "typing.TypedDict":
            return _typed_dict(key, call, pairs, scope, reading)
        fields = tuple(
            RecordField(name=one, wire=one, result_wire=one, form=reading.form(annotation, scope), required=True)
            for one, annotation in pairs
        )
        return RecordDefinition(key=key, kind="namedtuple", fields=fields, extra=False)

    return build


def computed_fields(name: str, qualname: str, expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    """Refuse a type whose fields only a run could tell."""
    message = f"the fields of `{qualname}`, made by `{name.rpartition('.')[2]}(...)`, are computed"
    hint = "Write it as a class, or state the schema in [tool.mcpgen.tools.NAME]."
    return reading.refuse("unsupported-feature", message, expression, scope, hint=hint)


def _typed_dict(
    key: DefinitionKey, call: ast.Call, pairs: list[tuple[str, ast.expr]], scope: Scope, reading: Reading
) -> RecordDefinition:
    given = keyword(call, "total")
    total = not (isinstance(given, ast.Constant) and given.value is False)
    fields = tuple(typed_dict_field(name, annotation, scope, reading, total=total) for name, annotation in pairs)
    extra = extra_keys(call.keywords, scope, reading, inherited=True)
    return RecordDefinition(key=key, kind="typeddict", fields=fields, extra=extra, hashable=False)


def _dict_pairs(body: ast.expr | None) -> list[tuple[str, ast.expr]] | None:
    if not isinstance(body, ast.Dict):
        return None
    pairs = []
    for name, annotation in zip(body.keys, body.values, strict=True):
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            return None
        pairs.append((name.value, annotation))
    return pairs


def _list_pairs(body: ast.expr | None) -> list[tuple[str, ast.expr]] | None:
    if not isinstance(body, ast.List | ast.Tuple):
        return None
    pairs = []
    for item in body.elts:
        match item:
            case ast.Tuple(elts=[ast.Constant(value=str(name)), annotation]):
                pairs.append((name, annotation))
            case _:
                return None
    return pairs


def _evaluated(
    name: str, key: DefinitionKey, call: ast.Call, span: Span, scope: Scope, reading: Reading
) -> Callable[[], Definition] | None:
    """Namedtuple and functional enumerations: names that are constants."""
    try:
        values = [evaluate(argument, scope, reading) for argument in call.args]
        options = {one.arg: evaluate(one.value, scope, reading) for one in call.keywords if one.arg in _OPTIONS}
    except Unevaluable:
        return None
    values += [options[name] for name in ("field_names", "names") if name in options]
    if len(values) < 2:  # the type's name and its parts
        return None
    definition = (
        _named_tuple(key, values[1], options)
        if name == "collections.namedtuple"
        else _enum(name, key, values[1], span, options)
    )
    return None if definition is None else lambda: definition


_OPTIONS = frozenset({"defaults", "rename", "start", "field_names", "names"})
"""Keywords that change what is made; the others (`module`, `qualname`) only say where it is."""


def _named_tuple(key: DefinitionKey, names: Any, options: Mapping[str, Any]) -> Definition | None:
    listed = names.replace(",", " ").split() if isinstance(names, str) else names
    if not isinstance(listed, list | tuple) or not all(isinstance(name, str) for name in listed):
        return None
    if options.get("rename"):
        listed = [_renamed(position, listed) for position in range(len(listed))]
    defaults = options.get("defaults")
    optional = set(listed[len(listed) - len(defaults) :]) if defaults else set()
    fields = tuple(
        RecordField(name=name, wire=name, result_wire=name, form=AnyForm(), required=name not in optional)
        for name in listed
    )
    return RecordDefinition(key=key, kind="namedtuple", fields=fields, extra=False)


def _renamed(position: int, names: Sequence[str]) -> str:
    """Return a field's name, `_1` for one that `rename=True` replaces: no identifier, private, or there already."""
    name = names[position]
    usable = name.isidentifier() and not iskeyword(name) and not name.startswith("_")
    return name if usable and name not in names[:position] else f"_{position}"


def _enum(name: str, key: DefinitionKey, names: Any, span: Span, options: Mapping[str, Any]) -> Definition | None:
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if isinstance(names, dict):
        pairs = list(names.items())
    elif names and all(isinstance(item, list | tuple) and len(item) == 2 for item in names):  # name and value
        pairs = [(item[0], item[1]) for item in names]
    else:
        start = options.get("start", 1)
        pairs = [(item, _automatic(name, item, position, start)) for position, item in enumerate(names)]
    if not pairs or not all(isinstance(member, str) for member, _ in pairs):
        return None
    by_value = all(is_scalar(value) for _, value in pairs)
    mask = None
    if name in {"enum.Flag", "enum.IntFlag"}:
        mask = 0
        for _, value in pairs:
            mask |= value if isinstance(value, int) else 0
    members = tuple((member, value if by_value else member) for member, value in pairs)
    opaque = mask is None and not isinstance(names, dict) and all(isinstance(value, int) for _, value in pairs)
    return EnumDefinition(
        key=key, members=members, by="value" if by_value else "name", mask=mask, opaque=opaque, span=span
    )


def _automatic(name: str, item: str, position: int, start: int) -> Any:
    if name == "enum.StrEnum":
        return item.lower()
    if name in {"enum.Flag", "enum.IntFlag"}:
        return 1 << (start.bit_length() + position - 1) if position else start
    return position + start
