"""Follow `$ref`s between schemas as they are written: to their end, and to find out which schemas contain themselves.

Most cycles of schemas are harmless, because each turn goes one member deeper into the value. A cycle *in place* (a base
that is a union of the types that extend it) would have a validator look at the same value for ever, so those are found
here and broken where a schema is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ....diagnostics.model import Diagnostic
from ....diagnostics.rules import rule
from ..limits import LEAST_SCHEMAS, MAX_REFERENCE_CHAIN, SCHEMAS_PER_BYTE
from ..load_problem import ReferenceProblem, cut
from ..room import Room
from .raw import Key, Raw, key_of
from .rings import Rings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..model import Dialect, SchemaNode
    from ..place import Place
    from .facts import Kind


ANNOTATIONS = frozenset(
    {
        "$anchor",
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "discriminator",
        "example",
        "examples",
        "externalDocs",
        "readOnly",
        "title",
        "writeOnly",
        "xml",
    }
)
"""Keywords that do not change which values are accepted."""

_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("not", "if", "then", "else")
_IN_PLACE_MAPS = ("dependentSchemas", "dependencies")


class Resolver(Protocol):
    """What is needed of the loaded documents."""

    def resolve(self, reference: str, base: Place) -> tuple[object, Place]:
        """Return what a reference points at, one step; raises ReferenceProblem."""


class DeadReference(Exception):
    """A reference that leads to no schema; `diagnostic` says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def asserts(value: Mapping[str, object]) -> bool:
    """Tell whether a schema says anything about values, `$ref` aside."""
    return any(key not in ANNOTATIONS and key != "$ref" and not key.startswith("x-") for key in map(str, value))


def is_alias(value: object, dialect: Dialect) -> bool:
    """Tell whether a schema is nothing but a reference: before 3.1 whatever stands beside one is ignored."""
    if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
        return False
    return dialect != "3.1" or not asserts(value)


def in_place(value: Mapping[str, object], place: Place) -> list[Raw]:
    """Return the schemas inside one that are about the same value as it is."""
    found: list[Raw] = []
    for keyword in _IN_PLACE_LISTS:
        inner = value.get(keyword)
        if isinstance(inner, list | tuple):
            found += [Raw(item, place.at(keyword, index)) for index, item in enumerate(inner)]
    for keyword in _IN_PLACE_MAPS:
        inner = value.get(keyword)
        if isinstance(inner, dict):
            found += [Raw(item, place.at(keyword, name)) for name, item in inner.items()]
    return found + [Raw(value[keyword], place.at(keyword)) for keyword in _IN_PLACE if keyword in value]


class References:
    """Follows references through the loaded documents and remembers what it found, also the `kinds` of values.

    It has the `room` that whoever walks through schemas takes.
    """

    __slots__ = ("_documents", "_rings", "kinds", "room")

    def __init__(self, documents: Resolver, room: Room | None = None) -> None:
        self.room = room or Room(LEAST_SCHEMAS, SCHEMAS_PER_BYTE)
        self.kinds: dict[tuple[Key, int, int], tuple[SchemaNode, Kind]] = {}
        self._documents = documents
        self._rings = Rings(self._targets)

    def step(self, reference: str, base: Place) -> Raw:
        """Return what a reference points at; raises DeadReference."""
        try:
            return Raw(*self._documents.resolve(reference, base))
        except ReferenceProblem as problem:
            raise DeadReference(problem.diagnostic) from problem

    def settle(self, reference: str, base: Place, dialect: Dialect) -> Raw:
        """Return the schema at the end of a chain of references; raises DeadReference."""
        raw = self.step(reference, base)
        seen = {key_of(raw.place)}
        while is_alias(raw.value, dialect):
            raw = self.step(raw.value["$ref"], raw.place)  # type: ignore[index] # an alias is a mapping
            if key_of(raw.place) in seen:
                raise DeadReference(
                    _endless("circular-reference", base, reference, "leads back to itself and reaches no schema")
                )
            if len(seen) >= MAX_REFERENCE_CHAIN:
                what = f"begins a chain longer than {MAX_REFERENCE_CHAIN} references"
                raise DeadReference(_endless("loading-limit", base, reference, what))
            seen.add(key_of(raw.place))
        return raw

    def end(self, raw: Raw, dialect: Dialect) -> Raw:
        """Return the schema itself, or the end of its references; raises DeadReference."""
        if not is_alias(raw.value, dialect):
            return raw
        return self.settle(raw.value["$ref"], raw.place, dialect)  # type: ignore[index] # an alias is a mapping

    def loops(self, target: Raw, home: Key) -> bool:
        """Tell whether a schema that `home` refers to in place refers to it, or is it."""
        return self._rings.together(target, home)

    def _targets(self, raw: Raw) -> Iterator[Raw]:
        waiting = [raw]
        while waiting:
            value, place = waiting.pop()
            if not isinstance(value, dict):
                continue
            reference = value.get("$ref")
            if isinstance(reference, str):
                try:
                    yield self.step(reference, place)
                except DeadReference:
                    continue  # reported where the schema is made
            waiting += in_place(value, place)


def _endless(name: str, place: Place, reference: str, what: str) -> Diagnostic:
    return Diagnostic(
        rule=rule(name),
        message=f"the reference `{cut(reference)}` {what}",
        span=place.span,
        pointer=place.text,
        hint="Let it name a schema that has a type.",
    )
