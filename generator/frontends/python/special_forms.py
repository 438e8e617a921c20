"""Known symbols as annotations: typing's special forms, containers, value types, and what no client can supply."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import containers
from .annotated import annotated_form
from .forms import (
    NEVER,
    AnyForm,
    AwaitableForm,
    ConstrainedForm,
    Constraints,
    ContentForm,
    ContextForm,
    Form,
    NoneForm,
    ScalarForm,
    UnsuppliableForm,
    union,
)
from .known import CONTENT_TYPES, CONTEXTS
from .literals import literal_form
from .pydantic_types import pydantic_form
from .reading import Reading, Scope, note
from .scalars import SCALARS

if TYPE_CHECKING:
    from ...diagnostics.model import Span

Handler = Callable[[list[ast.expr], ast.expr, Scope, Reading], Form]

_ANY = {"typing.Any", "builtins.object", "pydantic.JsonValue"}
_NEVER = {"typing.NoReturn", "typing.Never"}
_LOOSE = {"collections.abc.Hashable": "anything that can be hashed", "collections.abc.Sized": "anything with a length"}
_UNSUPPLIABLE: Mapping[str, str] = {
    "collections.abc.Callable": "a callable",
    "builtins.type": "a class",
    "typing.TypeForm": "a type",
    "types.ModuleType": "a module",
    "types.FunctionType": "a function",
    "types.MethodType": "a method",
    "types.TracebackType": "a traceback",
    "types.CodeType": "a code object",
    "typing.IO": "an open file",
    "typing.TextIO": "an open file",
    "typing.BinaryIO": "an open file",
    "pydantic.ImportString": "an imported object",
}
_SUPPORTS: Mapping[str, str] = {
    "typing.SupportsInt": "numbers.Real",
    "typing.SupportsFloat": "numbers.Real",
    "typing.SupportsAbs": "numbers.Real",
    "typing.SupportsRound": "numbers.Real",
    "typing.SupportsComplex": "numbers.Real",
    "typing.SupportsIndex": "builtins.int",
    "typing.SupportsBytes": "builtins.bytes",
    "collections.abc.ByteString": "builtins.bytes",
    "collections.abc.Buffer": "builtins.bytes",
    "typing.TypeGuard": "builtins.bool",
    "typing.TypeIs": "builtins.bool",
}
_HINTS: Mapping[str, str] = {
    "builtins.range": "Take start, stop and step as integers.",
    "builtins.slice": "Take start, stop and step as integers.",
    "builtins.memoryview": "Take bytes.",
    "re.Match": "Take the matched text.",
    "datetime.tzinfo": "Take a zoneinfo.ZoneInfo.",
    "datetime.timezone": "Take a zoneinfo.ZoneInfo.",
}


def known_form(
    name: str, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form:
    """Return the form of a known symbol, with its subscript's arguments if it has one."""
    span = scope.module.span(expression)
    simple = _simple(name, span)
    if simple is not None:
        return simple
    if name == "typing.Self":
        return _self(expression, scope, reading)
    if name == "re.Pattern" and arguments and isinstance(arguments[0], ast.Name) and arguments[0].id == "bytes":
        return ScalarForm(kind="re.Pattern[bytes]", span=span)
    kind = _SUPPORTS.get(name, name)
    if kind in SCALARS:
        return ScalarForm(kind=kind, span=span)
    if name in _HANDLERS:
        return _handled(name, arguments, expression, scope, reading)
    form = containers.container_form(name, arguments, expression, scope, reading)
    if form is None and name.startswith(("pydantic.", "annotated_types.")):
        form = pydantic_form(name, arguments, expression, scope, reading)
    return form if form is not None else _no_form(name, expression, scope, reading)


def _simple(name: str, span: Span) -> Form | None:
    """Return the form of a symbol that has one whatever its arguments are."""
    if name in _ANY:
        return AnyForm(span=span)
    if name in _LOOSE:
        said = note("uncommon-type", f"`{name.rpartition('.')[2]}` is {_LOOSE[name]}: any value is accepted", span)
        return ConstrainedForm(form=AnyForm(span=span), constraints=Constraints(notes=(said,)), span=span)
    if name == "builtins.None":
        return NoneForm(span=span)
    if name in _NEVER:
        return UnsuppliableForm(what=NEVER, span=span)
    if name in CONTEXTS:
        kind: Any = CONTEXTS[name]
        return ContextForm(kind=kind, name=name, span=span)
    if name in CONTENT_TYPES:
        return ContentForm(kind=CONTENT_TYPES[name], span=span)
    if name in _UNSUPPLIABLE:
        return UnsuppliableForm(what=_UNSUPPLIABLE[name], span=span)
    return None


def _no_form(name: str, expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    shown = name.removeprefix("builtins.")
    if name.startswith("enum."):
        message = f"`{shown}` has no members: a client cannot supply it"
        return reading.refuse("unsupported-type", message, expression, scope, hint="Name an enumeration with members.")
    message = f"`{shown}` has no JSON form"
    return reading.refuse("unsupported-type", message, expression, scope, hint=_HINTS.get(name))


def _handled(name: str, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    if not arguments:
        if name in _TRANSPARENT or name in {"collections.abc.Awaitable", "collections.abc.Coroutine"}:
            return AnyForm(span=scope.module.span(expression))
        message = f"`{name.removeprefix('typing.')}` needs an argument in square brackets"
        return reading.refuse("unsupported-type", message, expression, scope)
    return _HANDLERS[name](arguments, expression, scope, reading)


def _optional(arguments: list[ast.expr], expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    return union((reading.form(arguments[0], scope.deeper()), NoneForm()), scope.module.span(expression))


def _union(arguments: list[ast.expr], expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    from .annotations import MAX_ARMS

    if len(arguments) > MAX_ARMS:
        return reading.refuse("unsupported-feature", f"a union of {len(arguments)} types", expression, scope)
    arms = tuple(reading.form(argument, scope.deeper()) for argument in arguments)
    return union(arms, scope.module.span(expression))


def _first(arguments: list[ast.expr], _: ast.expr, scope: Scope, reading: Reading) -> Form:
    return reading.form(arguments[0], scope.deeper())


def _awaitable(arguments: list[ast.expr], expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    inner = reading.form(arguments[-1], scope.deeper())
    return AwaitableForm(form=inner, span=scope.module.span(expression))


def _self(expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    if scope.self_form is not None:
        return scope.self_form
    return reading.refuse("unsupported-type", "`Self` stands outside a class", expression, scope)


_TRANSPARENT = (
    "typing.Final",
    "typing.ClassVar",
    "typing.Required",
    "typing.NotRequired",
    "typing.ReadOnly",
    "typing.Unpack",
    "dataclasses.InitVar",
    "pydantic.SkipValidation",
    "pydantic.SerializeAsAny",
    "pydantic.OnErrorOmit",
)
_HANDLERS: Mapping[str, Handler] = {
    "typing.Optional": _optional,
    "typing.Union": _union,
    "typing.Annotated": annotated_form,
    "typing.Literal": literal_form,
    "collections.abc.Awaitable": _awaitable,
    "collections.abc.Coroutine": _awaitable,
    **dict.fromkeys(_TRANSPARENT, _first),
}
