"""The type model: what an annotation means, independent of how it was spelled.

A form is a frozen value. A class, an enumeration or a recursive alias is a `NamedForm` holding only a key; its
definition is asked for by key, so that recursive types need no special care. Spans never take part in comparison: two
arms of a union are equal when they mean the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagnostics.model import Diagnostic, Span

Direction = Literal["input", "result"]


class Missing:
    """The type of `MISSING`: no value is stated."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()
"""No default, or none that can be stated as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What every form has: the place of the annotation it came from."""

    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyForm(Form):
    """Any JSON value: `Any`, `object`, a free type variable, no annotation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoneForm(Form):
    """The form of `None`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarForm(Form):
    """A value with one row in `scalars.SCALARS`: `int`, `str`, `datetime`, or `pydantic.AnyUrl`."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayForm(Form):
    """A homogeneous collection; `kind` is what the function gets."""

    kind: Literal["list", "set", "frozenset", "deque", "tuple", "iterator"]
    item: Form


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleForm(Form):
    """A tuple with a fixed beginning and, with `rest`, any number of further items, then a fixed end."""

    prefix: tuple[Form, ...]
    rest: Form | None = None
    suffix: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DictForm(Form):
    """A mapping; `kind` is the class the function gets."""

    kind: Literal["dict", "OrderedDict", "Counter", "defaultdict", "ChainMap"]
    key: Form
    value: Form


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionForm(Form):
    """One of several, in the declared order, flattened and without equal arms."""

    arms: tuple[Form, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberValue:
    """A member of an enumeration used as a value: its class, its name, and its JSON form."""

    key: DefinitionKey
    name: str
    json: Any = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralForm(Form):
    """`Literal[...]`: JSON scalars, bytes or enumeration members, each once by type and value."""

    values: tuple[bool | int | str | bytes | MemberValue | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A constraint that only the running server can check: a predicate's target, or a bound on a converted value."""

    say: str
    target: tuple[str, str] | None = None
    negate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What `Annotated` metadata says: assertions by meaning (see constraint_keywords.py), texts, names.

    `bounds` are the assertions whose values are no JSON numbers: dates, exact decimals, a time zone.
    """

    keywords: tuple[tuple[str, Any], ...] = field(default=(), hash=False)
    bounds: tuple[tuple[str, Any], ...] = field(default=(), hash=False)
    title: str | None = None
    description: str | None = None
    examples: tuple[Any, ...] | None = field(default=None, hash=False)
    deprecated: bool = False
    extra: tuple[tuple[str, Any], ...] = field(default=(), hash=False)
    alias: str | None = None
    validation_alias: str | None = None
    serialization_alias: str | None = None
    default: Any = field(default=MISSING, hash=False)
    has_default: bool = False
    exclude: bool = False
    checks: tuple[Check, ...] = ()
    prepare: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    notes: tuple[Diagnostic, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstrainedForm(Form):
    """A form with constraints and texts; never nested directly in another of its kind."""

    form: Form
    constraints: Constraints


@dataclass(frozen=True, slots=True, kw_only=True)
class SubclassForm(Form):
    """A subclass of a builtin or value type: made by calling `target` with the converted value of `form`."""

    form: Form
    target: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitableForm(Form):
    """A result that is awaited before it is sent."""

    form: Form


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextForm(Form):
    """A context the server injects; `foreign` is another SDK's."""

    kind: Literal["async", "sync", "foreign"]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentForm(Form):
    """One of the content types a tool may return (`mcpgen.Image` …)."""

    kind: str


