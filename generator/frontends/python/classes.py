"""What a class is: its bases, most derived first, and the kind of value it makes.

The kinds that have a JSON form are records (dataclass, attrs, NamedTuple, TypedDict, pydantic), enumerations,
subclasses of value types and containers, and contexts; every other class is refused by name.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from .contents import depth
from .forms import Definition, DefinitionKey, Form, NamedForm, SubclassForm
from .known import CONTEXTS
from .reading import MAX_ARGUMENT_DEPTH, MAX_DEPTH, Reading, Scope, type_parameters
from .resolve import Defined, Known, Unknown
from .scalars import SCALARS
from .type_variables import bind_arguments, parameters_of_class

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal["enum", "typeddict", "namedtuple", "pydantic", "dataclass", "attrs"]
_MAX_BASES = 100  # classes in one lineage

_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"))
_BASES: dict[str, Kind] = {
    **dict.fromkeys(_ENUMS, "enum"),
    "typing.TypedDict": "typeddict",
    "typing.NamedTuple": "namedtuple",
    "pydantic.BaseModel": "pydantic",
    "pydantic.RootModel": "pydantic",
}
_DECORATORS: dict[str, Kind] = {
    "dataclasses.dataclass": "dataclass",
    "pydantic.dataclasses.dataclass": "dataclass",
    "attrs.define": "attrs",
    "attrs.frozen": "attrs",
}
_MAKERS = {
    "collections.namedtuple": "typing.NamedTuple",
    "typing.NamedTuple": "typing.NamedTuple",
    "typing.TypedDict": "typing.TypedDict",
}
"""Calls that make a class one may derive from, and what a class derived from it is."""

_IGNORED_BASES = frozenset({"typing.Generic", "typing.Protocol", "builtins.object", "abc.ABC", "typing.Any"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassEntry:
    """One class of a lineage, with the scope in which its body's annotations stand."""

    found: Defined
    node: ast.ClassDef
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """A class and its bases, most derived first; `known` are of known modules, `unknown` lead nowhere.

    `made` are the bases that a call makes: `class Point(namedtuple("Point", "x y"))`.
    """

    entries: tuple[ClassEntry, ...]
    made: tuple[tuple[str, ast.Call, Scope], ...]
    known: tuple[tuple[str, ast.expr, Scope], ...]
    unknown: tuple[tuple[Unknown, ast.expr, Scope], ...]

    def base(self, names: frozenset[str]) -> str | None:
        """Return the first known base that is one of these."""
        return next((name for name, _, _ in self.known if name in names), None)


