"""Whether a decorator hands on the signature of the function it wraps, read from the decorator's own source.

It does when its annotations say so (one type in and out, one ParamSpec on both sides), when it returns the function
itself, or when the function it returns is made with `functools.wraps` or takes exactly `*args, **kwargs`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .resolve import Defined, Known, Resolution, Resolver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .program import Module

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_WRAPS = frozenset({"functools.wraps", "functools.update_wrapper", "wrapt.decorator", "decorator.decorator"})
_DRESSES = frozenset({"update_wrapper", "cast", "partial", "partialmethod"})
"""Calls that give back the function they are given."""

_MAX_DEPTH = 4
"""Factories of factories of decorators; deeper ones are not followed."""


def keeps_signature(found: Resolution | None, resolver: Resolver, *, called: bool) -> bool:
    """Whether a decorator that resolved to `found` is transparent; `called` when it stands with arguments."""
    if not isinstance(found, Defined) or not isinstance(found.binding.node, _Function):
        return False
    node = found.binding.node
    if any(_name(each, found.module, resolver) in _WRAPS for each in node.decorator_list):
        return True
    return _function(node, found.module, resolver, called=called, depth=0)


def supplied_parameters(found: Resolution | None, *, called: bool) -> int:
    """Return how many leading arguments a decorator gives itself: `(Callable[Concatenate[A, P], R]) -> Callable[P, R]`.

    None of them is a client's. That it gives more to the outside is no case of this: 0.
    """
    if not isinstance(found, Defined) or not isinstance(found.binding.node, _Function):
        return 0
    node = found.binding.node
    decorators = returned_functions(node) if called else [node]
    counts = {_concatenated(each) for each in decorators}
    return max(counts.pop(), 0) if len(counts) == 1 else 0


def _concatenated(node: _Function) -> int:
    """Return how many arguments `Concatenate` has more before than after decorating."""
    first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
    if first is None or first.annotation is None or node.returns is None:
        return 0
    inside, outside = _leading(first.annotation), _leading(node.returns)
    return inside[0] - outside[0] if inside is not None and outside is not None and inside[1] == outside[1] else 0


def _leading(annotation: ast.expr) -> tuple[int, str] | None:
    """Return the number of types before the ParamSpec in `Callable[Concatenate[A, P], R]`, and the ParamSpec."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError):
            return None
    if not (isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple)):
        return None
    match annotation.slice.elts[:1]:
        case [ast.Name(id=name)]:
            return 0, name
        case [
            ast.Subscript(
                value=ast.Name(id="Concatenate") | ast.Attribute(attr="Concatenate"), slice=ast.Tuple() as inner
            )
        ]:
            last = inner.elts[-1] if inner.elts else None
            return (len(inner.elts) - 1, last.id) if isinstance(last, ast.Name) else None
    return None


def returned_functions(node: _Function) -> list[_Function]:
    """Return the functions defined inside a function that it returns, as themselves or wrapped in a call."""
    nested = {each.name: each for each in own_statements(node) if isinstance(each, _Function)}
    names = (name for value in _returned(node) for name in _names_of(value))
    return [nested[name] for name in dict.fromkeys(names) if name in nested]


def makes_functions(node: _Function) -> bool:
    """Whether a function returns one that is defined inside it; what a call of such a helper gives is data."""
    nested = {each.name for each in own_statements(node) if isinstance(each, _Function)}
    return bool(nested) and any(_hands_out(value, nested) for value in _returned(node))


def own_statements(node: _Function) -> Iterator[ast.stmt]:
    """Yield the statements of a function, those of blocks included, those of nested functions and classes not."""
    pending = list(reversed(node.body))
    while pending:
        statement = pending.pop()
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner: list[ast.stmt] = []
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            for part in getattr(statement, name, []):
                inner.extend([part] if isinstance(part, ast.stmt) else part.body)
        pending.extend(reversed(inner))


def _hands_out(value: ast.expr, nested: set[str]) -> bool:
    """Whether a returned value is an inner function: by name, or dressed by `wraps(f)(inner)`, `cast(F, inner)`."""
    if isinstance(value, ast.Name):
        return value.id in nested
    if isinstance(value, ast.IfExp):
        return _hands_out(value.body, nested) or _hands_out(value.orelse, nested)
    if isinstance(value, ast.Call):
        function = value.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        dresses = isinstance(function, ast.Call) or name in _DRESSES
        return dresses and any(isinstance(each, ast.Name) and each.id in nested for each in value.args)
    return False


