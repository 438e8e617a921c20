"""Values that are known without running anything: defaults, constraint bounds, enumeration members, metadata.

Literals, arithmetic on them, module constants, enumeration members, and calls of value types whose constructors do
nothing but make a value. Everything else raises `Unevaluable`: nothing of the user's is ever executed.
"""

from __future__ import annotations

import ast
import math
import operator
from typing import TYPE_CHECKING, Any

from .constant_calls import CONSTANTS, RecordValue, Unevaluable, call_value
from .constant_json import to_json
from .forms import MISSING, MemberValue
from .reading import Reading, Scope
from .resolve import Defined, Known, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["RecordValue", "Unevaluable", "evaluate", "json_default"]

_MAX_DEPTH = 50
_MAX_BITS = 4096  # of an integer result; enough for every real constant and too little to exhaust memory
_MAX_LENGTH = 100_000  # characters or items of a repeated sequence
_SYSTEM = {"sys.maxsize": 2**63 - 1}  # the value of every 64-bit CPython

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}


def evaluate(
    expression: ast.expr, scope: Scope, reading: Reading, names: Mapping[str, Any] | None = None, depth: int = 0
) -> Any:
    """Return an expression's value, with `names` as known local names; raise Unevaluable when only a run could tell."""
    if depth > _MAX_DEPTH:
        raise Unevaluable("nested too deeply")
    return _Evaluator(scope, reading, names or {}, depth).value(expression)


def json_default(expression: ast.expr, scope: Scope, reading: Reading) -> Any:
    """Return the JSON form of a default's value, `MISSING` when it is not known or has none."""
    try:
        return to_json(evaluate(expression, scope, reading))
    except (Unevaluable, RecursionError):  # records whose defaults make records whose defaults make records …
        return MISSING


