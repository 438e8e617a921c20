"""Request bodies: which media type is sent, and whether its members are arguments or the body is one (decision 29)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...runtime.client.media import JSON_LINES, JSON_SEQUENCES, essence, is_json
from .arguments import Argument
from .descriptions import bounded
from .encoding_entries import encodings_of
from .encodings import PartHeader, part_headers
from .file_members import kinds_by_position, with_files, with_item_files, with_member_files
from .media_types import MERGE_PATCH, BodyKind, body_kind, is_wildcard, preference, sent_as
from .nullable import with_null
from .schemas import (
    file_schema,
    kind_of,
    property_items,
    property_kinds,
    property_media_types,
    property_node,
    xml_plan,
)

if TYPE_CHECKING:
    from .model import Body, MediaType, SchemaNode
    from .schemas import Assembly, Schemas

BODY = "body"
"""The argument a body is that cannot be taken apart."""

CONTENT_TYPE = "content_type"
"""The argument that chooses the media type where several can be sent."""

_SAYS_EMPTY = frozenset(("type", "properties", "additionalProperties", "title", "description"))
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

    `content` are the entries of the request's `content`, the first being the default; `headers` are those of parts;
    `left_out` are the declared media types that these arguments do not serve for.
    """

    arguments: tuple[Argument, ...]
    flat: bool
    required: bool
    content: tuple[Mapping[str, Any], ...]
    headers: tuple[PartHeader, ...] = ()
    left_out: tuple[str, ...] = ()

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
    if not body.required and len(choices) == len(body.content) and _is_empty(first, assembly):
        return None
    flat = _flattened(body, first, node, assembly, schemas) if first.kind in _STRUCTURED else None
    content = tuple(_entry(each, schemas) for each in choices)
    parts = next((each.media.encoding for each in choices if each.kind == "multipart"), {})
    headers = part_headers(parts, assembly, limit)
    arguments = flat
    if arguments is None:
        whole = _whole(body, choices, node, assembly, schemas, limit)
        arguments = (Argument(wire=BODY, location=BODY, schema=whole, required=body.required, place=body.place),)
    return BodyPlan(
        arguments=arguments,
        flat=flat is not None,
        required=body.required,
        content=content,
        headers=headers,
        left_out=_left_out(body, choices),
    )


def _left_out(body: Body, choices: list[Choice]) -> tuple[str, ...]:
    """Return the media types that cannot be chosen; one that stands for several is met by any of them."""
    offered = {choice.media.type for choice in choices}
    return tuple(each.type for each in body.content if each.type not in offered and not is_wildcard(each.type))


def _is_empty(choice: Choice, assembly: Assembly) -> bool:
    """Whether nothing can be sent: an object that has no members and takes none, as generated descriptions have it."""
    node = choice.media.schema
    if node is None or choice.kind not in _STRUCTURED:
        return False
    value = node.value
    if not isinstance(value, Mapping) or value.get("additionalProperties") is not False or value.get("properties"):
        return False
    schema = assembly.schema(node)
    return isinstance(schema, Mapping) and schema.keys() <= _SAYS_EMPTY and schema.get("type") == "object"


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
    kinds, items = _member_kinds(choice, node, schemas)
    definitions = assembly.definitions() if merging else {}
    arguments = []
    for wire, schema in shape.properties.items():
        required = wire in shape.required
        shown = with_files(_object(schema), kinds.get(wire), items.get(wire))
        if merging and not required:
            shown = with_null(shown, definitions)
        arguments.append(Argument(wire=wire, location=BODY, schema=shown, required=required, place=body.place))
    return tuple(arguments)


