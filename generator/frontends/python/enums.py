"""Enumerations: members by value, by name where a value is no JSON scalar, flags as a mask."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any

from .classes import ClassEntry, Lineage, class_kind, lineage
from .constants import Unevaluable, evaluate
from .fields import class_description
from .forms import DefinitionKey, EnumDefinition, MemberValue
from .resolve import Defined, Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .reading import Reading

_FLAGS = frozenset({"enum.Flag", "enum.IntFlag"})
_MAX_MEMBERS = 10_000  # members of one enumeration


class _Stand:
    """Stands in for a value."""


_OPAQUE = _Stand()
"""Stands for a value that exists but is no JSON scalar."""

_UNREADABLE = _Stand()
"""Stands for a value that only a run could tell."""

_NOT_A_MEMBER = _Stand()


def enum_definition(key: DefinitionKey, line: Lineage, reading: Reading) -> EnumDefinition:
    """Read an enumeration class."""
    members, aliases, automatic = _Members(line, reading).read()
    entry = line.entries[0]
    unknown = tuple(name for name, value in members.items() if value is _UNREADABLE)
    span = entry.found.module.span(entry.node)
    description = class_description(entry.node)
    if line.base(_FLAGS) is not None:
        mask = 0
        for value in members.values():
            mask |= value if isinstance(value, int) and value > 0 else 0
        return EnumDefinition(
            key=key,
            members=tuple(members.items()),
            unknown=unknown,
            by="value",
            mask=mask,
            aliases=tuple(aliases.items()),
            description=description,
            span=span,
        )
    by_value = all(is_scalar(value) for value in members.values())
    return EnumDefinition(
        key=key,
        members=tuple((name, value if by_value else name) for name, value in members.items()),
        by="value" if by_value else "name",
        unknown=unknown,
        opaque=by_value and automatic,
        aliases=tuple(aliases.items()),
        description=description,
        span=span,
    )


def enum_of(found: Defined, reading: Reading) -> EnumDefinition | None:
    """Return the definition of a class that is an enumeration with members, None for any other."""
    key = DefinitionKey(module=found.module.name, qualname=found.qualname)
    if key in reading.building:
        return None
    if key not in reading.definitions:
        line = lineage(found, (), reading)
        if class_kind(line, reading) != "enum":
            return None
        reading.building.add(key)
        try:
            reading.definitions[key] = enum_definition(key, line, reading)
        finally:
            reading.building.discard(key)
        reading.builders.setdefault(key, lambda: reading.definitions[key])
    definition = reading.definitions[key]
    return definition if isinstance(definition, EnumDefinition) else None


def member_value(found: Defined, reading: Reading) -> MemberValue | None:
    """Return the member a name in a class body stands for, None when the class is no enumeration."""
    owner = found.owners[-1]
    qualname = found.qualname.rpartition(".")[0]
    index = (
        found.module.index if len(found.owners) == 1 else reading.program.class_index(found.owners[-2], found.module)
    )
    binding = index.names.get(owner.name)
    if binding is None or binding.node is not owner:
        return None
    definition = enum_of(
        Defined(module=found.module, qualname=qualname, binding=binding, owners=found.owners[:-1]), reading
    )
    if definition is None:
        return None
    name = dict(definition.aliases).get(found.binding.name, found.binding.name)
    values = dict(definition.members)
    return MemberValue(key=definition.key, name=name, json=values[name]) if name in values else None


class _Members:
    """Reads the members of a class body in order, giving `auto()` the value Python would."""

    __slots__ = ("_aliases", "_automatic", "_entry", "_line", "_members", "_reading", "_taken")

    def __init__(self, line: Lineage, reading: Reading) -> None:
        self._line = line
        self._entry: ClassEntry = line.entries[0]
        self._reading = reading
        self._members: dict[str, Any] = {}
        self._aliases: dict[str, str] = {}
        self._taken: dict[str, Any] = {}
        self._automatic = 0

    def read(self) -> tuple[dict[str, Any], dict[str, str], bool]:
        """Members by name, aliases by name, and whether every value is an integer made by `auto()`."""
        custom = _value_position(self._entry.node)
        for name, expression in _assignments(self._entry.node):
            if len(self._taken) >= _MAX_MEMBERS:
                break
            value = self._value(name, expression)
            if value is _NOT_A_MEMBER:
                continue
            if custom is not None and isinstance(value, tuple) and custom < len(value):
                value = value[custom]
            self._add(name, value)
        return self._members, self._aliases, bool(self._members) and self._automatic == len(self._members)

    def _add(self, name: str, value: Any) -> None:
        self._taken[name] = value
        for other, known in self._members.items():
            if not isinstance(value, _Stand) and not isinstance(known, _Stand) and known == value:
                self._aliases[name] = other
                return
        self._members[name] = value

    def _value(self, name: str, expression: ast.expr) -> Any:
        if isinstance(expression, ast.Call):
            found = self._reading.resolve(expression.func, self._entry.scope)
            made = found.name if isinstance(found, Known) else ""
            if made == "enum.auto":
                return self._auto(name)
            if made == "enum.nonmember" or made.startswith("functools."):
                return _NOT_A_MEMBER
            if made == "enum.member" and expression.args:
                return self._value(name, expression.args[0])
        if isinstance(expression, ast.Lambda):
            return _NOT_A_MEMBER
        if isinstance(expression, ast.Tuple) and any(
            _is_auto(part, self._entry, self._reading) for part in expression.elts
        ):
            return _OPAQUE
        try:
            value = evaluate(expression, self._entry.scope, self._reading, self._taken)
        except Unevaluable:
            return self._unevaluable(expression)
        return self._mixed(value)

    def _unevaluable(self, expression: ast.expr) -> Any:
        """Tell what an expression without a known value makes: an object, no member at all, or something unreadable."""
        if isinstance(expression, ast.Tuple | ast.List | ast.Dict | ast.Set):
            return _OPAQUE
        called = expression.func if isinstance(expression, ast.Call) else expression
        found = self._reading.resolve(called, self._entry.scope)
        if isinstance(expression, ast.Call):
            is_class = isinstance(found, Known) or (isinstance(found, Defined) and found.binding.kind == "class")
            return _OPAQUE if is_class else _UNREADABLE
        if isinstance(found, Defined) and found.binding.kind in {"function", "class"}:
            return _NOT_A_MEMBER
        return _UNREADABLE

    def _mixed(self, value: Any) -> Any:
        """Return the value a mixed-in type makes of what was written: `class C(float, Enum): A = 1` has 1.0."""
        if self._line.base(frozenset({"builtins.str", "enum.StrEnum"})) and isinstance(value, int | float):
            return str(value)
        if self._line.base(frozenset({"builtins.float"})) and isinstance(value, int):
            return float(value)
        return value

    def _auto(self, name: str) -> Any:
        custom = _generated(self._line)
        if custom is not None:
            return {"name": name, "lower": name.lower(), "upper": name.upper()}.get(custom, _OPAQUE)
        if self._line.base(frozenset({"enum.StrEnum"})):
            return name.lower()
        numbers = [value for value in self._taken.values() if isinstance(value, int)]
        if self._line.base(_FLAGS):
            return 1 << max(numbers).bit_length() if numbers and max(numbers) > 0 else 1
        self._automatic += 1
        return self._mixed(max(numbers) + 1 if numbers else 1)


def _assignments(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    ignored = _ignored(node)
    for statement in node.body:
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                    pairs.extend(zip(target.elts, statement.value.elts, strict=False))
                else:
                    pairs.append((target, statement.value))
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            pairs.append((statement.target, statement.value))
        for target, value in pairs:
            if isinstance(target, ast.Name) and not _is_reserved(target.id) and target.id not in ignored:
                yield target.id, value


def _is_reserved(name: str) -> bool:
    """Whether an enumeration keeps a name to itself: `_sunder_`, `__dunder__` and `__private` names are no members."""
    return name.startswith("__") or (name.startswith("_") and name.endswith("_"))


def _ignored(node: ast.ClassDef) -> frozenset[str]:
    """Return the names in `_ignore_`."""
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="_ignore_")], value=ast.Constant(value=str(text))):
                return frozenset(text.replace(",", " ").split())
            case ast.Assign(targets=[ast.Name(id="_ignore_")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                return frozenset(str(item.value) for item in items if isinstance(item, ast.Constant))
    return frozenset()


def _generated(line: Lineage) -> str | None:
    """Return what the class's own `_generate_next_value_` gives: name, lower, upper, or "" when it cannot be told."""
    for entry in line.entries:
        for statement in entry.node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "_generate_next_value_":
                return _returned(statement)
    return None


