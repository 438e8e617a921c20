"""Names that were assigned a type: aliases in every spelling, NewType, TypeVar, functional forms.

An alias that leads to itself becomes a definition; any other is replaced by what it stands for.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from .contents import depth, size
from .forms import AliasDefinition, DefinitionKey, Form, NamedForm, UnionForm
from .reading import MAX_ARGUMENT_DEPTH, MAX_SIZE, Reading, Scope, type_parameters
from .resolve import Defined, Known
from .type_variables import bind_arguments, type_var_form, variable_name, variables_in

_FUNCTIONAL = {
    "typing.NamedTuple",
    "typing.TypedDict",
    "collections.namedtuple",
    "enum.Enum",
    "enum.IntEnum",
    "enum.StrEnum",
    "enum.Flag",
    "enum.IntFlag",
}


def alias_form(
    found: Defined, arguments: list[ast.expr] | None, expression: ast.expr, scope: Scope, reading: Reading
) -> Form:
    """Return the form of a name that was assigned, or declared with a `type` statement."""
    value = found.binding.value
    if value is None:
        message = f"`{found.qualname}` of {found.module.name} has no value that can be read statically"
        return reading.refuse("unresolved-type", message, expression, scope)
    inner = Scope(module=found.module, owners=found.owners, depth=scope.depth + 1)
    if isinstance(value, ast.Call):
        made = reading.resolve(value.func, inner)
        if isinstance(made, Known):
            return _called(made.name, value, found, arguments, expression, scope, reading)
        message = f"`{found.qualname}` is the value of a call; it is not a type that can be read statically"
        return reading.refuse("unsupported-feature", message, expression, scope)
    return _alias(value, type_parameters(found.binding.node), found, arguments, inner, scope, reading)


def _called(
    name: str,
    call: ast.Call,
    found: Defined,
    arguments: list[ast.expr] | None,
    expression: ast.expr,
    scope: Scope,
    reading: Reading,
) -> Form:
    inner = Scope(module=found.module, owners=found.owners, depth=scope.depth + 1)
    if name in {"typing.TypeVar", "typing.TypeVarTuple", "typing.ParamSpec"}:
        key = variable_name(found)
        return scope.variables[key] if key in scope.variables else type_var_form(call, found, reading)
    if name == "typing.NewType" and len(call.args) == 2:  # the name and the type
        return reading.form(call.args[1], inner)
    if name == "typing.TypeAliasType" and len(call.args) > 1:
        return _alias(call.args[1], {}, found, arguments, inner, scope, reading)
    if name in _FUNCTIONAL:
        from .functional import functional_form

        return functional_form(name, call, found, expression, scope, reading)
    if name.startswith("pydantic.con"):
        return reading.form(call, inner)
    message = f"`{found.qualname}` is made by `{name.removeprefix('builtins.')}(...)`, which cannot be read statically"
    return reading.refuse("unsupported-feature", message, expression, scope)


def _alias(
    value: ast.expr,
    parameters: dict[str, ast.AST],
    found: Defined,
    arguments: list[ast.expr] | None,
    inner: Scope,
    scope: Scope,
    reading: Reading,
) -> Form:
    forms = tuple(reading.form(argument, scope.deeper()) for argument in arguments or ())
    if any(depth(form) > MAX_ARGUMENT_DEPTH for form in forms):
        message = f"the arguments of `{found.qualname}` nest without end"
        return reading.refuse("unsupported-feature", message, value, inner)
    key = DefinitionKey(module=found.module.name, qualname=found.qualname, arguments=forms)
    if key in reading.aliases:
        reading.recursive.add(key)
        return NamedForm(key=key, span=inner.module.span(value))
    if key in reading.recursive:
        return NamedForm(key=key, span=inner.module.span(value))
    if key in reading.alias_forms:
        return reading.alias_forms[key]
    keys = list(parameters) or (variables_in([value], inner, reading) if forms else [])
    body = bind_arguments(keys, forms, replace(inner, parameters=parameters))
    reading.aliases.append(key)
    try:
        form = reading.form(value, body)
    finally:
        reading.aliases.pop()
    if size(form) > MAX_SIZE:
        form = reading.refuse("unsupported-feature", f"the alias `{found.qualname}` is too large", value, inner)
    if key not in reading.recursive:
        reading.alias_forms[key] = form
        return form
    if _is_only_itself(form, key):
        form = reading.refuse("unsupported-type", f"the alias `{found.qualname}` stands for itself", value, inner)
    reading.definitions[key] = AliasDefinition(key=key, form=form)
    return NamedForm(key=key, span=form.span)


def _is_only_itself(form: Form, key: DefinitionKey) -> bool:
    arms = form.arms if isinstance(form, UnionForm) else (form,)
    return any(isinstance(arm, NamedForm) and arm.key == key for arm in arms)
