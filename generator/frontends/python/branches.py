"""Deciding `if` tests statically for the Python a server is built for.

Version, platform and `TYPE_CHECKING` tests have one answer for a target; everything else is undecidable (None), and the
caller then looks at both branches.
"""

from __future__ import annotations

import ast
import operator
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MAX_DEPTH = 20  # a chain of constants naming constants longer than this is not a version test
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_VERSION_PARTS = {"major": 0, "minor": 1, "micro": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The Python the source is read for: its version and platform, as `sys` would tell them."""

    version: tuple[int, int, int] = sys.version_info[:3]
    platform: str = sys.platform

    @property
    def os_name(self) -> str:
        """`os.name` on the target's platform."""
        return "nt" if self.platform == "win32" else "posix"


class Undecidable(Exception):  # it is control flow inside this module, not an error
    """The expression has no value that is known statically."""


class BranchReader:
    """Answers `if` tests with the imports and constants seen so far in one module."""

    __slots__ = ("_constants", "_imports", "_target")

    def __init__(self, target: Target, imports: Mapping[str, str], constants: Mapping[str, ast.expr]) -> None:
        self._target = target
        self._imports = imports
        self._constants = constants

    def truth(self, test: ast.expr) -> bool | None:
        """Whether the test holds on the target, or None when only a run could tell."""
        try:
            return bool(self._value(test, 0))
        except (Undecidable, TypeError, IndexError):
            return None

    def is_type_checking(self, test: ast.expr) -> bool:
        """Whether the test is exactly `TYPE_CHECKING` in one of its spellings."""
        return self.dotted(test) in {"typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"} or (
            isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
        )

    def dotted(self, node: ast.expr) -> str | None:
        """Return the full name an attribute path has through the module's imports, None without one."""
        if isinstance(node, ast.Name):
            return self._imports.get(node.id)
        if isinstance(node, ast.Attribute):
            parent = self.dotted(node.value)
            return f"{parent}.{node.attr}" if parent else None
        return None

    def _value(self, node: ast.expr, depth: int) -> object:
        if depth > _MAX_DEPTH:
            raise Undecidable
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return tuple(self._value(item, depth + 1) for item in items)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._value(operand, depth + 1)
            case ast.BoolOp():
                return self._boolean(node, depth)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return bool(_COMPARISONS[type(op)](self._value(left, depth + 1), self._value(right, depth + 1)))
            case ast.Subscript():
                return self._item(node, depth)
            case ast.Call(func=ast.Attribute(value=inner, attr="startswith"), args=[argument]):
                return str(self._value(inner, depth + 1)).startswith(str(self._value(argument, depth + 1)))
            case ast.Name() | ast.Attribute():
                return self._named(node, depth)
        raise Undecidable

    def _boolean(self, node: ast.BoolOp, depth: int) -> bool:
        decisive = isinstance(node.op, ast.Or)
        undecided = False
        for operand in node.values:
            try:
                if bool(self._value(operand, depth + 1)) is decisive:
                    return decisive
            except Undecidable:
                undecided = True
        if undecided:
            raise Undecidable
        return not decisive

    def _item(self, node: ast.Subscript, depth: int) -> object:
        value = self._value(node.value, depth + 1)
        if not isinstance(value, tuple | str):
            raise Undecidable
        if not isinstance(node.slice, ast.Slice):
            index = self._value(node.slice, depth + 1)
            if isinstance(index, int):
                return value[index]
            raise Undecidable
        bounds: list[Any] = [
            None if part is None else self._value(part, depth + 1) for part in (node.slice.lower, node.slice.upper)
        ]
        return value[slice(*bounds)]

    def _named(self, node: ast.expr, depth: int) -> object:
        dotted = self.dotted(node)
        known: dict[str, object] = {
            "sys.version_info": self._target.version,
            "sys.platform": self._target.platform,
            "os.name": self._target.os_name,
            "sys.implementation.name": "cpython",
        }
        if dotted in known:
            return known[dotted]
        if isinstance(node, ast.Attribute) and node.attr in _VERSION_PARTS:
            value = self._value(node.value, depth + 1)
            if value == self._target.version:
                return self._target.version[_VERSION_PARTS[node.attr]]
        if isinstance(node, ast.Name) and node.id in self._constants:
            return self._value(self._constants[node.id], depth + 1)
        if self.is_type_checking(node):
            return True
        raise Undecidable
