"""What is to be said about a form in one direction: refusals, and warnings about what a schema cannot say."""

from __future__ import annotations

from dataclasses import replace

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .constraint_findings import contradiction, inapplicable
from .contents import arms_of, inner_forms, suppliable
from .forms import (
    AliasDefinition,
    ArrayForm,
    AwaitableForm,
    ConstrainedForm,
    ContentForm,
    ContextForm,
    DefinitionKey,
    DictForm,
    Direction,
    EnumDefinition,
    Form,
    NamedForm,
    RecordDefinition,
    RefusedForm,
    ScalarForm,
    UnionForm,
    UnsuppliableForm,
)
from .hashability import unhashable
from .reading import Reading, note
from .runtime_checks import BOUNDS
from .scalars import SCALARS


def findings(form: Form, direction: Direction, reading: Reading) -> tuple[Diagnostic, ...]:
    """Every diagnostic of a form and of what it refers to, each once; an error means that the form cannot be served."""
    walk = _Walk(direction, reading)
    walk.visit(form)
    while walk.pending:
        walk.define(walk.pending.pop(0))
    return tuple(walk.found)


class _Walk:
    __slots__ = ("_direction", "_reading", "_steps", "_ways", "found", "pending")

    def __init__(self, direction: Direction, reading: Reading) -> None:
        self._direction = direction
        self._reading = reading
        self._steps: tuple[str, ...] = ()
        self._ways: dict[DefinitionKey, tuple[str, ...]] = {}
        self.found: list[Diagnostic] = []
        self.pending: list[DefinitionKey] = []

    def visit(self, form: Form) -> None:
        self._look_at(form)
        if isinstance(form, UnionForm):
            self._arms(form)
        elif isinstance(form, NamedForm):
            self._later(form.key)
        else:
            for part in inner_forms(form):
                self.visit(part)

    def _say(self, diagnostic: Diagnostic) -> None:
        if self._steps:
            way = ", then ".join(f"`{step}`" for step in self._steps)
            diagnostic = replace(diagnostic, notes=(*diagnostic.notes, f"reached through {way}"))
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def _refuse(self, message: str, form: Form, hint: str | None = None) -> None:
        self._say(Diagnostic(rule=rule("unsupported-type"), message=message, span=form.span, hint=hint))

    def _look_at(self, form: Form) -> None:  # noqa: C901 # a table of forms
        match form:
            case RefusedForm(diagnostic=diagnostic):
                self._say(diagnostic)
            case UnsuppliableForm(what=what):
                if self._direction == "input":
                    self._refuse(f"a client cannot supply {what}", form)
                else:
                    self._refuse(f"{what} has no JSON form", form)
            case AwaitableForm() if self._direction == "input":
                self._refuse("a client cannot supply an awaitable", form)
            case ContextForm():
                self._refuse("a context is given by the server; it cannot be part of another type", form)
            case ContentForm(kind=kind) if self._direction == "input":
                self._refuse(f"`{kind}` is for results; a client cannot supply it", form)
            case ScalarForm(kind=kind) if SCALARS[kind].uncommon:
                name = kind.rpartition(".")[2]
                self._say(note("uncommon-type", f"`{name}` is sent as text, as `{name}(text)` reads it", form.span))
            case ConstrainedForm() if self._direction == "input":
                self._constraints(form)
            case ArrayForm(kind="set" | "frozenset", item=item):
                self._items(form, item)
            case DictForm(key=NamedForm(key=key)):
                self._key(form, key)

    def _items(self, form: Form, item: Form) -> None:
        what = unhashable(item, self._reading)
        if what is not None:
            self._refuse(f"a set cannot hold {what}: it has no hash", form, hint="Take a list.")

    def _key(self, form: Form, key: DefinitionKey) -> None:
        definition = self._reading.definition(key)
        if isinstance(definition, RecordDefinition) and definition.root is None:
            message = f"a mapping whose keys are records (`{key.qualname}`) has no JSON form"
            self._refuse(message, form, hint="Take a list of pairs.")

    def _constraints(self, form: ConstrainedForm) -> None:
        for one in form.constraints.notes:
            self._say(one)
        kinds = [arm.kind for arm in arms_of(form.form) if isinstance(arm, ScalarForm)]
        if "decimal.Decimal" in kinds and BOUNDS & dict(form.constraints.keywords).keys():
            message = "the bounds of a Decimal that is sent as text are checked when the tool is called"
            self._say(note("runtime-only-constraint", message, form.span))
        for meaning in inapplicable(form.form, form.constraints, self._reading):
            message = f"`{meaning}` says nothing about values of this type; it is left out"
            self._say(note("inapplicable-constraint", message, form.span))
        pair = contradiction(form.constraints)
        if pair is not None:
            self._say(note("contradictory-constraints", f"no value meets both {pair}", form.span))

    def _arms(self, form: UnionForm) -> None:
        """Arms that nobody can supply are left out of an argument as long as a real one remains."""
        kept = suppliable(form.arms) if self._direction == "input" else form.arms
        for arm in form.arms:
            if not any(arm is one for one in kept):
                reason = f"{arm.what} cannot be supplied" if isinstance(arm, UnsuppliableForm) else _reason(arm)
                message = f"{reason}; this part of the union is left out"
                self._say(note("unsupported-type", message, arm.span or form.span, severity=Severity.WARNING))
        for arm in kept:
            self.visit(arm)

    def _later(self, key: DefinitionKey) -> None:
        if key not in self._ways:
            self._ways[key] = self._steps
            self.pending.append(key)

    def define(self, key: DefinitionKey) -> None:
        """Look at a definition that was referred to, and remember the fields that led to it."""
        self._steps = self._ways.get(key, ())
        definition = self._reading.definition(key)
        if isinstance(definition, AliasDefinition):
            self.visit(definition.form)
        elif isinstance(definition, EnumDefinition):
            self._enum(definition)
        else:
            self._record(definition)

    def _enum(self, definition: EnumDefinition) -> None:
        name = definition.key.qualname
        if not definition.members:
            message = f"the enumeration `{name}` has no members: a client cannot supply it"
            self._say(Diagnostic(rule=rule("unsupported-type"), message=message, span=definition.span))
        if definition.unknown:
            message = f"the value of `{name}.{definition.unknown[0]}` cannot be read statically"
            hint = "Give the members literal values, or state the schema in [tool.mcpgen.tools.NAME]."
            self._say(Diagnostic(rule=rule("unsupported-feature"), message=message, span=definition.span, hint=hint))
        if definition.opaque and self._direction == "input":
            message = f"the values of `{name}` come from auto(): they say nothing to a model"
            self._say(note("opaque-enum-values", message, definition.span, hint="Give the members text values."))

    def _record(self, definition: RecordDefinition) -> None:
        way = self._steps
        for field in definition.fields:
            if field.in_input if self._direction == "input" else field.in_result:
                self._steps = (*way, f"{definition.key.qualname}.{field.name}")
                self.visit(field.shown(self._direction))
        self._steps = way
        as_result = self._direction == "result" and definition.result_root is not None
        for form in (definition.result_root if as_result else definition.root, definition.extra):
            if isinstance(form, Form):
                self.visit(form)


def _reason(form: Form) -> str:
    return form.diagnostic.message if isinstance(form, RefusedForm) else "it has no JSON form"