NEVER = "a value of a type that has none"
"""What `Never` and `NoReturn` ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsuppliableForm(Form):
    """A value no client can send, though Python can make a default for it: `Callable`, a class, a module."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedForm(Form):
    """A type that cannot be served; the diagnostic says why and what to do."""

    diagnostic: Diagnostic = field(compare=False)
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionKey:
    """Names a definition: the module it stands in, its qualified name, and the arguments of a generic."""

    module: str
    qualname: str
    arguments: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedForm(Form):
    """A reference to a definition."""

    key: DefinitionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordField:
    """One field of a record: `wire` names it in arguments, `result_wire` in results, `name` in the constructor."""

    name: str
    wire: str
    result_wire: str
    form: Form
    required: bool
    default: Any = MISSING
    description: str | None = None
    in_input: bool = True
    in_result: bool = True
    result_required: bool = True
    read_only: bool = False
    keyword_only: bool = False
    result_form: Form | None = None

    def shown(self, direction: Direction) -> Form:
        """Return the field's form in a direction: a serialiser may send another type than the field holds."""
        return self.result_form if direction == "result" and self.result_form is not None else self.form


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDefinition:
    """A class with fields. `extra` is what undeclared keys may hold: a form, True (anything), False (nothing).

    `root` is what a root model stands for, `result_root` what a model serialiser makes of it; `keywords` are added to
    the schema as they are. Values that are not `hashable` cannot be in a set.
    """

    key: DefinitionKey
    kind: Literal["dataclass", "attrs", "namedtuple", "typeddict", "pydantic"]
    fields: tuple[RecordField, ...]
    extra: Form | bool
    description: str | None = None
    root: Form | None = None
    result_root: Form | None = None
    keywords: tuple[tuple[str, Any], ...] = field(default=(), hash=False)
    hashable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumDefinition:
    """An enumeration: members once each, sent by value or name; flags have a `mask`.

    `opaque` values say nothing to a model; the values of `unknown` members cannot be read statically.
    """

    key: DefinitionKey
    members: tuple[tuple[str, Any], ...]
    by: Literal["value", "name"]
    mask: int | None = None
    opaque: bool = False
    aliases: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    description: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasDefinition:
    """A recursive type alias."""

    key: DefinitionKey
    form: Form


Definition = RecordDefinition | EnumDefinition | AliasDefinition


def union(arms: tuple[Form, ...], span: Span | None = None) -> Form:
    """Return the union of the arms: flattened, equal arms once, one arm by itself, anything with `Any` is `Any`."""
    flat: list[Form] = []
    for arm in arms:
        for part in arm.arms if isinstance(arm, UnionForm) else (arm,):
            if part not in flat:
                flat.append(part)
    if any(isinstance(arm, AnyForm) for arm in flat):
        refused = [arm for arm in flat if isinstance(arm, RefusedForm)]
        return refused[0] if refused else AnyForm(span=span)
    if len(flat) == 1:
        return flat[0]
    return UnionForm(arms=tuple(flat), span=span)


def constrained(form: Form, constraints: Constraints) -> Form:
    """Return the form with these constraints laid over those it has."""
    if constraints == Constraints() and not constraints.notes:
        return form
    if isinstance(form, ConstrainedForm):
        return ConstrainedForm(form=form.form, constraints=merge(form.constraints, constraints), span=form.span)
    return ConstrainedForm(form=form, constraints=constraints, span=form.span)


def merge(inner: Constraints, outer: Constraints) -> Constraints:
    """Both sets of constraints; where both state one thing the outer wins."""
    keywords = {**dict(inner.keywords), **dict(outer.keywords)}
    return Constraints(
        keywords=tuple(keywords.items()),
        bounds=tuple({**dict(inner.bounds), **dict(outer.bounds)}.items()),
        title=outer.title if outer.title is not None else inner.title,
        description=outer.description if outer.description is not None else inner.description,
        examples=outer.examples if outer.examples is not None else inner.examples,
        deprecated=outer.deprecated or inner.deprecated,
        extra=tuple({**dict(inner.extra), **dict(outer.extra)}.items()),
        alias=outer.alias or inner.alias,
        validation_alias=outer.validation_alias or inner.validation_alias,
        serialization_alias=outer.serialization_alias or inner.serialization_alias,
        default=outer.default if outer.has_default else inner.default,
        has_default=outer.has_default or inner.has_default,
        exclude=outer.exclude or inner.exclude,
        checks=inner.checks + outer.checks,
        prepare=inner.prepare + tuple(step for step in outer.prepare if step not in inner.prepare),
        schema=outer.schema if outer.schema is not None else inner.schema,
        notes=inner.notes + outer.notes,
    )