def _returned(node: _Function) -> list[ast.expr]:
    return [each.value for each in own_statements(node) if isinstance(each, ast.Return) and each.value is not None]


def _function(node: _Function, module: Module, resolver: Resolver, *, called: bool, depth: int) -> bool:
    """Whether a function, as a decorator or (called) as a maker of decorators, keeps signatures."""
    if depth > _MAX_DEPTH:
        return False
    if _annotated_through(node):
        return True
    if not called and _concatenated(node):
        return False  # it gives or asks for arguments of its own, whatever `wraps` says
    values = _returned(node)
    if not values:
        return False
    if called:
        inner = returned_functions(node)
        return bool(inner) and all(_function(each, module, resolver, called=False, depth=depth + 1) for each in inner)
    return all(_value(value, node, module, resolver, depth) or _is_deferred(value, values, node) for value in values)


def _value(value: ast.expr, node: _Function, module: Module, resolver: Resolver, depth: int) -> bool:
    """Whether a returned value has the signature of the wrapped function."""
    wrapped = _first_parameter(node)
    nested = {each.name: each for each in own_statements(node) if isinstance(each, _Function)}
    if isinstance(value, ast.Name):
        if value.id == wrapped:
            return True
        return value.id in nested and _is_wrapper(nested[value.id], module, resolver)
    if isinstance(value, ast.Call):
        inner = value.func.func if isinstance(value.func, ast.Call) else value.func
        if _name(inner, module, resolver) in _WRAPS:
            return True
        if isinstance(value.func, ast.Name) and value.func.id in nested:
            return _function(nested[value.func.id], module, resolver, called=False, depth=depth + 1)
    return False


def _is_deferred(value: ast.expr, values: list[ast.expr], node: _Function) -> bool:
    """Whether this is the `return wrap` of a decorator with optional arguments, beside a `return wrap(function)`."""
    wrapped = _first_parameter(node)
    return isinstance(value, ast.Name) and any(
        isinstance(other, ast.Call)
        and isinstance(other.func, ast.Name)
        and other.func.id == value.id
        and [each.id for each in other.args if isinstance(each, ast.Name)] == [wrapped]
        for other in values
    )


def _is_wrapper(node: _Function, module: Module, resolver: Resolver) -> bool:
    """Whether an inner function is marked with `wraps`, or takes and passes whatever it gets."""
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if _name(target, module, resolver) in _WRAPS:
            return True
    arguments = node.args
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return not named and arguments.vararg is not None and arguments.kwarg is not None


def _annotated_through(node: _Function) -> bool:
    """Whether the annotations say that what goes in comes out: `(F) -> F`, or `Callable[P, R] -> Callable[P, S]`."""
    first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
    if first is None or first.annotation is None or node.returns is None:
        return False
    if ast.dump(first.annotation) == ast.dump(node.returns):
        return isinstance(first.annotation, ast.Name) or _callable_parameters(first.annotation) is not None
    parameters = _callable_parameters(first.annotation)
    return parameters is not None and parameters == _callable_parameters(node.returns)


def _callable_parameters(annotation: ast.expr) -> str | None:
    """Return the name between the brackets of `Callable[P, R]`; None for a list of types, `...` or another type."""
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple) and annotation.slice.elts:
        first = annotation.slice.elts[0]
        return first.id if isinstance(first, ast.Name) else None
    return None


def _first_parameter(node: _Function) -> str | None:
    first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
    return first.arg if first is not None else None


def _names_of(value: ast.expr) -> list[str]:
    """Return the names a returned value may be: itself, or what stands as function or argument of a call."""
    if isinstance(value, ast.Name):
        return [value.id]
    if isinstance(value, ast.Call):
        return [each.id for each in (value.func, *value.args) if isinstance(each, ast.Name)]
    if isinstance(value, ast.IfExp):
        return [*_names_of(value.body), *_names_of(value.orelse)]
    return []


def _name(node: ast.expr, module: Module, resolver: Resolver) -> str:
    found = resolver.expression(node, module)
    if isinstance(found, Defined):
        return f"{found.module.name}.{found.qualname}"
    return found.name if isinstance(found, Known) else getattr(found, "name", "")
