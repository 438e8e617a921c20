"""What the numbers of enumerations are called: a model that may send `1` is told that it means LOW (rule 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .contents import inner_forms
from .forms import AliasDefinition, EnumDefinition, Form, LiteralForm, MemberValue, NamedForm, RecordDefinition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .forms import DefinitionKey
    from .reading import Reading

    Members = tuple[tuple[str, Any], ...]

MAX_NAMED = 100
"""Members that are named; a longer list helps no model, and the schema has all values."""


def value_texts(arguments: Iterable[tuple[str, Form]], reading: Reading) -> tuple[str, ...]:
    """Return a sentence for each enumeration of numbers in the arguments, for the description.

    It reads "Values of `unit`: 1 = METRE, 2 = MILE." An argument that holds one in a record is named with the way to
    it (`at.unit`); arguments of the same values share a sentence.
    """
    places: dict[str, list[str]] = {}
    for name, form in arguments:
        for place, members in _numbered(name, form, reading):
            named = places.setdefault(_listed(members), [])
            if place not in named:
                named.append(place)
    return tuple(f"Values of {', '.join(f'`{one}`' for one in named)}: {text}." for text, named in places.items())


def _numbered(name: str, form: Form, reading: Reading) -> Iterator[tuple[str, Members]]:
    """Yield the way to each enumeration of numbers, and its members; a definition is entered once."""
    pending: list[tuple[str, Form]] = [(name, form)]
    seen: set[DefinitionKey] = set()
    while pending:
        place, current = pending.pop(0)
        pending.extend((place, inner) for inner in inner_forms(current))
        if isinstance(current, LiteralForm):
            chosen = tuple((one.name, one.json) for one in current.values if isinstance(one, MemberValue))
            if _has_numbers(chosen):
                yield place, chosen
        if not isinstance(current, NamedForm):
            continue
        definition = reading.definition(current.key)
        if isinstance(definition, EnumDefinition):
            if _has_numbers(definition.members):
                yield place, definition.members
        elif current.key not in seen:
            seen.add(current.key)
            pending.extend(_inside(place, definition))


def _inside(place: str, definition: RecordDefinition | AliasDefinition) -> Iterator[tuple[str, Form]]:
    """Yield the forms in a definition with the way to each."""
    if isinstance(definition, AliasDefinition):
        yield place, definition.form
        return
    if definition.root is not None:
        yield place, definition.root
        return
    yield from ((f"{place}.{one.wire}", one.form) for one in definition.fields if one.in_input)
    if isinstance(definition.extra, Form):
        yield place, definition.extra


def _has_numbers(members: Members) -> bool:
    return any(isinstance(value, int | float) and not isinstance(value, bool) for _, value in members)


def _listed(members: Members) -> str:
    shown = [f"{value} = {name}" for name, value in members[:MAX_NAMED]]
    return ", ".join([*shown, *(["…"] if len(members) > MAX_NAMED else [])])
