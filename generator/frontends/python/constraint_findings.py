"""What is wrong with constraints as a whole: those that say nothing about their type, those that nothing can meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .constraint_keywords import types_of
from .forms import (
    AliasDefinition,
    ArrayForm,
    AwaitableForm,
    ConstrainedForm,
    Constraints,
    DictForm,
    EnumDefinition,
    Form,
    LiteralForm,
    MemberValue,
    NamedForm,
    NoneForm,
    ScalarForm,
    SubclassForm,
    TupleForm,
    UnionForm,
)
from .scalars import SCALARS
from .schema_parts import json_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .reading import Reading

_MAX_STEPS = 20
"""Aliases of aliases that are followed to see what type a constraint is about."""


def inapplicable(form: Form, constraints: Constraints, reading: Reading) -> Iterator[str]:
    """Yield the assertions that say nothing about any value of the form."""
    types = _types(form, reading, 0)
    if types is None or constraints.schema is not None:
        return
    for meaning, _ in constraints.keywords:
        about = types_of(meaning)
        if about and not about & types:
            yield meaning


def contradiction(constraints: Constraints) -> str | None:
    """Return two assertions that no value can meet together, None when there are none."""
    stated = {name: value for name, value in constraints.keywords if isinstance(value, int | float)}
    for low, high, strict in (
        ("ge", "le", False),
        ("gt", "le", True),
        ("ge", "lt", True),
        ("gt", "lt", True),
        ("min_length", "max_length", False),
    ):
        if low in stated and high in stated:
            bottom, top = stated[low], stated[high]
            if bottom > top or (strict and bottom == top):
                return f"`{low}={bottom}` and `{high}={top}`"
    return None


def _types(form: Form, reading: Reading, steps: int) -> frozenset[str] | None:  # noqa: C901 # a table of forms
    """Return the JSON types of a form's values, None when it may be any."""
    if steps > _MAX_STEPS:
        return None
    match form:
        case NoneForm():
            return frozenset()
        case ScalarForm(kind=kind):
            return _schema_types(SCALARS[kind].schema)
        case ArrayForm() | TupleForm():
            return frozenset({"array"})
        case DictForm():
            return frozenset({"object"})
        case LiteralForm(values=values):
            return frozenset(_value_type(value) for value in values)
        case ConstrainedForm(form=inner) | SubclassForm(form=inner) | AwaitableForm(form=inner):
            return _types(inner, reading, steps + 1)
        case UnionForm(arms=arms):
            found = [_types(arm, reading, steps + 1) for arm in arms]
            known = [each for each in found if each is not None]
            return frozenset().union(*known) if len(known) == len(found) else None
        case NamedForm(key=key):
            definition = reading.definition(key)
            if isinstance(definition, EnumDefinition):
                return frozenset(json_type(value) for _, value in definition.members)
            root = definition.form if isinstance(definition, AliasDefinition) else definition.root
            return frozenset({"object"}) if root is None else _types(root, reading, steps + 1)
    return None


def _schema_types(schema: Any) -> frozenset[str] | None:
    arms = schema.get("anyOf", [schema])
    return frozenset(arm["type"] for arm in arms) if all("type" in arm for arm in arms) else None


def _value_type(value: Any) -> str:
    plain = value.json if isinstance(value, MemberValue) else value
    return "string" if isinstance(plain, bytes) else json_type(plain)
