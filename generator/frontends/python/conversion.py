"""From forms to conversions: how a JSON argument becomes the Python value a function takes (docs/conversions.md).

A conversion is stated only where the value differs from the parsed JSON. Whether a form needs one is decided first,
by looking at everything that can be reached from it; so plain recursive data costs nothing at run time. A record that
holds other records is written once and referred to by name, so that no graph of records grows when it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .contents import referred, suppliable
from .forms import (
    AliasDefinition,
    AnyForm,
    ArrayForm,
    AwaitableForm,
    ConstrainedForm,
    Constraints,
    Definition,
    DefinitionKey,
    DictForm,
    EnumDefinition,
    Form,
    LiteralForm,
    MemberValue,
    NamedForm,
    NoneForm,
    RecordDefinition,
    ScalarForm,
    SubclassForm,
    TupleForm,
    UnionForm,
)
from .runtime_checks import runtime_checks
from .scalars import SCALARS
from .schema_parts import referred_names

if TYPE_CHECKING:
    from .reading import Reading
    from .schema import SchemaWriter

Target = Callable[[str, str], str]
"""Makes the run-time target of a definition from its module's name and its qualified name."""

_READERS = {
    "datetime.datetime": ".fromisoformat",
    "datetime.date": ".fromisoformat",
    "datetime.time": ".fromisoformat",
    "uuid.UUID": "",
}
"""Classes whose subclasses are made from text, and the constructor that reads it."""

_BOOLEAN = ScalarForm(kind="builtins.bool")
_NUMERIC = frozenset({"builtins.int", "builtins.float"})
_FACTORIES = {"list": "list", "set": "set", "tuple": "tuple", "frozenset": "frozenset", "deque": "deque"}
_SCALAR_FACTORIES = {"builtins.int": "int", "builtins.float": "float", "builtins.str": "str"}