def _returned(function: ast.FunctionDef) -> str:
    parameters = [argument.arg for argument in function.args.args]
    last = function.body[-1]
    match last:
        case ast.Return(value=ast.Name(id=name)) if parameters and name == parameters[0]:
            return "name"
        case ast.Return(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="lower" | "upper" as how), args=[])
        ):
            return how if parameters and name == parameters[0] else ""
    return ""


def _value_position(node: ast.ClassDef) -> int | None:
    """Which part of a tuple a `__new__` makes the member's value (`obj._value_ = part`), None without one."""
    for statement in node.body:
        if not isinstance(statement, ast.FunctionDef) or statement.name != "__new__":
            continue
        parameters = [argument.arg for argument in statement.args.args[1:]]
        for part in ast.walk(statement):
            match part:
                case ast.Assign(targets=[ast.Attribute(attr="_value_")], value=ast.Name(id=name)) if name in parameters:
                    return parameters.index(name)
    return None


def _is_auto(expression: ast.expr, entry: ClassEntry, reading: Reading) -> bool:
    if not isinstance(expression, ast.Call):
        return False
    found = reading.resolve(expression.func, entry.scope)
    return isinstance(found, Known) and found.name == "enum.auto"


def is_scalar(value: Any) -> bool:
    """Whether a value is a JSON scalar."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int | str)
