"""Type variables without an argument: their constraints, their bound, their default, or anything.

A PEP 695 parameter is a node of its scope; a `TypeVar` is a module-level value. Both say the same things.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from .forms import AnyForm, Form, union
from .reading import Reading, Scope, type_parameters
from .resolve import Defined, Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def pep695_form(parameter: ast.AST, scope: Scope, reading: Reading) -> Form:
    """Return the form of a PEP 695 parameter that has no argument."""
    default = getattr(parameter, "default_value", None)
    bound = getattr(parameter, "bound", None)
    if isinstance(bound, ast.Tuple):
        return union(tuple(reading.form(part, scope.deeper()) for part in bound.elts))
    for expression in (bound, default):
        if isinstance(expression, ast.expr):
            return reading.form(expression, scope.deeper())
    return AnyForm()


def type_var_form(call: ast.Call, found: Defined, reading: Reading) -> Form:
    """Return the form of a `TypeVar(...)` that has no argument."""
    scope = Scope(module=found.module)
    if len(call.args) > 1:
        return union(tuple(reading.form(part, scope) for part in call.args[1:]))
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    for name in ("bound", "default"):
        value = keywords.get(name)
        if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            return reading.form(value, scope)
    return AnyForm()


def variable_name(found: Defined) -> str:
    """Return the key under which a TypeVar's argument is kept in a scope."""
    return f"{found.module.name}:{found.qualname}"


def type_var_of(expression: ast.expr, scope: Scope, reading: Reading) -> tuple[str, ast.Call] | None:
    """Return the key and the call of the TypeVar (or TypeVarTuple, ParamSpec) a name stands for, or None."""
    found = reading.resolve(expression, scope)
    if not isinstance(found, Defined) or not isinstance(found.binding.value, ast.Call):
        return None
    made = reading.resolve(found.binding.value.func, Scope(module=found.module))
    if isinstance(made, Known) and made.name in {"typing.TypeVar", "typing.TypeVarTuple", "typing.ParamSpec"}:
        return variable_name(found), found.binding.value
    return None


def variables_in(expressions: Iterable[ast.expr], scope: Scope, reading: Reading) -> list[str]:
    """Return the keys of the TypeVars that expressions use, in order of first use."""
    keys: dict[str, None] = {}
    for expression in expressions:
        for node in _names(expression):
            found = type_var_of(node, scope, reading)
            if found is not None:
                keys[found[0]] = None
    return list(keys)


def parameters_of_class(node: ast.ClassDef, scope: Scope, reading: Reading) -> list[str]:
    """Return the keys of a class's type parameters in order: PEP 695, `Generic[...]`, or as its bases use them."""
    own = type_parameters(node)
    if own:
        return list(own)
    for base in node.bases:
        if isinstance(base, ast.Subscript):
            found = reading.resolve(base.value, scope)
            if isinstance(found, Known) and found.name in {"typing.Generic", "typing.Protocol"}:
                return variables_in([base.slice], scope, reading)
    return variables_in(node.bases, scope, reading)


def bind_arguments(keys: list[str], arguments: tuple[Form, ...], scope: Scope) -> Scope:
    """Return a scope in which the variables stand for the arguments; missing arguments leave a variable free."""
    bound = dict(zip(keys, arguments, strict=False))
    return replace(scope, variables={**scope.variables, **bound})


def _names(expression: ast.expr) -> Iterator[ast.expr]:
    """Every name and attribute path in an expression, in source order."""
    if isinstance(expression, ast.Name | ast.Attribute):
        yield expression
        return
    for child in ast.iter_child_nodes(expression):
        if isinstance(child, ast.expr):
            yield from _names(child)