class ConversionWriter:
    """Writes the conversions of one tool; arm schemas use the names of the tool's input schema writer."""

    __slots__ = ("_arms", "_conversions", "_needed", "_pending", "_reading", "_schemas", "_target")

    def __init__(self, reading: Reading, schemas: SchemaWriter, target: Target) -> None:
        self._reading = reading
        self._schemas = schemas
        self._target = target
        self._arms: list[dict[str, Any]] = []
        self._conversions: dict[str, Any] = {}
        self._pending: list[tuple[str, Definition]] = []
        self._needed: dict[DefinitionKey, bool] = {}

    def conversion(self, form: Form) -> Any:
        """Return the conversion of a form, None when the parsed JSON is what the function takes."""
        spec = self._conversion(form)
        while self._pending:  # one after the other: a long chain of records is no deep one
            name, definition = self._pending.pop(0)
            self._conversions[name] = self._definition(definition)
        return spec

    def _conversion(self, form: Form) -> Any:
        return self._write(form) if self.needs(form) else None

    def definitions(self) -> dict[str, Any]:
        """`{"conversions": …, "schemas": …}`: what conversions refer to by name; empty parts are left out."""
        found: dict[str, Any] = {}
        if self._conversions:
            found["conversions"] = self._conversions
        used = self._used_schemas()
        if used:
            found["schemas"] = used
        return found

    def _used_schemas(self) -> dict[str, Any]:
        """Return the definitions that the schemas of union arms lead to."""
        definitions = self._schemas.definitions
        used: dict[str, Any] = {}
        pending: list[Any] = list(self._arms)
        while pending:
            for name in referred_names(pending.pop()):
                if name in definitions and name not in used:
                    used[name] = definitions[name]
                    pending.append(definitions[name])
        return used

    def needs(self, form: Form) -> bool:
        """Whether anything in the form differs from its JSON."""
        seen: dict[DefinitionKey, None] = {}
        answer = self._needs(form, seen)
        looked_at = 0
        while not answer and looked_at < len(seen):
            key = list(seen)[looked_at]
            looked_at += 1
            answer = self._definition_needs(key, seen)
        if not answer:
            self._needed.update(dict.fromkeys(seen, False))  # everything that can be reached was looked at
        return answer

    def _needs(self, form: Form, seen: dict[DefinitionKey, None]) -> bool:
        """Whether the form differs, definitions aside: those it refers to are added to `seen`."""
        match form:
            case ScalarForm(kind=kind):
                return SCALARS[kind].convert is not None
            case ArrayForm(kind=kind, item=item):
                return kind != "list" or self._needs(item, seen)
            case TupleForm() | SubclassForm():
                return True
            case DictForm(kind=kind, key=key, value=value):
                return kind != "dict" or key == _BOOLEAN or self._needs(key, seen) or self._needs(value, seen)
            case UnionForm(arms=arms):
                rest = arms if not _numbers_as_sent(arms) else tuple(arm for arm in arms if not _is_number(arm))
                return any(self._needs(arm, seen) for arm in rest)
            case LiteralForm(values=values):
                return any(not isinstance(value, str | None) for value in values)
            case ConstrainedForm(form=inner, constraints=constraints):
                checked = constraints.checks or runtime_checks(inner, constraints)
                return bool(checked) or self._needs(inner, seen)
            case NamedForm(key=key):
                seen.setdefault(key)
        return False

    def _definition_needs(self, key: DefinitionKey, seen: dict[DefinitionKey, None]) -> bool:
        if key in self._needed:
            return self._needed[key]
        definition = self._reading.definition(key)
        match definition:
            case AliasDefinition(form=form):
                return self._needs(form, seen)
            case RecordDefinition(kind="typeddict", fields=fields, extra=extra):
                forms = [field.form for field in fields] + ([extra] if isinstance(extra, Form) else [])
                return any(self._needs(form, seen) for form in forms)
        self._needed[key] = True
        return True

    def _write(self, form: Form) -> Any:
        match form:
            case ScalarForm(kind=kind):
                return SCALARS[kind].convert
            case ArrayForm(kind=kind, item=item):
                inner = self._conversion(item)
                return {"tuple": {"prefix": [], "rest": inner}} if kind == "tuple" else {kind: inner}
            case TupleForm():
                return self._tuple(form)
            case DictForm():
                return self._dict(form)
            case UnionForm(arms=arms):
                return self._union(arms)
            case LiteralForm():
                return self._literal(form)
            case ConstrainedForm(form=inner, constraints=constraints):
                return self._checked(inner, constraints)
            case SubclassForm(form=inner, target=target):
                return self._subclass(inner, target)
            case NamedForm(key=key):
                return self._named(key)
        return None

    def _subclass(self, inner: Form, target: tuple[str, str]) -> dict[str, Any]:
        """Return the call that makes a subclass; those that cannot be made from a value of their base read the text."""
        module, name = target
        kind = _scalar_kind(inner)
        if kind in _READERS:
            return {"call": self._target(module, name + _READERS[kind]), "convert": None}
        return {"call": self._target(module, name), "convert": self._conversion(inner)}

    def _tuple(self, form: TupleForm) -> dict[str, Any]:
        spec: dict[str, Any] = {"prefix": [self._conversion(part) for part in form.prefix], "rest": None}
        if form.rest is not None:
            spec["rest"] = self._conversion(form.rest)
        if form.suffix:
            spec["suffix"] = [self._conversion(part) for part in form.suffix]
        return {"tuple": spec}

    def _dict(self, form: DictForm) -> dict[str, Any]:
        key = "boolean" if form.key == _BOOLEAN else self._key(form.key)
        spec: dict[str, Any] = {"key": key, "value": self._conversion(form.value)}
        if form.kind != "dict":
            spec["type"] = form.kind
        if form.kind == "defaultdict":
            spec["factory"] = _factory(form.value)
        return {"dict": spec}

    def _union(self, arms: tuple[Form, ...]) -> Any:
        arms = suppliable(arms)
        values = [arm for arm in arms if not isinstance(arm, NoneForm)]
        if len(values) == 1:
            inner = self._conversion(values[0])
            return {"nullable": inner} if len(values) < len(arms) else inner
        as_parsed = _numbers_as_sent(arms)
        written = []
        for arm in sorted(arms, key=_is_bytes):
            schema = self._schemas.schema(arm)
            self._arms.append(schema)
            convert = None if as_parsed and _is_number(arm) else self._conversion(arm)
            written.append({"schema": schema, "convert": convert})
        return {"union": written}

    def _literal(self, form: LiteralForm) -> Any:
        members = [value for value in form.values if isinstance(value, MemberValue)]
        if not members:
            if any(isinstance(value, bytes) for value in form.values):
                return "bytes"
            return {"literal": [[value] for value in form.values]}
        plain = [value for value in form.values if not isinstance(value, MemberValue)]
        arms: list[dict[str, Any]] = []
        for key in dict.fromkeys(member.key for member in members):
            names = [[member.json, member.name] for member in members if member.key == key]
            spec = {"members": {"target": self._target(key.module, key.qualname), "names": names}}
            arms.append({"schema": {"enum": [value for value, _ in names]}, "convert": spec})
        if plain:
            arms.append({"schema": {"enum": plain}, "convert": {"literal": [[value] for value in plain]}})
        return arms[0]["convert"] if len(arms) == 1 else {"union": arms}

    def _key(self, form: Form) -> Any:
        """Return the conversion of a mapping's keys: a schema sees them as text, so their bounds are checked here."""
        if isinstance(form, ConstrainedForm):
            return self._checked(form.form, form.constraints, as_key=True)
        return self._conversion(form)

    def _checked(self, form: Form, constraints: Constraints, *, as_key: bool = False) -> Any:
        spec = self._conversion(form)
        checks: list[dict[str, Any]] = list(runtime_checks(form, constraints, as_key=as_key))
        for check in constraints.checks:
            if check.target is not None:
                negated = {"negate": True} if check.negate else {}
                checks.append({"target": self._target(*check.target), "say": check.say, **negated})
        for body in checks:
            spec = {"check": {**body, "convert": spec}}
        if checks and isinstance(form, UnionForm) and any(isinstance(arm, NoneForm) for arm in form.arms):
            return {"nullable": spec}
        return spec

    def _named(self, key: DefinitionKey) -> Any:
        definition = self._reading.definition(key)
        if isinstance(definition, EnumDefinition):
            return {"enum": {"target": self._target(key.module, key.qualname), "by": definition.by}}
        if isinstance(definition, RecordDefinition) and definition.kind == "pydantic":
            return self._pydantic(key)
        if not self._is_shared(key):
            return self._definition(definition)
        name = self._schemas.name(key)
        if name not in self._conversions:
            self._conversions[name] = None
            self._pending.append((name, definition))
        return {"ref": name}

    def _is_shared(self, key: DefinitionKey) -> bool:
        """Whether a definition is referred to by name: one that holds others, which may be many or itself."""
        inner = (self._reading.definition(other) for other in referred(key, self._reading))
        return any(not isinstance(one, EnumDefinition) for one in inner)

    def _pydantic(self, key: DefinitionKey) -> dict[str, Any]:
        spec: dict[str, Any] = {"pydantic": self._target(key.module, key.qualname)}
        arguments = [self._type_target(argument) for argument in key.arguments]
        if arguments and all(argument is not None for argument in arguments):
            spec["arguments"] = arguments
        return spec

    def _type_target(self, form: Form) -> str | None:
        """Return the target of a type argument that is a plain class."""
        if isinstance(form, NamedForm) and not form.key.arguments:
            return self._target(form.key.module, form.key.qualname)
        if isinstance(form, ScalarForm):
            module, _, name = form.kind.rpartition(".")
            return f"{module}:{name}"
        return None

    def _definition(self, definition: RecordDefinition | EnumDefinition | AliasDefinition) -> Any:
        if isinstance(definition, AliasDefinition):
            return self._write(definition.form)
        if isinstance(definition, EnumDefinition):
            return self._named(definition.key)
        if definition.kind == "typeddict":
            extra = self._conversion(definition.extra) if isinstance(definition.extra, Form) else None
            # With a conversion for further keys every declared one is named, also those that stay as parsed.
            fields = {
                field.wire: self._conversion(field.form)
                for field in definition.fields
                if extra is not None or self.needs(field.form)
            }
            return {"typed_dict": {"fields": fields, "extra": extra}}
        record: dict[str, Any] = {
            "target": self._target(definition.key.module, definition.key.qualname),
            "fields": {
                field.wire: {"name": field.name, "convert": self._conversion(field.form)}
                for field in definition.fields
                if field.in_input
            },
        }
        if definition.kind == "namedtuple":
            record["array"] = True
        return {"record": record}


