"""From a function's parameters to the properties of a tool's arguments, and how the call is made from them.

Every parameter is decided on its own: it becomes a property, is filled with a context, is left out because its default
serves (MG108), or makes the tool impossible. All problems of a signature are collected.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .constants import json_default
from .constraints import read_descriptor
from .form_parts import accepts_none, arms, nullable
from .forms import (
    MISSING,
    AnyForm,
    ArrayForm,
    ConstrainedForm,
    Constraints,
    ContextForm,
    Form,
    NamedForm,
    RecordDefinition,
    RecordField,
    TupleForm,
    constrained,
)
from .placing import Annotated, about, annotated_parameter, at_annotation
from .resolve import Known
from .wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .function_types import FunctionTypes
    from .parameters import Parameter
    from .reading import Scope
    from .type_reader import Types

DESCRIPTORS = frozenset({"pydantic.Field", "mcpgen.Param"})
"""Calls that may stand in the place of a default and describe the parameter."""


LONGEST_DEFAULT = 2_000
"""Characters of a default that a schema states: it is read by a model with every list of tools."""


@dataclass(slots=True)
class Signature:
    """What was read of a signature; `extra` is what further keys may hold: a form, True, or False for none."""

    properties: list[RecordField] = field(default_factory=list)
    extra: Form | bool = False
    positional: list[str] = field(default_factory=list)
    star: str | None = None
    star_star: bool = False
    names: dict[str, str] = field(default_factory=dict)
    inject: dict[str, Literal["async", "sync"]] = field(default_factory=dict)
    field_defaults: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refused: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """The function whose signature is read: its unit, whether it is async, the texts about its parameters.

    Defaults are read in `scope`, those that a partial gives in `bound_scope`. A `lenient` reading refuses nothing.
    """

    unit: str
    is_async: bool
    texts: Mapping[str, str]
    scope: Scope
    bound_scope: Scope
    types: FunctionTypes
    lenient: bool = False


def read_signature(parameters: tuple[Parameter, ...], function: Function, types: Types) -> Signature:
    """Read all parameters of a function."""
    reader = _Reader(function, types, has_star=any(one.kind == "star" for one in parameters))
    for parameter in parameters:
        reader.take(parameter)
    return reader.signature


class _Reader:
    __slots__ = ("_function", "_has_star", "_reading", "_types", "signature")

    def __init__(self, function: Function, types: Types, *, has_star: bool) -> None:
        self._function = function
        self._types = types
        self._reading = types.reading
        self._has_star = has_star
        self.signature = Signature()

    def take(self, parameter: Parameter) -> None:
        """Decide one parameter."""
        form = self._function.types.form(parameter.name, self._reading)
        if form is None:
            if parameter.kind in ("positional", "normal", "keyword") and not self._function.lenient:
                self._untyped(parameter)
            form = AnyForm()
        context = next((arm for arm in arms(form) if isinstance(arm, ContextForm)), None)
        if context is not None:
            self._inject(parameter, context)
        elif parameter.kind == "star_star":
            self._take_keywords(parameter, form)
        elif parameter.kind == "star":
            self._take_star(parameter, form)
        else:
            self._take_plain(parameter, form)

    def _take_plain(self, parameter: Parameter, form: Form) -> None:
        constraints = self._descriptor(parameter)
        if constraints is not None:
            form = constrained(form, constraints)
        required = parameter.required if constraints is None else not constraints.has_default
        supplied = self._suppliable(parameter, form, required=required)
        if supplied is None:
            return
        form = supplied
        default = self._default(parameter, constraints)
        if self._is_none(parameter, constraints) and not accepts_none(form):
            form = nullable(form)
            message = f"the default of `{parameter.name}` of tool `{self._function.unit}` is None; null is accepted"
            hint = f"Write `{parameter.name}: ... | None = None`."
            self._report("implicit-optional", message, parameter.node, hint=hint)
        wire = self._property(parameter, form, required=required, default=default)
        if parameter.kind == "positional" or (parameter.kind == "normal" and self._has_star):
            self.signature.positional.append(parameter.name)
        if constraints is not None and not required:
            self.signature.field_defaults.append(parameter.name)
        if wire != parameter.name:
            self.signature.names[wire] = parameter.name

    def _take_star(self, parameter: Parameter, form: Form) -> None:
        """`*args: T` is an array of T; `*args: *tuple[int, str]` are the items of that tuple."""
        spread = isinstance(form, TupleForm) and self._function.types.unpacked(parameter.name, self._reading)
        required = isinstance(form, TupleForm) and spread and bool(form.prefix or form.suffix)
        if self._suppliable(parameter, form, required=required) is None:
            return
        array = form if spread else ArrayForm(kind="list", item=form, span=form.span)
        self.signature.star = self._property(parameter, array, required=required, default=MISSING)

    def _take_keywords(self, parameter: Parameter, form: Form) -> None:
        """`**kwargs: T` are further keys of type T; `Unpack[TypedDict]` names them."""
        if isinstance(form, NamedForm) and self._function.types.unpacked(parameter.name, self._reading):
            definition = self._reading.definition(form.key)
            if isinstance(definition, RecordDefinition) and definition.kind == "typeddict":
                self._take_unpacked(parameter, definition)
                return
        errors = self._errors(parameter, form)
        if errors:
            self._drop(parameter, errors[0])
            return
        self.signature.star_star = True
        self.signature.extra = True if isinstance(form, AnyForm) else form

    def _take_unpacked(self, parameter: Parameter, definition: RecordDefinition) -> None:
        """Merge the keys of a TypedDict into the properties; a key of a named parameter is that parameter's."""
        self.signature.star_star = True
        taken = {one.wire for one in self.signature.properties}
        for one in definition.fields:
            if one.wire in taken or not one.in_input:
                continue
            key = replace(parameter, name=one.name)
            errors = self._errors(key, one.form)
            if errors and one.required and not self._function.lenient:
                self._refuse(key, errors)
            elif errors:
                self._drop(key, errors[0])
            else:
                self._merge(parameter, one)
        # A TypedDict is open, but `**kwargs` of one takes the declared keys only (PEP 692), unless it says otherwise.
        self.signature.extra = definition.extra if isinstance(definition.extra, Form) else False

    def _merge(self, parameter: Parameter, one: RecordField) -> None:
        """Add a key of the TypedDict of `**kwargs`; a key may be any text, a property's name may not."""
        wire = self._wire(parameter, one.wire)
        if wire != one.wire:
            self.signature.names[wire] = one.name
        text = one.description or self._function.texts.get(one.name)
        self.signature.properties.append(replace(one, wire=wire, description=text))

    def _wire(self, parameter: Parameter, wanted: str) -> str:
        """Return the name clients use for a parameter, and tell when it is not the wanted one."""
        wire = wire_name(wanted, {one.wire for one in self.signature.properties})
        if wire != wanted:
            message = f"parameter `{wanted[:60]}` of tool `{self._function.unit}` is called `{wire}` by clients"
            hint = "Hosts accept letters, digits, `_`, `.` and `-`, up to 64."
            self._report("renamed-parameter", message, parameter.node, hint=hint)
        return wire

    def _property(self, parameter: Parameter, form: Form, *, required: bool, default: Any) -> str:
        """Add a property and return its wire name."""
        stated = form.constraints if isinstance(form, ConstrainedForm) else Constraints()
        wire = self._wire(parameter, stated.validation_alias or stated.alias or parameter.name)
        text = self._function.texts.get(parameter.name)
        self.signature.properties.append(
            RecordField(
                name=parameter.name,
                wire=wire,
                result_wire=wire,
                form=form,
                required=required,
                default=default,
                description=stated.description or text,
            )
        )
        return wire

    def _suppliable(self, parameter: Parameter, form: Form, *, required: bool) -> Form | None:
        """Return the form a client can fill; None when the parameter is left out or the tool is refused."""
        errors = self._errors(parameter, form)
        if not errors:
            return form
        if not required:
            self._drop(parameter, errors[0])
            return None
        if self._function.lenient:
            return AnyForm(span=form.span)
        self._refuse(parameter, errors)
        return None

    def _refuse(self, parameter: Parameter, errors: list[Diagnostic]) -> None:
        """Keep why a parameter makes the tool impossible."""
        hint = "Give it a default (it is then left out), or state a schema in [tool.mcpgen.tools.NAME]."
        found = (about(self._annotated(parameter), error, self._reading.program) for error in errors)
        self.signature.refused.extend(replace(each, hint=each.hint or hint) for each in found)

    def _annotated(self, parameter: Parameter) -> Annotated:
        module = self._function.scope.module
        span = module.span(parameter.annotation if parameter.annotation is not None else parameter.node)
        return annotated_parameter(parameter.name, self._function.unit, span)

    def _errors(self, parameter: Parameter, form: Form) -> list[Diagnostic]:
        """Return why a form cannot be an argument; what is only worth saying goes to the diagnostics."""
        found = self._types.findings(form, "input")
        errors = [each for each in found if each.level is Severity.ERROR]
        if not errors:
            annotated = self._annotated(parameter)
            self.signature.diagnostics.extend(about(annotated, each, self._reading.program) for each in found)
        return errors

    def _drop(self, parameter: Parameter, error: Diagnostic) -> None:
        what = "it stays empty" if parameter.kind in ("star", "star_star") else "its default is used"
        message = f"`{parameter.name}` of tool `{self._function.unit}` is left out ({error.message}); {what}"
        cause = at_annotation(error, self._annotated(parameter).span, self._reading.program)
        dropped = self._finding("dropped-parameter", message, parameter.node)
        self.signature.diagnostics.append(replace(dropped, notes=cause.notes))

    def _inject(self, parameter: Parameter, context: ContextForm) -> None:
        """Fill a parameter with a context; ours must suit the kind of function (decision 23)."""
        kind: Literal["async", "sync"] = "async" if self._function.is_async else "sync"
        if context.kind != "foreign" and context.kind != kind:
            wanted = "Context" if self._function.is_async else "SyncContext"
            manner = "async" if self._function.is_async else "not async"
            message = f"`{self._function.unit}` is {manner} and takes `{context.name.rpartition('.')[2]}`"
            hint = f"Annotate `{parameter.name}: {wanted}`."
            found = self._finding("context-mismatch", message, parameter.node, hint=hint)
            self.signature.refused.append(found)
            return
        self.signature.inject[parameter.name] = kind
        if parameter.kind == "positional" or (parameter.kind == "normal" and self._has_star):
            self.signature.positional.append(parameter.name)

    def _descriptor(self, parameter: Parameter) -> Constraints | None:
        """Return what a `Field(...)` in the place of the default says."""
        if not isinstance(parameter.default, ast.Call):
            return None
        found = self._reading.resolve(parameter.default.func, self._function.scope)
        if isinstance(found, Known) and found.name in DESCRIPTORS:
            return read_descriptor(parameter.default, self._function.scope, self._reading, found.name)
        return None

    def _default(self, parameter: Parameter, constraints: Constraints | None) -> Any:
        if constraints is not None:
            return constraints.default
        default = parameter.default
        if default is None or (isinstance(default, ast.Constant) and default.value is ...):
            return MISSING
        scope = self._function.bound_scope if parameter.bound else self._function.scope
        value = json_default(default, scope, self._reading)
        if value is MISSING:
            message = f"the default of `{parameter.name}` of tool `{self._function.unit}` is computed; it is not stated"
            self._report("computed-default", message, default)
        elif isinstance(value, str | list | dict) and len(json.dumps(value)) > LONGEST_DEFAULT:
            message = f"the default of `{parameter.name}` of tool `{self._function.unit}` is too long to be stated"
            self._report("computed-default", message, default)
            return MISSING
        return value

    def _is_none(self, parameter: Parameter, constraints: Constraints | None) -> bool:
        if constraints is not None:
            return constraints.has_default and constraints.default is None
        return isinstance(parameter.default, ast.Constant) and parameter.default.value is None

    def _untyped(self, parameter: Parameter) -> None:
        name, unit = parameter.name, self._function.unit
        message = f"`{name}` of tool `{unit}` has no annotation; any value is accepted"
        self._report("untyped-parameter", message, parameter.node, hint=_annotation_hint(parameter))

    def _report(self, name: str, message: str, node: ast.AST, *, hint: str | None = None) -> None:
        self.signature.diagnostics.append(self._finding(name, message, node, hint=hint))

    def _finding(self, name: str, message: str, node: ast.AST, *, hint: str | None = None) -> Diagnostic:
        span = self._function.scope.module.span(node)
        return Diagnostic(rule=rule(name), message=message, span=span, hint=hint, unit=self._function.unit)


def _annotation_hint(parameter: Parameter) -> str:
    """Return how the parameter could be annotated, as its default suggests."""
    default = parameter.default
    if isinstance(default, ast.Constant) and isinstance(default.value, bool | int | float | str):
        written = f"{type(default.value).__name__} = {ast.unparse(default)[:40]}"
        return f"Annotate it, for example `{parameter.name}: {written}`."
    return f"Annotate it, for example `{parameter.name}: str`."
