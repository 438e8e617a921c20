"""Arrays, tuples and mappings, abstract and concrete."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from .forms import AnyForm, ArrayForm, DictForm, Form, ScalarForm, TupleForm, UnionForm
from .resolve import Known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .reading import Reading, Scope

_ARRAYS: Mapping[str, str] = {
    "builtins.list": "list",
    "builtins.set": "set",
    "builtins.frozenset": "frozenset",
    "collections.deque": "deque",
    **{f"collections.abc.{name}": "list" for name in ("Iterable", "Collection", "Sequence", "MutableSequence")},
    **{f"collections.abc.{name}": "list" for name in ("Reversible", "Container", "ValuesView")},
    **{f"collections.abc.{name}": "set" for name in ("Set", "MutableSet", "KeysView")},
    **{f"collections.abc.{name}": "iterator" for name in ("Iterator", "Generator")},
    **{f"collections.abc.{name}": "iterator" for name in ("AsyncIterable", "AsyncIterator", "AsyncGenerator")},
}
_DICTS: Mapping[str, str] = {
    "builtins.dict": "dict",
    "collections.abc.Mapping": "dict",
    "collections.abc.MutableMapping": "dict",
    "collections.OrderedDict": "OrderedDict",
    "collections.defaultdict": "defaultdict",
    "collections.Counter": "Counter",
    "collections.ChainMap": "ChainMap",
}


_COUNTS: Mapping[str, tuple[int, int]] = {
    "collections.abc.Generator": (1, 3),
    "collections.abc.AsyncGenerator": (1, 2),
    "collections.Counter": (1, 1),
    "collections.abc.ItemsView": (2, 2),
}
"""Fewest and most type arguments, where it is not one for an array and two for a mapping."""


def container_form(
    name: str, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form | None:
    """Return the form of a container type, None when the name is none."""
    span = scope.module.span(expression)
    problem = _wrong_count(name, arguments, expression, scope, reading)
    if problem is not None:
        return problem
    kind: Any = _ARRAYS.get(name)
    if kind is not None:
        item = reading.form(arguments[0], scope.deeper()) if arguments else AnyForm()
        return ArrayForm(kind=kind, item=item, span=span)
    if name == "builtins.tuple":
        return _tuple(arguments, expression, scope, reading)
    if name == "collections.abc.ItemsView":
        pair = tuple(reading.form(argument, scope.deeper()) for argument in arguments or ())
        return ArrayForm(kind="list", item=TupleForm(prefix=pair) if pair else AnyForm(), span=span)
    kind = _DICTS.get(name)
    if kind is None:
        return None
    forms = [reading.form(argument, scope.deeper()) for argument in arguments or ()]
    key = forms[0] if forms else AnyForm()
    value = forms[1] if len(forms) > 1 else AnyForm()
    if kind == "Counter":
        value = ScalarForm(kind="builtins.int")
    problem = _bad_key(key, expression, scope, reading)
    return problem or DictForm(kind=kind, key=key, value=value, span=span)


def _wrong_count(
    name: str, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form | None:
    """Refuse `list[int, str]` and `dict[str]`: the type that was meant cannot be told."""
    wanted = _COUNTS.get(name) or ((1, 1) if name in _ARRAYS else (2, 2) if name in _DICTS else None)
    if arguments is None or wanted is None or wanted[0] <= len(arguments) <= wanted[1]:
        return None
    shown, number = name.rpartition(".")[2], "1 type argument" if wanted[1] == 1 else f"{wanted[1]} type arguments"
    hint = "Write a union, `list[int | str]`, or a tuple." if len(arguments) > wanted[1] else None
    return reading.refuse(
        "unsupported-type", f"`{shown}` takes {number}, not {len(arguments)}", expression, scope, hint=hint
    )


def _bad_key(key: Form, expression: ast.expr, scope: Scope, reading: Reading) -> Form | None:
    """JSON objects have text keys: containers cannot be keys."""
    arms = key.arms if isinstance(key, UnionForm) else (key,)
    if any(isinstance(arm, ArrayForm | TupleForm | DictForm) for arm in arms):
        message = "a mapping whose keys are containers has no JSON form"
        return reading.refuse("unsupported-type", message, expression, scope, hint="Take a list of pairs.")
    return None


def _tuple(arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    span = scope.module.span(expression)
    if arguments is None:
        return ArrayForm(kind="tuple", item=AnyForm(), span=span)
    if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple) and not arguments[0].elts:
        return TupleForm(prefix=(), span=span)
    if len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is ...:  # `T, ...`
        return ArrayForm(kind="tuple", item=reading.form(arguments[0], scope.deeper()), span=span)
    prefix: list[Form] = []
    rest: Form | None = None
    suffix: list[Form] = []
    for argument in arguments:
        spread = _spread(argument, scope, reading)
        if spread is None:
            (suffix if rest is not None else prefix).append(reading.form(argument, scope.deeper()))
            continue
        inner = reading.form(spread, scope.deeper())
        if isinstance(inner, TupleForm) and inner.rest is None:
            (suffix if rest is not None else prefix).extend(inner.prefix)
        elif rest is not None:
            message = "a tuple with two parts of open length"
            return reading.refuse("unsupported-type", message, expression, scope)
        elif isinstance(inner, TupleForm):
            prefix.extend(inner.prefix)
            rest, suffix = inner.rest, list(inner.suffix)
        else:
            rest = inner.item if isinstance(inner, ArrayForm) else AnyForm()
    if not prefix and not suffix and rest is not None:
        return ArrayForm(kind="tuple", item=rest, span=span)
    return TupleForm(prefix=tuple(prefix), rest=rest, suffix=tuple(suffix), span=span)


def _spread(argument: ast.expr, scope: Scope, reading: Reading) -> ast.expr | None:
    """Return what `*X` or `Unpack[X]` spreads, None for an ordinary argument."""
    if isinstance(argument, ast.Starred):
        return argument.value
    if isinstance(argument, ast.Subscript):
        found = reading.resolve(argument.value, scope) if isinstance(argument.value, ast.Name | ast.Attribute) else None
        if isinstance(found, Known) and found.name == "typing.Unpack":
            return argument.slice
    return None
