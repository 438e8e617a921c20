"""What reading a description needs of the loaded documents, and the state all readers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..model import SchemaNode
from .findings import Unreadable
from .values import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Dialect, Extensions
    from ..place import Place
    from ..room import Room
    from .findings import Findings
    from .shared import Shared


class Documents(Protocol):
    """The loaded description and the files it refers to."""

    @property
    def root(self) -> object:
        """The description as loaded."""

    @property
    def entry(self) -> Place:
        """The place of the root."""

    def resolve(self, reference: str, base: Place) -> tuple[object, Place]:
        """Follow one reference that stands at `base`; raises ReferenceProblem."""

    def node(self, value: object, place: Place) -> tuple[object, Place]:
        """Follow the `$ref`s of an object that is no schema; raises ReferenceProblem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The documents, where findings go, which version's rules hold (`minor` is that of 3.x), and what was read.

    What follows a reference takes room for what it finds there, and raises Full when there is none.
    """

    documents: Documents
    findings: Findings
    dialect: Dialect
    minor: int
    shared: Shared
    room: Room

    def node(self, value: object, place: Place) -> tuple[object, Place]:
        """Follow a reference; raises Unreadable or ReferenceProblem."""
        if isinstance(value, dict) and "$ref" in value:
            reference = value["$ref"]
            if not isinstance(reference, str):
                raise wrong_type("$ref", "text", reference, place.at("$ref"))
            return self.documents.node(value, place)
        return value, place

    def mapping(self, value: object, place: Place, what: str) -> tuple[Mapping[str, object], Place]:
        """Return an object, its reference followed; raises Unreadable when it is something else."""
        found, at = self.node(value, place)
        if not isinstance(found, dict):
            raise wrong_type(what, "an object", found, at)
        self.room.take(1 + len(found))
        return found, at

    def optional_mapping(self, value: object, place: Place, what: str) -> tuple[Mapping[str, object], Place]:
        """Return an object, an empty one for what is absent or null."""
        return ({}, place) if value is None else self.mapping(value, place, what)

    def items(self, value: object, place: Place, what: str) -> tuple[list[object], Place]:
        """Return the items of an array, none for what is absent or null."""
        if value is None:
            return [], place
        found, at = self.node(value, place)
        if not isinstance(found, list | tuple):
            raise wrong_type(what, "an array", found, at)
        self.room.take(1 + len(found))
        return list(found), at

    def schema(self, value: object, place: Place) -> SchemaNode | None:
        """Return a schema as written, None for what is absent or null."""
        if value is None:
            return None
        if not isinstance(value, dict | bool):
            raise wrong_type("schema", "an object", value, place)
        return SchemaNode(value=value, place=place, dialect=self.dialect)


def wrong_type(what: str, expected: str, found: object, place: Place) -> Unreadable:
    """Say that something has another type than the specification asks for."""
    return Unreadable("wrong-type", f"`{what}` must be {expected}, found {kind_of(found)}", place)


def extensions(value: Mapping[str, object]) -> Extensions:
    """Return the `x-…` members of an object."""
    return {str(key): item for key, item in value.items() if str(key).startswith("x-")}
