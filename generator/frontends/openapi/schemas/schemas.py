"""All schemas of a description: each converted once for arguments and once for answers, however many tools use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from ..limits import LEAST_SCHEMAS, SCHEMAS_PER_BYTE
from ..room import Room
from .assembly import Assembly, Direction, ObjectShape
from .bounding import Memory, bounded
from .components import Component, Lazy
from .context import Context
from .conversion import Conversion
from .findings import SchemaProblem
from .follow import DeadReference, References, Resolver, is_alias
from .naming import Names
from .node import Node
from .pieces import Search, allows_null, is_closed, pieces
from .raw import Raw, key_of
from .relaxing import Relaxation
from .whole import WholeConversion

if TYPE_CHECKING:
    from ....diagnostics.model import Diagnostic
    from ..model import Dialect, SchemaNode
    from ..place import Place

Report = Callable[["Diagnostic"], None]
Identity = tuple[int, tuple[str, ...], int]
"""Which schema is meant: a file, a pointer into it, and the value found there."""


class Loaded(Resolver, Protocol):
    """What is needed of the loaded documents (`documents.Documents`)."""

    @property
    def root(self) -> object:
        """The description's content."""

    @property
    def entry(self) -> Place:
        """Where the description begins."""


_CONVERSIONS: Mapping[Direction, type[Conversion | Relaxation]] = {
    "input": Conversion,
    "output": Relaxation,
    "whole": WholeConversion,
}
_TOLERATED = frozenset({"minProperties", "maxProperties"})
"""Keywords of an object that are given up when it is flattened: the service checks them."""


