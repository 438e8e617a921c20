"""Constrained types of pydantic and annotated_types: `conint(gt=0)`, `PositiveInt`, `LowerCase[str]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .constraints import PREDICATES, read_descriptor
from .forms import AnyForm, ArrayForm, Check, Constraints, Form, ScalarForm, constrained
from .reading import Reading, Scope, note
from .resolve import Known

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

_CON_TYPES: Mapping[str, str] = {
    "pydantic.conint": "builtins.int",
    "pydantic.confloat": "builtins.float",
    "pydantic.constr": "builtins.str",
    "pydantic.conbytes": "builtins.bytes",
    "pydantic.condecimal": "decimal.Decimal",
    "pydantic.condate": "datetime.date",
}
_CON_ARRAYS = {"pydantic.conlist": "list", "pydantic.conset": "set", "pydantic.confrozenset": "frozenset"}
_SIGNS = {"Positive": ("gt", 0), "Negative": ("lt", 0), "NonNegative": ("ge", 0), "NonPositive": ("le", 0)}
_READY: Mapping[str, tuple[str, tuple[tuple[str, int], ...]]] = {
    **{f"pydantic.{sign}Int": ("builtins.int", (bound,)) for sign, bound in _SIGNS.items()},
    **{f"pydantic.{sign}Float": ("builtins.float", (bound,)) for sign, bound in _SIGNS.items()},
    "pydantic.FiniteFloat": ("builtins.float", ()),
    "pydantic.StrictInt": ("builtins.int", ()),
    "pydantic.StrictFloat": ("builtins.float", ()),
    "pydantic.StrictStr": ("builtins.str", ()),
    "pydantic.StrictBool": ("builtins.bool", ()),
    "pydantic.StrictBytes": ("builtins.bytes", ()),
}


def pydantic_form(
    name: str, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form | None:
    """Return the form of a ready-made constrained type, None when the name is none."""
    span = scope.module.span(expression)
    if name in _READY:
        kind, bounds = _READY[name]
        return constrained(ScalarForm(kind=kind, span=span), Constraints(keywords=bounds))
    short = name.removeprefix("annotated_types.")
    if short in PREDICATES and short != name:
        target, negate = PREDICATES[short]
        module, _, function = target.partition(":")
        say = f"must {'not ' if negate else ''}satisfy {function}"
        check = Check(say=say, target=(module, function), negate=negate)
        message = f"`{function}` is checked when the tool is called; the schema cannot say it"
        found = (note("runtime-only-constraint", message, span),)
        inner = reading.form(arguments[0], scope.deeper()) if arguments else AnyForm(span=span)
        return constrained(inner, Constraints(checks=(check,), notes=found))
    if name == "pydantic.Json":
        message = "`Json` takes JSON inside a string; name the type of the value itself"
        return reading.refuse("unsupported-feature", message, expression, scope)
    return None


def call_form(call: ast.Call, scope: Scope, reading: Reading) -> Form:
    """Return the form of a call in an annotation: pydantic's `con*()` helpers; anything else is refused."""
    found = reading.resolve(call.func, scope)
    name = found.name if isinstance(found, Known) else ""
    span = scope.module.span(call)
    if name in _CON_TYPES:
        return constrained(ScalarForm(kind=_CON_TYPES[name], span=span), read_descriptor(call, scope, reading, name))
    if name in _CON_ARRAYS:
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        item = call.args[0] if call.args else given.get("item_type")
        inner = reading.form(item, scope.deeper()) if item is not None else AnyForm()
        kind = _CON_ARRAYS[name]
        array = ArrayForm(kind=kind, item=inner, span=span)  # type: ignore[arg-type] # the table holds the literal's words
        return constrained(array, read_descriptor(call, scope, reading, name))
    from .annotations import source_of

    message = f"`{source_of(call)}` is a call; types that are computed cannot be read statically"
    return reading.refuse(
        "unsupported-type", message, call, scope, hint="Give the type a name with a plain definition."
    )
