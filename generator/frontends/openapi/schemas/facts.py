"""What a request needs to know of a schema: which kind of value it describes, after `$ref` and `allOf`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ....runtime.client.media import OCTET_STREAM
from ..model import SchemaNode
from .follow import DeadReference, References, Resolver
from .keywords import Malformed, types
from .raw import Raw, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["object", "array", "string", "number", "integer", "boolean", "binary", "any"]

MAX_STEPS = 50
"""Schemas looked through for one fact; a value whose kind needs more is of any kind."""

MAX_UNIONS = 3
"""Unions inside one another that are looked into; they may contain themselves."""

MAX_BRANCHES = 20
"""Branches of a union that are looked at."""

OTHERS = "*"
"""Stands for the members that a schema does not name."""

_NOTHING = frozenset({"description", "$comment"})
"""Keywords beside which a schema still says nothing of the value."""

_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/jwt", "application/x-www-form-urlencoded")
_TEXT_SUFFIXES = ("+json", "+xml")


def kind_of(node: SchemaNode, documents: Resolver | References) -> Kind:
    """Return the kind of value a schema describes; `binary` is a file, `any` is what cannot be told."""
    return Facts(node, documents).kind


def items_kind(node: SchemaNode, documents: Resolver | References) -> Kind:
    """Return the kind of an array's items."""
    return Facts(node, documents).items


def property_kinds(node: SchemaNode, documents: Resolver | References, *, parts: bool = False) -> dict[str, Kind]:
    """Return the kind of each member of an object, through `$ref`, `allOf` and unions.

    In `parts` of a multipart body a schema that says nothing is bytes since 3.1 (OAS 3.1.1 §4.8.15.1.1).
    """
    facts = Facts(node, documents)
    found: dict[str, Kind] = {name: inner.part if parts else inner.kind for name, inner in facts.properties().items()}
    others = facts.others()
    return found if others is None else {OTHERS: others.kind, **found}


def property_items(node: SchemaNode, documents: Resolver | References, *, parts: bool = False) -> dict[str, Kind]:
    """Return the kind of the items of each member of an object that is an array; `parts` as for the members."""
    found: dict[str, Kind] = {}
    facts = Facts(node, documents)
    others = facts.others()
    for name, inner in [*([] if others is None else [(OTHERS, others)]), *facts.properties().items()]:
        if inner.kind == "array":
            item = inner.item()
            found[name] = "any" if item is None else item.part if parts else item.kind
    return found


def position_kinds(node: SchemaNode, documents: Resolver | References) -> dict[str, Kind]:
    """Return the kind of an array's first items by their positions, and that of all others under `*`."""
    facts = Facts(node, documents)
    item = facts.item()
    found: dict[str, Kind] = {str(index): each.kind for index, each in enumerate(facts.first_items())}
    return found if item is None else {**found, OTHERS: item.kind}


def property_media_types(node: SchemaNode, documents: Resolver | References) -> dict[str, str]:
    """Return the media types that members of an object, or their items, state themselves (`contentMediaType`)."""
    found = {}
    for name, inner in Facts(node, documents).properties().items():
        stated = (inner if inner.kind != "array" else inner.item() or inner).media_type
        if stated is not None:
            found[name] = stated
    return found


def allows_null(node: SchemaNode, documents: Resolver | References) -> bool:
    """Tell whether null is a value of a schema that says so."""
    return Facts(node, documents).null


def property_node(node: SchemaNode, documents: Resolver | References, name: str) -> SchemaNode | None:
    """Return the schema of a member of an object, None where nothing is said of it."""
    member = Facts(node, documents).properties().get(name)
    return None if member is None else member.node


class Facts:
    """The facts about one schema; everything that holds in place is looked at once."""

    __slots__ = ("_depth", "_dialect", "_node", "_references", "_views")

    def __init__(self, node: SchemaNode, documents: Resolver | References, depth: int = 0) -> None:
        self._references = documents if isinstance(documents, References) else References(documents)
        self._references.room.take()
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
            if not isinstance(current.value, dict) or current in found:
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

    @property
    def node(self) -> SchemaNode:
        """The schema that the facts are about."""
        return self._node

    def _raw(self) -> Raw:
        return Raw(self._node.value, self._node.place)

    @property
    def kind(self) -> Kind:
        """The kind of value; unions of unions lead to the same schemas again and again."""
        known = self._references.kinds
        key = key_of(self._node.place), id(self._node.value), self._depth
        if key not in known:
            known[key] = self._node, self._found_kind()  # the node stays, so that no other value gets its id
        return known[key][1]

    def _found_kind(self) -> Kind:
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
        item = self.item()
        return "any" if item is None else item.kind

    @property
    def part(self) -> Kind:
        """The kind of value in a part of its own: bytes where 3.1 says nothing of it."""
        value = self._node.value
        silent = value is True or (isinstance(value, dict) and _NOTHING.issuperset(value))
        return "binary" if silent and self._dialect == "3.1" else self.kind

    @property
    def media_type(self) -> str | None:
        """The media type that is stated of text or bytes, encoded ones too; bytes as text are bytes where none is."""
        values = [view.value for view in self._views if isinstance(view.value, dict)]
        stated = [value["contentMediaType"] for value in values if isinstance(value.get("contentMediaType"), str)]
        if any("contentEncoding" in value for value in values):
            stated.append(OCTET_STREAM)  # the default of its kind (OAS 3.1.1 §4.8.15.1.1)
        return next((each for each in stated if each.isprintable()), None)

    def others(self) -> Facts | None:
        """Return the facts about members that are not named, None where nothing is said of them."""
        for value, place in self._views:
            inner = value.get("additionalProperties") if isinstance(value, dict) else None
            if isinstance(inner, dict):
                return self._at(Raw(inner, place.at("additionalProperties")))
        return None

    def first_items(self) -> list[Facts]:
        """Return the facts about the items of an array that are described one by one."""
        for value, place in self._views:
            inner = value.get("prefixItems") if isinstance(value, dict) else None
            if isinstance(inner, list | tuple):
                return [self._at(Raw(each, place.at("prefixItems", index))) for index, each in enumerate(inner)]
        return []

    def item(self) -> Facts | None:
        """Return the facts about an array's items, None where nothing is said of them."""
        for value, place in self._views:
            inner = value.get("items") if isinstance(value, dict) else None
            if isinstance(inner, dict) or inner is True:
                return self._at(Raw(inner, place.at("items")))
        return None

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
            members = value.get("properties") if isinstance(value, dict) else None
            if isinstance(members, dict):
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
                inner = value.get(keyword) if isinstance(value, dict) else None
                if isinstance(inner, list | tuple):
                    looked_at = enumerate(inner[: MAX_BRANCHES - len(found)])
                    found.extend(Raw(item, place.at(keyword, index)) for index, item in looked_at)
        return found

    def _at(self, raw: Raw) -> Facts:
        return Facts(
            SchemaNode(value=raw.value, place=raw.place, dialect=self._dialect), self._references, self._depth + 1
        )


def _kind(value: object) -> Kind:
    """Return the kind one schema states itself."""
    if not isinstance(value, dict):
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
    if not named and isinstance(value.get("properties"), dict):
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
    if not isinstance(value, dict):
        return None
    if value.get("nullable") is True or value.get("x-nullable") is True:
        return True
    if "type" not in value:
        listed = value.get("enum")
        return None if not isinstance(listed, list | tuple) else None in listed
    named = value["type"]
    return named == "null" or (isinstance(named, list | tuple) and "null" in named)


def _is_null(value: object) -> bool:
    return isinstance(value, dict) and value.get("type") == "null"
