"""Find what a reference points at: resources by URI, anchors by name, parts by JSON pointer (core, 8.2).

A *place* is one schema resource: a document, or a part of it with an `$id` of its own. A document is walked once,
through the keywords that hold schemas and no others: an `$id` inside a `const` or an unknown keyword names nothing.
"""

from __future__ import annotations

from .dialects import Dialect, dialect_of
from .kinds import SchemaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

ONE, LIST, MAP = 1, 2, 3
HOLDERS = {
    "items": ONE, "additionalProperties": ONE, "contains": ONE, "propertyNames": ONE, "not": ONE, "if": ONE,
    "then": ONE, "else": ONE, "unevaluatedItems": ONE, "unevaluatedProperties": ONE, "contentSchema": ONE,
    "allOf": LIST, "anyOf": LIST, "oneOf": LIST, "prefixItems": LIST,
    "properties": MAP, "patternProperties": MAP, "$defs": MAP, "definitions": MAP, "dependentSchemas": MAP,
}  # fmt: skip
"""Keywords whose values hold schemas, and in which form; `definitions` is kept for older documents."""


class Place:
    """One schema resource: its URI, root, named anchors, and the dialect its `$schema` names."""

    __slots__ = ("anchors", "dialect", "dynamic", "root", "uri")

    def __init__(self, uri: str, root: Any, dialect: Dialect) -> None:
        self.uri = uri
        self.root = root
        self.dialect = dialect
        self.anchors: dict[str, Any] = {}
        self.dynamic: dict[str, Any] = {}


def subschemas(schema: dict[str, Any]) -> Iterator[Any]:
    """Yield the schemas directly inside a schema."""
    for keyword, value in schema.items():
        form = HOLDERS.get(keyword)
        if form is None:
            continue
        if form is ONE:
            yield value
        elif form is LIST and isinstance(value, (list, tuple)):
            yield from value
        elif form is MAP and isinstance(value, dict):
            yield from value.values()


class Library:
    """All resources a schema can refer to: its own and the given remote ones, which are read when first asked for."""

    __slots__ = ("_by_uri", "_remotes", "_roots")

    def __init__(self, remotes: Mapping[str, Any] | None = None) -> None:
        self._remotes = remotes or {}
        self._by_uri: dict[str, Place] = {}
        self._roots: dict[int, Place] = {}

    def read(self, document: Any, uri: str = "") -> Place:
        """Register a document and the resources inside it; return the place of its root."""
        first = Place(uri, document, dialect_of(document, None, self._remotes))
        self._by_uri.setdefault(uri, first)
        waiting = [(document, first)]
        while waiting:
            schema, place = waiting.pop()
            if not isinstance(schema, dict):
                continue
            place = self._enter(schema, place)
            waiting.extend((inner, place) for inner in subschemas(schema) if isinstance(inner, dict))
        return self._roots.get(id(document), first)

    def _enter(self, schema: dict[str, Any], place: Place) -> Place:
        own = schema.get("$id")
        if isinstance(own, str):
            uri = join(place.uri, own.partition("#")[0])
            place = Place(uri, schema, dialect_of(schema, place.dialect, self._remotes))
            self._by_uri.setdefault(uri, place)
            self._roots[id(schema)] = place
        for keyword, table in (("$anchor", place.anchors), ("$dynamicAnchor", place.dynamic)):
            name = schema.get(keyword)
            if isinstance(name, str):
                table[name] = schema
        return place

    def place_of(self, schema: dict[str, Any], around: Place) -> Place:
        """Return the place that begins at this schema, or the one around it."""
        return self._roots.get(id(schema), around)

    def find(self, reference: str, place: Place) -> tuple[Any, Place, str | None]:
        """Return the schema a reference names, its place, and the anchor's name if it was named by one."""
        uri, _, fragment = reference.partition("#")
        if uri:
            place = self._document(join(place.uri, uri))
        if "%" in fragment:
            from urllib.parse import unquote  # costs 8 ms, and few references are escaped

            fragment = unquote(fragment)
        if not fragment:
            return place.root, place, None
        if fragment.startswith("/"):
            return (*self._walk(fragment, place), None)
        target = place.anchors.get(fragment, place.dynamic.get(fragment))
        if target is None:
            raise SchemaError(f"no anchor {shorten(fragment)} in the schema")
        return target, place, fragment

    def _document(self, uri: str) -> Place:
        place = self._by_uri.get(uri)
        if place is not None:
            return place
        document = self._remotes.get(uri)
        if document is None:
            raise SchemaError(f"no schema is known by the reference {shorten(uri)}")
        place = self.read(document, uri)
        self._by_uri[uri] = place
        return place

    def _walk(self, pointer: str, place: Place) -> tuple[Any, Place]:
        found = place.root
        for token in pointer[1:].split("/"):
            name = token.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif isinstance(found, (list, tuple)) and name.isascii() and name.isdigit() and int(name) < len(found):
                found = found[int(name)]
            else:
                raise SchemaError(f"the reference {shorten('#' + pointer)} leads nowhere")
            if isinstance(found, dict):
                place = self.place_of(found, place)
        return found, place


def join(base: str, reference: str) -> str:
    """Resolve a URI reference without fragment against a base (RFC 3986, 5.2)."""
    if not reference:
        return base
    if not base or ":" in reference.split("/", 1)[0]:
        return reference
    from urllib.parse import urljoin  # costs 8 ms, and most schemas have no base

    return urljoin(base, reference)


def shorten(text: str) -> str:
    """Quote at most 60 characters of a schema's text for a message."""
    return f'"{text}"' if len(text) <= 60 else f'"{text[:57]}..."'