def class_form(
    found: Defined, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form:
    """Return the form of a class used as a type, with its type arguments if it has any."""
    forms = tuple(reading.form(argument, scope.deeper()) for argument in arguments or ())
    key = DefinitionKey(module=found.module.name, qualname=found.qualname, arguments=forms)
    span = scope.module.span(expression)
    if key in reading.builders:
        return NamedForm(key=key, span=span)
    if scope.depth > MAX_DEPTH or any(depth(form) > MAX_ARGUMENT_DEPTH for form in forms):
        message = f"the arguments of `{found.qualname}` nest without end"
        return reading.refuse("unsupported-feature", message, expression, scope)
    line = lineage(found, forms, reading)
    kind = class_kind(line, reading)
    computed = next((each for each in line.made if made_fields(key, each, reading) is None), None)
    if computed is not None:
        from .functional import computed_fields

        return computed_fields(computed[0], found.qualname, expression, scope, reading)
    context = line.base(frozenset(CONTEXTS))
    if context is not None:
        from .special_forms import known_form

        return known_form(context, None, expression, scope, reading)
    if line.unknown and kind != "enum":
        from .annotations import unresolved

        missing, base, where = line.unknown[0]
        # A base is shown where it stands in the user's own module; deep in a library the annotation tells more.
        own = where.module is scope.module
        return unresolved(missing, base if own else expression, scope, reading)
    if kind is None:
        return _value_subclass(found, line, expression, scope, reading)
    reading.builders[key] = _builder(kind, key, line, reading)
    return NamedForm(key=key, span=span)


def made_fields(
    key: DefinitionKey, made: tuple[str, ast.Call, Scope], reading: Reading
) -> Callable[[], Definition] | None:
    """Return what makes the definition of a base that a call makes, None when its fields are computed."""
    from .functional import made_by_call

    name, call, scope = made
    return made_by_call(name, call, key, scope.module.span(call), scope, reading)


def _builder(kind: Kind, key: DefinitionKey, line: Lineage, reading: Reading) -> Callable[[], Definition]:
    def build() -> Definition:
        from . import attrs_records, dataclass_records, enums, named_tuples, pydantic_models, typed_dicts

        readers: dict[Kind, Callable[[DefinitionKey, Lineage, Reading], Definition]] = {
            "enum": enums.enum_definition,
            "typeddict": typed_dicts.typed_dict_definition,
            "namedtuple": named_tuples.named_tuple_definition,
            "pydantic": pydantic_models.model_definition,
            "dataclass": dataclass_records.dataclass_definition,
            "attrs": attrs_records.attrs_definition,
        }
        return readers[kind](key, line, reading)

    return build


def _value_subclass(found: Defined, line: Lineage, expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    from .special_forms import known_form

    for name, base, where in line.known:
        if name in _IGNORED_BASES or name.endswith(("Error", "Exception", "Warning")):
            continue
        arguments = None
        if isinstance(base, ast.Subscript):
            arguments = list(base.slice.elts) if isinstance(base.slice, ast.Tuple) else [base.slice]
        if name in SCALARS or name.startswith(("builtins.", "collections.")):
            if name == "datetime.timedelta":
                message = f"`{found.qualname}` is a timedelta that only its own constructor can make"
                return reading.refuse("unsupported-type", message, expression, scope, hint="Take a timedelta.")
            inner = known_form(name, arguments, base, where, reading)
            target = (found.module.name, found.qualname)
            return SubclassForm(form=inner, target=target, span=scope.module.span(expression))
        if name == "msgspec.Struct":
            message = f"`{found.qualname}` is a msgspec Struct, which this version does not read"
            return reading.refuse("unsupported-feature", message, expression, scope)
    message = (
        f"the class `{found.qualname}` of {found.module.name} has no JSON form: it is no dataclass, attrs class, "
        "NamedTuple, TypedDict, pydantic model or Enum"
    )
    foreign = reading.program.is_foreign(found.module.source.shown)
    hint = (
        "Take the values it is made from as parameters."
        if foreign
        else "Take the values it is made from as parameters, or make it a dataclass."
    )
    return reading.refuse("unsupported-type", message, expression, scope, hint=hint)


def class_kind(line: Lineage, reading: Reading) -> Kind | None:
    """Which kind of record or enumeration a class is, None for any other class."""
    for name, _, _ in line.known:
        if name in _BASES:
            return _BASES[name]
    for entry in line.entries:
        kind = decorated_kind(entry, reading)
        if kind is not None:
            return kind
    return None


def decorated_kind(entry: ClassEntry, reading: Reading) -> Kind | None:
    """Return the kind of record a class's own decorators make it."""
    found = class_decorator(entry, reading)
    return found[0] if found is not None else None


def class_decorator(entry: ClassEntry, reading: Reading) -> tuple[Kind, ast.expr] | None:
    """Return the decorator that makes a class a record, and its kind."""
    scope = Scope(module=entry.found.module, owners=entry.found.owners)
    for decorator in entry.node.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = reading.resolve(function, scope)
        if isinstance(found, Known) and found.name in _DECORATORS:
            return _DECORATORS[found.name], decorator
        if isinstance(found, Defined) and isinstance(found.binding.node, ast.FunctionDef):
            inner = Scope(module=found.module)
            for own in found.binding.node.decorator_list:
                marker = reading.resolve(own.func, inner) if isinstance(own, ast.Call) else None
                if isinstance(marker, Known) and marker.name == "typing.dataclass_transform":
                    return "dataclass", decorator
    return None


def lineage(found: Defined, arguments: tuple[Form, ...], reading: Reading) -> Lineage:
    """Return the class and everything it derives from, in the order in which attributes are looked up."""
    walk = _Walk(reading)
    walk.visit(found, arguments)
    last = {id(entry.node): position for position, entry in enumerate(walk.entries)}
    entries = tuple(entry for position, entry in enumerate(walk.entries) if last[id(entry.node)] == position)
    return Lineage(entries=entries, made=tuple(walk.made), known=tuple(walk.known), unknown=tuple(walk.unknown))


class _Walk:
    """Collects a lineage depth first; a class met twice counts at its last place."""

    __slots__ = ("_active", "_reading", "entries", "known", "made", "unknown")

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._active: set[int] = set()
        self.entries: list[ClassEntry] = []
        self.made: list[tuple[str, ast.Call, Scope]] = []
        self.known: list[tuple[str, ast.expr, Scope]] = []
        self.unknown: list[tuple[Unknown, ast.expr, Scope]] = []

    def visit(self, found: Defined, arguments: tuple[Form, ...]) -> None:
        node = found.binding.node
        if not isinstance(node, ast.ClassDef) or id(node) in self._active or len(self.entries) > _MAX_BASES:
            return
        outside = Scope(module=found.module, owners=found.owners)
        keys = parameters_of_class(node, outside, self._reading)
        key = DefinitionKey(module=found.module.name, qualname=found.qualname, arguments=arguments)
        around = replace(bind_arguments(keys, arguments, outside), parameters=type_parameters(node))
        inside = replace(around, owners=(*found.owners, node), self_form=NamedForm(key=key))
        self.entries.append(ClassEntry(found=found, node=node, scope=inside))
        self._active.add(id(node))
        for base in (*node.bases, *self._simple_enum_bases(node, outside)):
            self._base(base, around)
        self._active.discard(id(node))

    def _simple_enum_bases(self, node: ast.ClassDef, scope: Scope) -> list[ast.expr]:
        """Return the base that the standard library's own `@_simple_enum(Base)` gives a class."""
        bases: list[ast.expr] = []
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and decorator.args:
                found = self._reading.resolve(decorator.func, scope)
                if isinstance(found, Known) and found.name == "enum._simple_enum":
                    bases.append(decorator.args[0])
        return bases

    def _made(self, base: ast.expr, scope: Scope) -> bool:
        """Take a base that a call makes; False when it is none."""
        found = None if isinstance(base, ast.Call) else self._reading.resolve(base, scope)
        call = base if isinstance(base, ast.Call) else None
        if isinstance(found, Defined) and isinstance(found.binding.value, ast.Call):
            call, scope = found.binding.value, Scope(module=found.module, owners=found.owners)
        maker = self._reading.resolve(call.func, scope) if call is not None else None
        if call is None or not isinstance(maker, Known) or maker.name not in _MAKERS:
            return False
        self.made.append((maker.name, call, scope))
        self.known.append((_MAKERS[maker.name], base, scope))
        return True

    def _base(self, base: ast.expr, scope: Scope) -> None:
        if self._made(base, scope):
            return
        name = base.value if isinstance(base, ast.Subscript) else base
        found = self._reading.resolve(name, scope)
        if isinstance(found, Known):
            self.known.append((found.name, base, scope))
        elif isinstance(found, Unknown):
            self.unknown.append((found, base, scope))
        elif isinstance(found, Defined) and found.binding.kind == "class":
            arguments: tuple[Form, ...] = ()
            if isinstance(base, ast.Subscript):
                parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
                arguments = tuple(self._reading.form(part, scope.deeper()) for part in parts)
            self.visit(found, arguments)
        elif isinstance(found, Defined):
            self.unknown.append((Unknown(name=found.qualname, chain=("the base is computed",)), base, scope))
