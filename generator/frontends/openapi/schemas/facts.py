"""What a request needs to know of a schema: which kind of value it describes, after `$ref` and `allOf`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..model import SchemaNode
from .follow import DeadReference, References, Resolver
from .keywords import Malformed, types
from .raw import Raw

Kind = Literal["object", "array", "string", "number", "integer", "boolean", "binary", "any"]

MAX_STEPS = 50
"""Schemas looked through for one fact; a value whose kind needs more is of any kind."""

MAX_UNIONS = 3
"""Unions inside one another that are looked into; they may contain themselves."""

MAX_BRANCHES = 20
"""Branches of a union that are looked at."""

_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/jwt", "application/x-www-form-urlencoded")
_TEXT_SUFFIXES = ("+json", "+xml")


def kind_of(node: SchemaNode, documents: Resolver | References) -> Kind:
    """Return the kind of value a schema describes; `binary` is a file, `any` is what cannot be told."""
    return Facts(node, documents).kind


def items_kind(node: SchemaNode, documents: Resolver | References) -> Kind:
    """Return the kind of an array's items."""
    return Facts(node, documents).items


def property_kinds(node: SchemaNode, documents: Resolver | References) -> dict[str, Kind]:
    """Return the kind of each member of an object, through `$ref`, `allOf` and unions."""
    return {name: inner.kind for name, inner in Facts(node, documents).properties().items()}


def property_items(node: SchemaNode, documents: Resolver | References) -> dict[str, Kind]:
    """Return the kind of the items of each member of an object that is an array."""
    members = Facts(node, documents).properties()
    return {name: inner.items for name, inner in members.items() if inner.kind == "array"}


def allows_null(node: SchemaNode, documents: Resolver | References) -> bool:
    """Tell whether null is a value of a schema that says so."""
    return Facts(node, documents).null


class Facts:
    """The facts about one schema; everything that holds in place is looked at once."""

    __slots__ = ("_depth", "_dialect", "_node", "_references", "_views")

    def __init__(self, node: SchemaNode, documents: Resolver | References, depth: int = 0) -> None:
        self._references = documents if isinstance(documents, References) else References(documents)
        self._depth = depth
        self._dialect = node.dialect
        self._views = self._in_place(Raw(node.value, node.place), ("allOf",))
        self._node = node

    def _in_place(self, raw: Raw, keywords: tuple[str, ...]) -> list[Raw]:
        """Return the schema and what it refers to and lists under the keywords."""
        found: list[Raw] = []
        waiting = [raw]
        while waiting and len(found) < MAX_STEPS:
            try:
                current = self._references.end(waiting.pop(0), self._dialect)
            except DeadReference:
                continue
            if not isinstance(current.value, Mapping) or current in found:
                continue
            found.append(current)
            reference = current.value.get("$ref")
            if isinstance(reference, str):
                waiting.append(Raw({"$ref": reference}, current.place))
            for keyword in keywords:
                inner = current.value.get(keyword)
                if isinstance(inner, list | tuple):
                    waiting.extend(Raw(item, current.place.at(keyword, index)) for index, item in enumerate(inner))
        return found

    def _raw(self) -> Raw:
        return Raw(self._node.value, self._node.place)

    @property
    def kind(self) -> Kind:
        """The kind of value."""
        kinds = [kind for view in self._views if (kind := _kind(view.value)) != "any"]
        if "binary" in kinds:
            return "binary"
        if kinds:
            return kinds[0]
        # A union has a kind if all its branches have the same.
        branches = [self._at(raw).kind for raw in self._branches() if not _is_null(raw.value)]
        return branches[0] if branches and len(set(branches)) == 1 else "any"

    @property
    def items(self) -> Kind:
        """The kind of an array's items."""
        for value, place in self._views:
            inner = value.get("items") if isinstance(value, Mapping) else None
            if isinstance(inner, Mapping):
                return self._at(Raw(inner, place.at("items"))).kind
        return "any"

    @property
    def null(self) -> bool:
        """Whether null is said to be allowed: by every type that is given."""
        said = [_null(view.value) for view in self._views]
        if any(answer is False for answer in said):
            return False
        return any(said) or any(self._at(raw).null or _is_null(raw.value) for raw in self._branches())

    def properties(self) -> dict[str, Facts]:
        """Return the facts about each member of an object."""
        found: dict[str, Facts] = {}
        for value, place in self._in_place(self._raw(), ("allOf", "oneOf", "anyOf")):
            members = value.get("properties") if isinstance(value, Mapping) else None
            if isinstance(members, Mapping):
                for name, inner in members.items():
                    if str(name) not in found:
                        found[str(name)] = self._at(Raw(inner, place.at("properties", name)))
        return found

    def _branches(self) -> list[Raw]:
        found: list[Raw] = []
        if self._depth >= MAX_UNIONS:
            return found
        for value, place in self._views:
            for keyword in ("oneOf", "anyOf"):
                inner = value.get(keyword) if isinstance(value, Mapping) else None
                if isinstance(inner, list | tuple):
                    found.extend(Raw(item, place.at(keyword, index)) for index, item in enumerate(inner))
        return found[:MAX_BRANCHES]

    def _at(self, raw: Raw) -> Facts:
        return Facts(
            SchemaNode(value=raw.value, place=raw.place, dialect=self._dialect), self._references, self._depth + 1
        )


def _kind(value: object) -> Kind:
    """Return the kind one schema states itself."""
    if not isinstance(value, Mapping):
        return "any"
    try:
        named = [name for name in types(value["type"]) if name != "null"] if "type" in value else []
    except Malformed:
        named = []
    if value.get("type") == "file" or _is_binary(value, named):
        return "binary"
    if len(named) == 1:
        return named[0]  # type: ignore[return-value] # one of the names of types
    if set(named) == {"integer", "number"}:
        return "number"
    if not named and isinstance(value.get("properties"), Mapping):
        return "object"
    return "array" if not named and "items" in value else "any"


def _is_binary(value: Mapping[str, object], named: list[str]) -> bool:
    if named not in ([], ["string"]):
        return False
    if value.get("format") == "binary":
        return True
    media = value.get("contentMediaType")
    if not isinstance(media, str) or "contentEncoding" in value:
        return False
    media = media.partition(";")[0].strip().lower()
    return not media.startswith(_TEXT_TYPES) and not media.endswith(_TEXT_SUFFIXES)


def _null(value: object) -> bool | None:
    """Tell what one schema says about null: allowed, refused, or nothing."""
    if not isinstance(value, Mapping):
        return None
    if value.get("nullable") is True or value.get("x-nullable") is True:
        return True
    if "type" not in value:
        listed = value.get("enum")
        return None if not isinstance(listed, list | tuple) else None in listed
    named = value["type"]
    return named == "null" or (isinstance(named, list | tuple) and "null" in named)


def _is_null(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("type") == "null"