def _is_number(form: Form) -> bool:
    return _scalar_kind(form) in _NUMERIC


def _numbers_as_sent(arms: tuple[Form, ...]) -> bool:
    """Whether numbers stay what their JSON text made them: `float` beside another type takes an int as it is (PEP 484).

    A function that tells its arms apart may print 1234567 and 1234567.0 differently, and only the text says which.
    """
    values = [arm for arm in arms if not isinstance(arm, NoneForm)]
    return len(values) > 1 and any(_scalar_kind(arm) == "builtins.float" for arm in values)


def _is_bytes(form: Form) -> bool:
    """Whether this arm of a union is tried last: ordinary text may happen to be base64."""
    return _scalar_kind(form) in ("builtins.bytes", "builtins.bytearray")


def _scalar_kind(form: Form) -> str | None:
    inner = form.form if isinstance(form, ConstrainedForm) else form
    return inner.kind if isinstance(inner, ScalarForm) else None


def _factory(value: Form) -> str | None:
    """Return the `default_factory` a defaultdict gets from the type of its values."""
    inner = value.form if isinstance(value, ConstrainedForm | AwaitableForm) else value
    match inner:
        case ArrayForm(kind=kind):
            return _FACTORIES.get(kind)
        case DictForm():
            return "dict"
        case ScalarForm(kind=kind):
            return _SCALAR_FACTORIES.get(kind)
        case AnyForm():
            return None
    return None
