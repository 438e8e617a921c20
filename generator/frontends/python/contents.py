"""What forms and definitions are made of: the forms inside a form, the definitions a definition refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .forms import (
    AliasDefinition,
    ArrayForm,
    AwaitableForm,
    ConstrainedForm,
    DefinitionKey,
    DictForm,
    Form,
    NamedForm,
    NoneForm,
    RecordDefinition,
    RefusedForm,
    SubclassForm,
    TupleForm,
    UnionForm,
    UnsuppliableForm,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .reading import Reading


def referred(key: DefinitionKey, reading: Reading) -> Iterator[DefinitionKey]:
    """Return the definitions a definition refers to directly."""
    definition = reading.definition(key)
    if isinstance(definition, AliasDefinition):
        yield from keys_in(definition.form)
    elif isinstance(definition, RecordDefinition):
        for field in definition.fields:
            yield from keys_in(field.form)
        for form in (definition.root, definition.extra):
            if isinstance(form, Form):
                yield from keys_in(form)


def keys_in(form: Form) -> Iterator[DefinitionKey]:
    """Return the definitions a form refers to, those inside definitions aside."""
    if isinstance(form, NamedForm):
        yield form.key
    for part in inner_forms(form):
        yield from keys_in(part)


def depth(form: Form) -> int:
    """Return how deeply a form nests, arguments of generics included."""
    inner = form.key.arguments if isinstance(form, NamedForm) else inner_forms(form)
    return 1 + max((depth(part) for part in inner), default=0)


def size(form: Form) -> int:
    """Return how many forms a form is made of; a part that is shared is measured once and counted every time."""
    known: dict[int, int] = {}

    def measure(part: Form) -> int:
        if id(part) not in known:
            known[id(part)] = 1 + sum(measure(inner) for inner in inner_forms(part))
        return known[id(part)]

    return measure(form)


def inner_forms(form: Form) -> tuple[Form, ...]:
    """Return the forms directly inside a form."""
    match form:
        case ArrayForm(item=item):
            return (item,)
        case TupleForm(prefix=prefix, rest=rest, suffix=suffix):
            return (*prefix, *((rest,) if rest is not None else ()), *suffix)
        case DictForm(key=key, value=value):
            return (key, value)
        case UnionForm(arms=arms):
            return arms
        case ConstrainedForm(form=inner) | SubclassForm(form=inner) | AwaitableForm(form=inner):
            return (inner,)
    return ()


def arms_of(form: Form) -> tuple[Form, ...]:
    """Return the arms of a union; any other form is its own single arm."""
    return form.arms if isinstance(form, UnionForm) else (form,)


def suppliable(arms: tuple[Form, ...]) -> tuple[Form, ...]:
    """Return the arms of a union that a client can send: all of them when only null would be left.

    What is left out is what no client can make (callables, classes without a JSON form). A type that was not found
    stays: nobody knows what it is.
    """
    kept = tuple(arm for arm in arms if not _is_out_of_reach(arm))
    return kept if any(not isinstance(arm, NoneForm) for arm in kept) else arms


def _is_out_of_reach(form: Form) -> bool:
    if isinstance(form, RefusedForm):
        return form.diagnostic.rule.name == "unsupported-type"
    return isinstance(form, UnsuppliableForm)