class _Evaluator:
    __slots__ = ("_depth", "_names", "_reading", "_scope")

    def __init__(self, scope: Scope, reading: Reading, names: Mapping[str, Any], depth: int) -> None:
        self._scope = scope
        self._reading = reading
        self._names = names
        self._depth = depth

    def value(self, node: ast.expr) -> Any:
        try:
            return self._value(node)
        except (ArithmeticError, TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise Unevaluable(str(error)) from None

    def _inner(self, node: ast.expr) -> Any:
        return evaluate(node, self._scope, self._reading, self._names, self._depth + 1)

    def _value(self, node: ast.expr) -> Any:  # noqa: C901 # one line per kind of expression reads best in one place
        match node:
            case ast.Constant(value=value) if value is not ...:
                return value
            case ast.Name() | ast.Attribute():
                return self._named(node)
            case ast.Tuple(elts=items):
                return tuple(self._items(items))
            case ast.List(elts=items):
                return self._items(items)
            case ast.Set(elts=items):
                return set(self._items(items))
            case ast.Dict():
                return self._dict(node)
            case ast.UnaryOp(op=op, operand=operand):
                return _UNARY[type(op)](_plain(self._inner(operand)))
            case ast.BinOp():
                return self._binary(node)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                return _COMPARISONS[type(op)](_plain(self._inner(left)), _plain(self._inner(right)))
            case ast.BoolOp() | ast.IfExp():
                return self._choice(node)
            case ast.JoinedStr(values=parts):
                return "".join(self._text(part) for part in parts)
            case ast.Subscript():
                return self._item(node)
            case ast.Call():
                return call_value(node, self._inner, self._scope, self._reading)
        raise Unevaluable(type(node).__name__)

    def _text(self, part: ast.expr) -> str:
        """Return a piece of an f-string; only texts and integers without a format are the same everywhere."""
        if isinstance(part, ast.FormattedValue) and part.format_spec is None and part.conversion == -1:
            part = part.value
        value = self._inner(part)
        if isinstance(value, str) or type(value) is int:
            return str(value)
        raise Unevaluable("a formatted value")

    def _items(self, items: list[ast.expr]) -> list[Any]:
        values: list[Any] = []
        for item in items:
            if isinstance(item, ast.Starred):
                values.extend(self._inner(item.value))
            else:
                values.append(self._inner(item))
        return values

    def _dict(self, node: ast.Dict) -> dict[Any, Any]:
        values: dict[Any, Any] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                values.update(self._inner(item))
            else:
                values[self._inner(key)] = self._inner(item)
        return values

    def _binary(self, node: ast.BinOp) -> Any:
        left, right = self._inner(node.left), self._inner(node.right)
        if isinstance(left, MemberValue) and isinstance(right, MemberValue) and left.key == right.key:
            if isinstance(node.op, ast.BitOr):
                return MemberValue(key=left.key, name=f"{left.name}|{right.name}", json=left.json | right.json)
            raise Unevaluable("members of an enumeration")
        left, right = _plain(left), _plain(right)
        _check_size(node.op, left, right)
        return _BINARY[type(node.op)](left, right)

    def _choice(self, node: ast.BoolOp | ast.IfExp) -> Any:
        if isinstance(node, ast.IfExp):
            return self._inner(node.body if self._inner(node.test) else node.orelse)
        value: Any = None
        for part in node.values:
            value = self._inner(part)
            if bool(value) is isinstance(node.op, ast.Or):
                return value
        return value

    def _item(self, node: ast.Subscript) -> Any:
        from .enums import enum_of

        found = self._reading.resolve(node.value, self._scope)
        if isinstance(found, Defined) and found.binding.kind == "class":
            definition = enum_of(found, self._reading)
            name = self._inner(node.slice)
            if definition is not None and isinstance(name, str):
                return MemberValue(key=definition.key, name=name, json=dict(definition.members)[name])
        container = self._inner(node.value)
        if isinstance(node.slice, ast.Slice):
            raise Unevaluable("a slice")
        return container[self._inner(node.slice)]

    def _named(self, node: ast.Name | ast.Attribute) -> Any:
        if isinstance(node, ast.Name) and node.id in self._names:
            return self._names[node.id]
        if isinstance(node, ast.Attribute) and node.attr in {"value", "name"}:
            member = self._member_part(node)
            if member is not None:
                return member
        found = self._reading.resolve(node, self._scope)
        if isinstance(found, Known) and found.name in CONSTANTS:
            return CONSTANTS[found.name]
        if isinstance(found, Unknown) and found.name in _SYSTEM:
            return _SYSTEM[found.name]
        if isinstance(found, Defined):
            return self._defined(found, node)
        raise Unevaluable("a name")

    def _member_part(self, node: ast.Attribute) -> Any:
        try:
            owner = self._inner(node.value)
        except Unevaluable:
            return None
        if not isinstance(owner, MemberValue):
            return None
        return owner.name if node.attr == "name" else owner.json

    def _defined(self, found: Defined, node: ast.expr) -> Any:
        if found.owners:
            from .enums import member_value

            member = member_value(found, self._reading)
            if member is not None:
                return member
        binding = found.binding
        if found.module is self._scope.module and not found.owners:
            # A default is evaluated where it stands: a later rebinding of the name does not count.
            history = [
                one for one in found.module.index.history.get(found.qualname, ()) if one.node.lineno < node.lineno
            ]
            binding = history[-1] if history else binding
        if binding.kind != "value" or binding.value is None or binding.undecided:
            raise Unevaluable(found.qualname)
        scope = Scope(module=found.module, owners=found.owners)
        return evaluate(binding.value, scope, self._reading, depth=self._depth + 1)


def _plain(value: Any) -> Any:
    if isinstance(value, MemberValue | RecordValue):
        raise Unevaluable("arithmetic on an object")
    return value


def _check_size(op: ast.operator, left: Any, right: Any) -> None:
    """Refuse results that could be huge before they are computed."""
    if isinstance(op, ast.Pow | ast.LShift) and isinstance(left, int) and isinstance(right, int):
        bits = right if isinstance(op, ast.LShift) else abs(left).bit_length() * right
        if right < 0 or abs(bits) > _MAX_BITS:
            raise Unevaluable("a large number")
    if isinstance(op, ast.Pow) and not isinstance(left, int):
        result = math.pow(left, right)
        if not math.isfinite(result):
            raise Unevaluable("a large number")
    if isinstance(op, ast.Mult):
        for sequence, count in ((left, right), (right, left)):
            is_sequence = isinstance(sequence, str | bytes | list | tuple)
            if is_sequence and isinstance(count, int) and len(sequence) * count > _MAX_LENGTH:
                raise Unevaluable("a long sequence")
    if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
        raise Unevaluable("string formatting")