class Schemas:
    """Converts the schemas of one description; `finish` reports what was wrong with them, each kind once."""

    __slots__ = (
        "_alive",
        "_answers",
        "_clean",
        "_context",
        "_converted",
        "_cuts",
        "_named",
        "_references",
        "_report",
        "_shapes",
    )

    def __init__(self, documents: Loaded, report: Report, room: Room | None = None) -> None:
        """Convert those of some documents; what finds no `room` raises Full."""
        self._report = report
        room = room or Room(LEAST_SCHEMAS, SCHEMAS_PER_BYTE)
        self._references = References(documents, room)
        self._context = Context(self._references, Names(documents.root, documents.entry), room)
        self._alive: dict[int, object] = {}
        self._converted: dict[Direction, dict[Identity, Component]] = {"input": {}, "output": {}, "whole": {}}
        self._cuts: Memory = {}
        self._named: dict[tuple[str, Direction], Component] = {}
        self._shapes: dict[tuple[Identity, bool], tuple[ObjectShape, Component] | None] = {}
        self._answers: dict[tuple[Identity, int, int], dict[str, Any]] = {}
        self._clean: set[str] = set()

    def assembly(self, direction: Direction) -> Assembly:
        """Return an empty assembly, for one tool and one direction."""
        return Assembly(self, direction)

    def finish(self) -> None:
        """Report what was found in the schemas so far: one diagnostic for each kind, at its first place."""
        self._context.findings.finish(self._report)

    @property
    def room(self) -> Room:
        """The room for conversions."""
        return self._context.room

    @property
    def references(self) -> References:
        """Who follows references."""
        return self._references

    def converted(self, node: SchemaNode, direction: Direction) -> Component:
        """Return a schema converted for a direction."""
        return self._convert(Raw(node.value, node.place), node.dialect, direction)

    def component(self, name: str, direction: Direction) -> Component:
        """Return the schema behind a definition's name."""
        component = self._named.get((name, direction))
        if component is None:
            raw, dialect = self._context.names.target(name)
            component = self._named[name, direction] = self._convert(raw, dialect, direction)
        return component

    def _convert(self, raw: Raw, dialect: Dialect, direction: Direction) -> Component:
        known = self._converted[direction]
        key = self._identity(raw)
        component = known.get(key)
        if component is None:
            conversion = _CONVERSIONS[direction](self._context, dialect, raw.place)
            schema = conversion.schema(raw)
            component = known[key] = Component(schema, conversion.refs, tuple(conversion.problems))
        return component

    def _identity(self, raw: Raw) -> Identity:
        """Return what a schema is remembered by: several may be made up for one place, so the place is not enough."""
        self._alive[id(raw.value)] = raw.value  # so that no other value gets its id
        return (id(raw.place.file), raw.place.pointer, id(raw.value))

    def problems(self, component: Component) -> tuple[Diagnostic, ...]:
        """Return the references that lead nowhere, in a schema of arguments and all it refers to."""
        found = list(component.problems)
        waiting = [name for name in component.refs if name not in self._clean]
        seen = set(waiting)
        while waiting:
            inner = self.component(waiting.pop(), "input")
            found.extend(inner.problems)
            fresh = [name for name in inner.refs if name not in seen and name not in self._clean]
            seen.update(fresh)
            waiting.extend(fresh)
        if not found:
            self._clean |= seen
        return tuple(dict.fromkeys(found))

    def shape(self, node: SchemaNode) -> tuple[ObjectShape, Component] | None:
        """Return the object a schema of arguments is, if it is nothing else, and what it refers to."""
        raw = Raw(node.value, node.place)
        key: tuple[Identity, bool]
        try:
            # what operations refer to is taken apart once, as it is for whoever refers to it
            key = self._identity(self._references.end(raw, node.dialect)), is_alias(raw.value, node.dialect)
        except DeadReference:
            return None  # reported when the schema is converted
        if key not in self._shapes:
            self._shapes[key] = self._shape(node)
        return self._shapes[key]

    def _shape(self, node: SchemaNode) -> tuple[ObjectShape, Component] | None:
        raw = Raw(node.value, node.place)
        search = Search(self._references, node.dialect, key_of(node.place), _TOLERATED)
        try:
            found = pieces(search, raw)
            end = self._references.end(raw, node.dialect).value
        except DeadReference:
            return None  # reported when the schema is converted
        if found is None or not isinstance(end, dict) or any(_is_more(raw.value) for raw in found):
            return None
        if "discriminator" in end:
            return None  # it stands for the types that extend it, whose members are not among its own
        conversion = Conversion(self._context, node.dialect, node.place)
        properties, required = conversion.merged(found, Node({}, node.place, 0, "", here=True))
        if not properties:
            return None
        if not is_closed(found):
            for name in required:  # one that is asked for and not described can be anything
                properties.setdefault(name, {})
        shape = ObjectShape(properties=properties, required=tuple(required))
        return shape, Component({}, conversion.refs, tuple(conversion.problems))

    def answer(self, node: SchemaNode, depth: int, size: int) -> dict[str, Any]:
        """Return the schema of an answer, relaxed and cut; raises SchemaProblem."""
        raw = Raw(node.value, node.place)
        with suppress(DeadReference):  # reported when it is converted
            raw = self._references.end(raw, node.dialect)
        key = (self._identity(raw), depth, size)
        known = self._answers.get(key)
        if known is None:
            component = self._convert(raw, node.dialect, "output")
            definitions = Lazy(lambda name: self.component(name, "output"))
            cut = bounded(
                component.schema, definitions, depth=depth, size=size, memory=self._cuts, room=self._context.room
            )
            problems = [*component.problems, *(problem for each in definitions.used for problem in each.problems)]
            if problems:
                raise SchemaProblem(tuple(dict.fromkeys(problems)))
            known = self._answers[key] = cut
        return known

    def cut(self, name: str, *, deep: bool) -> None:
        """Note that a definition is left open because it is too far away or one too many."""
        place = self._context.names.target(name)[0].place
        if deep:
            self._context.findings.add("deep-schema", "schemas refer to one another through too many levels", place)
        else:
            self._context.findings.add(
                "large-schema", "a tool's schemas are too large; those furthest away are cut", place
            )


def _is_more(value: object) -> bool:
    """Tell whether a piece says that further members are welcome, or that the whole may be null."""
    if not isinstance(value, dict):
        return False
    return allows_null(value) or value.get("additionalProperties") is True or value.get("unevaluatedProperties") is True
