"""`Literal[...]`: scalars by type and value, bytes, members of enumerations, nested literals."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from .forms import Form, LiteralForm, MemberValue
from .resolve import Defined, Unknown

if TYPE_CHECKING:
    from .reading import Reading, Scope


def literal_form(arguments: list[ast.expr], expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    """Return the form of a Literal with these arguments."""
    values: list[Any] = []
    for argument in arguments:
        found = _values(argument, scope, reading)
        if isinstance(found, Form):
            return found
        values.extend(value for value in found if not any(_same(value, other) for other in values))
    if any(isinstance(value, bytes) for value in values) and not all(isinstance(value, bytes) for value in values):
        message = "a Literal that mixes bytes with other values has no JSON form"
        return reading.refuse("unsupported-type", message, expression, scope)
    return LiteralForm(values=tuple(values), span=scope.module.span(expression))


def _values(argument: ast.expr, scope: Scope, reading: Reading) -> list[Any] | Form:
    match argument:
        case ast.Constant(value=None | bool() | int() | str() | bytes() as value):
            return [value]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if not isinstance(number, bool):
            return [-number]
        case ast.UnaryOp(op=ast.UAdd(), operand=ast.Constant(value=int(number))) if not isinstance(number, bool):
            return [number]
        case ast.Tuple(elts=items):
            return _all(items, scope, reading)
        case ast.Name() | ast.Attribute():
            member = _member(argument, scope, reading)
            if member is not None:
                return member
    if isinstance(argument, ast.Name | ast.Attribute | ast.Subscript):
        form = reading.form(argument, scope.deeper())
        if isinstance(form, LiteralForm):
            return list(form.values)
    from .annotations import source_of

    message = f"`{source_of(argument)}` cannot stand in a Literal"
    return reading.refuse("unsupported-type", message, argument, scope)


def _all(items: list[ast.expr], scope: Scope, reading: Reading) -> list[Any] | Form:
    values: list[Any] = []
    for item in items:
        found = _values(item, scope, reading)
        if isinstance(found, Form):
            return found
        values.extend(found)
    return values


def _member(argument: ast.expr, scope: Scope, reading: Reading) -> list[MemberValue] | Form | None:
    found = reading.resolve(argument, scope)
    if isinstance(found, Unknown):
        from .annotations import unresolved

        return unresolved(found, argument, scope, reading)
    if not isinstance(found, Defined) or not found.owners:
        return None
    from .enums import member_value

    member = member_value(found, reading)
    return [member] if member is not None else None


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
