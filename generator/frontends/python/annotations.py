"""From an annotation's expression to its form.

The expression decides by its shape (a name, a subscript, `|`, a string, a call) and what its name resolves to: a known
symbol goes to `special_forms.py`, a class to `classes.py`, an assigned name or `type` statement to `aliases.py`.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from .forms import AnyForm, Form, NoneForm, RefusedForm, union
from .quoted import parse_quoted
from .reading import MAX_DEPTH, Reading, Scope
from .resolve import Defined, Known, ModuleName, Unknown, dotted
from .type_variables import pep695_form

MAX_ARMS = 200
"""Arms of one union; each is a schema of its own, and hosts give up far earlier."""

WAYS_OUT = (
    "Install the package that defines it in the environment named by --python, "
    "or state the schema in [tool.mcpgen.tools.NAME]."
)


def read_annotation(expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    """Return the form of an annotation; a type that cannot be served becomes a RefusedForm, never an exception."""
    if scope.depth > MAX_DEPTH:
        return reading.refuse("unsupported-feature", "the type is nested too deeply", expression, scope)
    match expression:
        case ast.Constant(value=None):
            return NoneForm(span=scope.module.span(expression))
        case ast.Constant(value=str(text)):
            return _quoted(expression, text, scope, reading)
        case ast.BinOp(op=ast.BitOr()):
            return _bar(expression, scope, reading)
        case ast.Name() | ast.Attribute():
            return _named(expression, None, expression, scope, reading)
        case ast.Subscript(value=ast.Name() | ast.Attribute() as base):
            return _named(base, _arguments(expression), expression, scope, reading)
        case ast.Call():
            from .pydantic_types import call_form

            return call_form(expression, scope, reading)
        case ast.Starred(value=inner):
            return read_annotation(inner, scope.deeper(), reading)
    return reading.refuse("unsupported-type", f"`{source_of(expression)}` is not a type", expression, scope)


def _arguments(expression: ast.Subscript) -> list[ast.expr]:
    inner = expression.slice
    if isinstance(inner, ast.Tuple):
        return list(inner.elts)
    return [inner]


def _quoted(node: ast.Constant, text: str, scope: Scope, reading: Reading) -> Form:
    parsed = parse_quoted(node, text, scope.module)
    if parsed is None:
        message = f"the quoted annotation `{_shorten(text)}` is not an expression"
        return reading.refuse("unsupported-type", message, node, scope)
    return read_annotation(parsed, scope.deeper(), reading)


def _bar(expression: ast.BinOp, scope: Scope, reading: Reading) -> Form:
    arms: list[ast.expr] = []
    node: ast.expr = expression
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        arms.append(node.right)
        node = node.left
    arms.append(node)
    if len(arms) > MAX_ARMS:
        return reading.refuse("unsupported-feature", f"a union of {len(arms)} types", expression, scope)
    forms = tuple(read_annotation(arm, scope.deeper(), reading) for arm in reversed(arms))
    return union(forms, scope.module.span(expression))


def _named(
    base: ast.expr, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form:
    if isinstance(base, ast.Name):
        if base.id in scope.variables:
            return scope.variables[base.id]
        if base.id in scope.parameters:
            return pep695_form(scope.parameters[base.id], scope, reading)
    elif (
        isinstance(base, ast.Attribute)
        and base.attr in {"args", "kwargs"}
        and _is_param_spec(base.value, scope, reading)
    ):
        return AnyForm(span=scope.module.span(expression))
    resolved = reading.resolve(base, scope)
    match resolved:
        case Known(name=name):
            from .special_forms import known_form

            return known_form(name, arguments, expression, scope, reading)
        case Defined():
            return _defined(resolved, arguments, expression, scope, reading)
        case ModuleName(name=name):
            return reading.refuse("unsupported-type", f"`{name}` is a module, not a type", expression, scope)
        case Unknown():
            return unresolved(resolved, base, scope, reading)
    return reading.refuse("unsupported-type", f"`{source_of(expression)}` is not a type", expression, scope)


def unresolved(found: Unknown, expression: ast.expr, scope: Scope, reading: Reading) -> Form:
    """Return a refusal that names the type, the steps that were tried, and the ways out."""
    steps = "; ".join(found.chain[-4:])
    written = dotted(expression) or source_of(expression)
    full = found.name if found.name.endswith(written.rpartition(".")[2]) else written
    if reading.program.is_standard(found.module):
        message = f"`{written}` of the standard library has no JSON form"
        return reading.refuse("unsupported-type", message, expression, scope)
    message = f"the type `{full}` cannot be resolved" + (f": {steps}" if steps else "")
    module = scope.module
    forgotten = found.module == module.name and len(found.chain) == 1 and not module.index.stars
    hint = f"Import `{written[:60]}`, or define it in the module." if forgotten else WAYS_OUT
    return reading.refuse("unresolved-type", message, expression, scope, hint=hint)


def _defined(
    found: Defined, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form:
    kind = found.binding.kind
    if kind == "class":
        from .classes import class_form

        return class_form(found, arguments, expression, scope, reading)
    if kind == "function":
        message = f"`{found.qualname}` is a function of {found.module.name}, not a type"
        return reading.refuse("unsupported-type", message, expression, scope)
    from .aliases import alias_form

    form = alias_form(found, arguments, expression, scope, reading)
    if isinstance(form, RefusedForm) and reading.program.is_standard(found.module.name):
        # Nobody can change the standard library: the annotation is the place, and its spelling what the user knows.
        span = scope.module.span(expression)
        message = f"`{dotted(expression) or found.qualname}` of the standard library has no JSON form"
        form = replace(form, diagnostic=replace(form.diagnostic, message=message, span=span), span=span)
    return form


def _is_param_spec(expression: ast.expr, scope: Scope, reading: Reading) -> bool:
    if isinstance(expression, ast.Name) and expression.id in scope.parameters:
        return type(scope.parameters[expression.id]).__name__ == "ParamSpec"
    found = reading.resolve(expression, scope)
    if not isinstance(found, Defined) or not isinstance(found.binding.value, ast.Call):
        return False
    made = reading.resolve(found.binding.value.func, Scope(module=found.module))
    return isinstance(made, Known) and made.name == "typing.ParamSpec"


def source_of(expression: ast.expr) -> str:
    """Return how an expression is written, shortened for a message."""
    try:
        return _shorten(ast.unparse(expression))
    except RecursionError:
        return "…"


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
