"""Request bodies: which media type is sent, and whether its members are arguments or the body is one (decision 29)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .arguments import Argument
from .descriptions import bounded
from .encodings import PartHeader, encodings_of, part_headers
from .media_types import MERGE_PATCH, BodyKind, body_kind, essence, preference, sent_as
from .nullable import with_null
from .schemas import file_schema, kind_of, property_items, property_kinds, xml_plan

if TYPE_CHECKING:
    from .model import Body, MediaType, SchemaNode
    from .schemas import Assembly, Schemas

BODY = "body"
"""The argument a body is that cannot be taken apart."""

CONTENT_TYPE = "content_type"
"""The argument that chooses the media type where several can be sent."""

_BY_PROPERTY = ("form", "multipart")
_STRUCTURED = ("json", "form", "multipart", "xml")
_ENCODED = {"binary": "a file", "text": "text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A media type that can be sent, how its body is written, and the type that is sent in its name."""

    media: MediaType
    kind: BodyKind

    @property
    def type(self) -> str:
        """The value of Content-Type."""
        return sent_as(self.media.type, self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPlan:
    """The arguments a body is made from; `flat` tells that they are its members, by their wire names.

    `content` are the entries of the request's `content`, the first being the default; `headers` are those of parts.
    """

    arguments: tuple[Argument, ...]
    flat: bool
    required: bool
    content: tuple[Mapping[str, Any], ...]
    headers: tuple[PartHeader, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """The media types that can be sent."""
        return tuple(dict.fromkeys(entry["type"] for entry in self.content))


def plan_body(body: Body, assembly: Assembly, schemas: Schemas, limit: int) -> BodyPlan | None:
    """Return how a body is sent, None where nothing is declared that could be; raises SchemaProblem.

    `limit` is how many characters may describe a body that is one argument.
    """
    choices = _choices(body, schemas)
    if not choices:
        return None
    first = choices[0]
    node = first.media.schema or first.media.item_schema
    flat = _flattened(body, first, node, assembly, schemas) if first.kind in _STRUCTURED else None
    content = tuple(_entry(each, schemas) for each in choices)
    parts = next((each.media.encoding for each in choices if each.kind == "multipart"), {})
    headers = part_headers(parts, assembly, limit)
    if flat is not None:
        return BodyPlan(arguments=flat, flat=True, required=body.required, content=content, headers=headers)
    argument = Argument(
        wire=BODY,
        location=BODY,
        schema=_whole(body, choices, node, assembly, limit),
        required=body.required,
        place=body.place,
    )
    return BodyPlan(arguments=(argument,), flat=False, required=body.required, content=content, headers=headers)


def _choices(body: Body, schemas: Schemas) -> list[Choice]:
    """Return the preferred media type, then those that the same arguments can be sent as."""
    found = []
    for media in body.content:
        schema = media.schema or media.item_schema
        found.append(Choice(media=media, kind=body_kind(media.type, _kind(schema, schemas))))
    if not found:
        return []
    first = min(found, key=lambda each: preference(each.media.type, each.kind))
    same = [each for each in found if each is not first and _alike(each, first)]
    distinct = {each.type: each for each in reversed([first, *same])}
    return [first, *(each for kind, each in reversed(distinct.items()) if kind != first.type)]


def _alike(other: Choice, first: Choice) -> bool:
    """Whether the arguments of one media type serve for another: same schema, and both structured or both not."""
    if essence(other.media.type) == MERGE_PATCH or essence(first.media.type) == MERGE_PATCH:
        return False
    kinds_fit = other.kind == first.kind or (other.kind in _STRUCTURED and first.kind in _STRUCTURED)
    one, two = other.media.schema, first.media.schema
    if one is None or two is None:
        return kinds_fit and one is two
    return kinds_fit and one.place.file is two.place.file and one.value == two.value


def _kind(node: SchemaNode | None, schemas: Schemas) -> str:
    return "any" if node is None else kind_of(node, schemas.references)


def _flattened(
    body: Body, choice: Choice, node: SchemaNode | None, assembly: Assembly, schemas: Schemas
) -> tuple[Argument, ...] | None:
    """Return the members of a body as arguments, None when they are not to be told one by one."""
    if node is None or choice.media.item_schema is not None:
        return None
    shape = assembly.shape(node)
    if shape is None or not shape.properties or (shape.required and not body.required):
        return None
    merging = essence(choice.media.type) == MERGE_PATCH
    by_property = choice.kind in _BY_PROPERTY
    kinds = property_kinds(node, schemas.references) if by_property else {}
    items = property_items(node, schemas.references) if by_property else {}
    definitions = assembly.definitions() if merging else {}
    arguments = []
    for wire, schema in shape.properties.items():
        required = wire in shape.required
        shown = _with_files(_object(schema), kinds.get(wire), items.get(wire))
        if merging and not required:
            shown = with_null(shown, definitions)
        arguments.append(Argument(wire=wire, location=BODY, schema=shown, required=required, place=body.place))
    return tuple(arguments)


def _with_files(schema: Mapping[str, Any], kind: str | None, items: str | None) -> Mapping[str, Any]:
    """Return the schema of a part, with a file where its bytes are wanted."""
    if kind == "binary":
        return file_schema(schema.get("description", ""))
    if kind == "array" and items == "binary":
        kept = {key: value for key, value in schema.items() if key in ("description", "minItems", "maxItems")}
        return {"type": "array", **kept, "items": file_schema()}
    return schema


def _whole(
    body: Body, choices: list[Choice], node: SchemaNode | None, assembly: Assembly, limit: int
) -> Mapping[str, Any]:
    """Return the schema of the argument that is the whole body."""
    first = choices[0]
    if first.kind == "binary":
        schema: Mapping[str, Any] = file_schema()
    elif first.kind == "text":
        schema = {"type": "string"}
    elif node is None:
        schema = {"type": "object"} if first.kind in _BY_PROPERTY else {}
    else:
        schema = _object(assembly.schema(node))
        if first.media.item_schema is not None and first.media.schema is None:
            schema = {"type": "array", "items": schema}
    said = bounded(body.description or str(schema.get("description", "")), limit)
    kind = _ENCODED.get(first.kind)
    note = f"Sent as {first.type}." if kind is not None or first.kind != "json" else ""
    text = " ".join(part for part in (said, note) if part)
    return {**schema, "description": text} if text else schema


def _entry(choice: Choice, schemas: Schemas) -> Mapping[str, Any]:
    """Return the runtime's description of one media type."""
    entry: dict[str, Any] = {"type": choice.type, "kind": choice.kind}
    node = choice.media.schema
    if choice.kind in _BY_PROPERTY and node is not None:
        kinds = property_kinds(node, schemas.references)
        items = property_items(node, schemas.references)
        entry |= {"kinds": dict(kinds)} if kinds else {}
        entry |= {"items": dict(items)} if items else {}
    if choice.kind in _BY_PROPERTY and choice.media.encoding:
        encodings = encodings_of(choice.media.encoding)
        entry |= {"encoding": encodings} if encodings else {}
    if choice.kind == "xml" and node is not None:
        plan, definitions = xml_plan(node, schemas.references)
        entry["xml"] = plan
        entry |= {"xml_definitions": definitions} if definitions else {}
    return entry


def _object(schema: Any) -> Mapping[str, Any]:
    """Return a schema as an object: true says nothing, false allows nothing."""
    if isinstance(schema, Mapping):
        return schema
    return {"not": {}} if schema is False else {}