def _member_kinds(choice: Choice, node: SchemaNode, schemas: Schemas) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the kinds of a form's or multipart body's members, and those of the items of arrays among them."""
    if choice.kind not in _BY_PROPERTY:
        return {}, {}
    parts = choice.kind == "multipart"
    if _is_sequence(choice, node, schemas):
        return kinds_by_position(choice.media.encoding), {}
    references = schemas.references
    return property_kinds(node, references, parts=parts), property_items(node, references, parts=parts)


def _whole(
    body: Body, choices: list[Choice], node: SchemaNode | None, assembly: Assembly, schemas: Schemas, limit: int
) -> Mapping[str, Any]:
    """Return the schema of the argument that is the whole body."""
    first = choices[0]
    if first.kind == "binary":
        schema: Mapping[str, Any] = file_schema()
    elif first.kind == "text" and not _is_readable(first, _kind(node, schemas)):
        schema = {"type": "string"}
    elif node is None:
        schema = {"type": "object"} if first.kind in _BY_PROPERTY else {}
    else:
        schema = _object(assembly.schema(node))
        if first.media.item_schema is not None and first.media.schema is None:
            schema = {"type": "array", "items": schema}
        if first.kind in _BY_PROPERTY:
            schema = _with_files(first, node, schema, assembly, schemas)
    said = bounded(body.description or str(schema.get("description", "")), limit)
    kind = _ENCODED.get(first.kind)
    note = f"Sent as {first.type}." if kind is not None or first.kind != "json" else ""
    text = " ".join(part for part in (said, note) if part)
    return {**schema, "description": text} if text else schema


def _with_files(
    choice: Choice, node: SchemaNode, schema: Mapping[str, Any], assembly: Assembly, schemas: Schemas
) -> Mapping[str, Any]:
    """Return the schema of a body of parts or fields, with files where their bytes are wanted."""
    kinds, items = _member_kinds(choice, node, schemas)
    if "binary" not in (*kinds.values(), *items.values()):
        return schema
    if _is_sequence(choice, node, schemas):
        return with_item_files(schema, kinds)
    return with_member_files(schema, kinds, items, assembly.definitions())


def _is_sequence(choice: Choice, node: SchemaNode, schemas: Schemas) -> bool:
    """Whether a body is an array, whose items are its parts."""
    return choice.media.schema is None or _kind(node, schemas) == "array"


def _is_readable(choice: Choice, kind: str) -> bool:
    """Whether a body of text is made from a value as its schema has it: a flat one, or lines of JSON.

    Any other text, such as YAML, is written by the caller.
    """
    if essence(choice.media.type) in JSON_LINES | JSON_SEQUENCES:
        return kind in ("object", "array") or choice.media.item_schema is not None
    return kind in ("string", "number", "integer", "boolean") and choice.media.item_schema is None


def _entry(choice: Choice, schemas: Schemas) -> Mapping[str, Any]:
    """Return the runtime's description of one media type."""
    entry: dict[str, Any] = {"type": choice.type, "kind": choice.kind}
    node = choice.media.schema
    if choice.kind in _BY_PROPERTY:
        encodings = encodings_of(choice.media.encoding)
        if node is not None:
            kinds, items = _member_kinds(choice, node, schemas)
            entry |= {"kinds": dict(kinds)} if kinds else {}
            entry |= {"items": dict(items)} if items else {}
            if choice.kind == "multipart":
                _add_media_types(encodings, property_media_types(node, schemas.references))
                _add_xml_plans(encodings, node, schemas)
        entry |= {"encoding": encodings} if encodings else {}
    if choice.kind == "xml" and node is not None:
        plan, definitions = xml_plan(node, schemas.references)
        entry["xml"] = plan
        entry |= {"xml_definitions": definitions} if definitions else {}
    return entry


def _add_media_types(encodings: dict[str, Any], stated: Mapping[str, str]) -> None:
    """Take the media types that members state themselves where no encoding says another; JSON text is sent as text."""
    for name, media_type in stated.items():
        if not is_json(media_type) and not {"content_type", "style", "explode"} & encodings.get(name, {}).keys():
            encodings[name] = {**encodings.get(name, {}), "content_type": media_type}


def _add_xml_plans(encodings: dict[str, Any], node: SchemaNode, schemas: Schemas) -> None:
    """Say of objects and arrays that are parts of XML how they are written."""
    for name, encoding in encodings.items():
        declared = str(encoding.get("content_type", "")).partition(",")[0]
        member = property_node(node, schemas.references, name)
        if member is not None and body_kind(declared, _kind(member, schemas)) == "xml":
            plan, definitions = xml_plan(member, schemas.references)
            # each item of an array is a part of its own
            encoding["xml"] = plan.get("items", {}) if _kind(member, schemas) == "array" else plan
            if definitions:
                encoding["xml_definitions"] = definitions


def _object(schema: Any) -> Mapping[str, Any]:
    """Return a schema as an object: true says nothing, false allows nothing."""
    if isinstance(schema, Mapping):
        return schema
    return {"not": {}} if schema is False else {}
