"""Request bodies: which media type is sent, and whether its members are arguments or the body is one (decision 29)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...runtime.client.media import EVENT_STREAM, JSON_LINES, JSON_SEQUENCES, essence, is_json
from .arguments import Argument
from .descriptions import bounded
from .encoding_entries import encodings_of
from .encodings import PartHeader, part_headers
from .file_members import EVERY_ITEM, kinds_by_position, with_files, with_item_files, with_member_files
from .limits import MAX_MEMBERS
from .media_choices import STRUCTURED, offers, own_name, schema_kind
from .media_types import MERGE_PATCH, body_kind, is_wildcard
from .nullable import clearable, cleared
from .schemas import (
    file_schema,
    kind_of,
    position_kinds,
    property_items,
    property_kinds,
    property_media_types,
    property_node,
    xml_plan,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .media_choices import Choice
    from .model import Body, Encoding, SchemaNode
    from .schemas import Assembly, ObjectShape, Schemas

BODY = "body"
"""The argument a body is that cannot be taken apart."""

CONTENT_TYPE = "content_type"
"""The argument that chooses the media type where several can be sent."""

_SAYS_EMPTY = frozenset(("type", "properties", "additionalProperties", "title", "description"))
_BY_PROPERTY = ("form", "multipart")
_ENCODED = {"binary": "a file", "text": "text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """The argument that is the whole body where it is sent as one of `content`, which has a schema of its own."""

    argument: Argument
    content: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPlan:
    """The arguments a body is made from; `flat` tells that they are its members, by their wire names.

    `content` are the entries of the request's `content`, the first being the default; `others` are the media types that
    other arguments serve for; `headers` are those of parts; `left_out` are the declared types that none serves for;
    `crowded` is how many members the body has where they are too many for arguments.
    """

    arguments: tuple[Argument, ...]
    flat: bool
    required: bool
    content: tuple[Mapping[str, Any], ...]
    others: tuple[Whole, ...] = ()
    headers: tuple[PartHeader, ...] = ()
    left_out: tuple[str, ...] = ()
    crowded: int = 0

    @property
    def everything(self) -> tuple[Argument, ...]:
        """The arguments of all media types: the default's, whole bodies of others, headers of parts."""
        others = (each.argument for each in self.others)
        return (*self.arguments, *others, *(each.argument for each in self.headers))

    @property
    def types(self) -> tuple[str, ...]:
        """The media types that can be sent."""
        groups = (self.content, *(each.content for each in self.others))
        return tuple(dict.fromkeys(entry["type"] for group in groups for entry in group))


def plan_body(body: Body, assembly: Assembly, schemas: Schemas, limit: int) -> BodyPlan | None:
    """Return how a body is sent, None where nothing is declared that could be; raises SchemaProblem.

    `limit` is how many characters may describe a body that is one argument.
    """
    offered = offers(body, schemas)
    if offered is None:
        return None
    choices = offered.alike
    first = choices[0]
    if not body.required and len(choices) == len(body.content) and _is_empty(first, assembly):
        return None
    flat = _flattened(body, first, first.node, assembly, schemas)
    everything = (each for group in (choices, *offered.others) for each in group)
    parts = next((each.media.encoding for each in everything if each.kind == "multipart"), {})
    headers = part_headers(parts, assembly, limit)
    arguments = flat
    if arguments is None:
        whole = _whole(body, choices, first.node, assembly, schemas, limit)
        arguments = (
            Argument(wire=BODY, location=BODY, schema=whole, required=body.required, whole=True, place=body.place),
        )
    return BodyPlan(
        arguments=arguments,
        flat=flat is not None,
        required=body.required,
        content=tuple(_entry(each, schemas) for each in choices),
        others=tuple(_other(body, group, assembly, schemas, limit) for group in offered.others),
        headers=headers,
        left_out=offered.left_out,
        crowded=0 if flat is not None else _crowd(body, first, assembly),
    )


def _other(body: Body, group: Sequence[Choice], assembly: Assembly, schemas: Schemas, limit: int) -> Whole:
    """Return the argument for media types whose schema is unlike the default's."""
    first = group[0]
    schema = _whole(body, group, first.node, assembly, schemas, limit)
    if first.kind == "json":
        said = bounded(str(schema.get("description", "")), limit)
        schema = {**schema, "description": " ".join(part for part in (said, f"Sent as {first.type}.") if part)}
    return Whole(
        argument=Argument(wire=own_name(first), location=BODY, schema=schema, whole=True, place=body.place),
        content=tuple(_entry(each, schemas) for each in group),
    )


def _patch(schema: Mapping[str, Any], node: SchemaNode, assembly: Assembly) -> Mapping[str, Any]:
    """Return the schema of a whole merge patch in which null clears all that need not be given."""
    shape = assembly.shape(node)
    definitions = assembly.definitions()
    if shape is None or not shape.properties:
        return clearable(schema, definitions)
    needed = frozenset(shape.required)
    properties = {
        wire: clearable(_object(each), definitions) if wire in needed else cleared(_object(each), definitions)
        for wire, each in shape.properties.items()
    }
    required = {"required": list(shape.required)} if shape.required else {}
    text = {"description": schema["description"]} if "description" in schema else {}
    return {"type": "object", **text, "properties": properties, **required}


def _is_empty(choice: Choice, assembly: Assembly) -> bool:
    """Whether nothing can be sent: an object that has no members and takes none, as generated descriptions have it."""
    node = choice.media.schema
    if node is None or choice.kind not in STRUCTURED:
        return False
    value = node.value
    if not isinstance(value, Mapping) or value.get("additionalProperties") is not False or value.get("properties"):
        return False
    schema = assembly.schema(node)
    return isinstance(schema, Mapping) and schema.keys() <= _SAYS_EMPTY and schema.get("type") == "object"


def _flattened(
    body: Body, choice: Choice, node: SchemaNode | None, assembly: Assembly, schemas: Schemas
) -> tuple[Argument, ...] | None:
    """Return the members of a body as arguments, None when they are not to be told one by one."""
    shape = _shape(body, choice, node, assembly)
    if node is None or shape is None or len(shape.properties) > MAX_MEMBERS:
        return None
    needed = frozenset(shape.required)
    merging = essence(choice.media.type) == MERGE_PATCH
    kinds, items = _member_kinds(choice, node, schemas)
    definitions = assembly.definitions() if merging else {}
    arguments = []
    for wire, schema in shape.properties.items():
        required = wire in needed
        shown = with_files(_object(schema), kinds.get(wire), items.get(wire))
        if merging:
            shown = clearable(shown, definitions) if required else cleared(shown, definitions)
        arguments.append(Argument(wire=wire, location=BODY, schema=shown, required=required, place=body.place))
    return tuple(arguments)


def _shape(body: Body, choice: Choice, node: SchemaNode | None, assembly: Assembly) -> ObjectShape | None:
    """Return the object whose members can be told one by one, None where a body is not that."""
    if node is None or choice.media.item_schema is not None or choice.kind not in STRUCTURED:
        return None
    shape = assembly.shape(node)
    if shape is None or not shape.properties or (shape.required and not body.required):
        return None
    return shape


def _crowd(body: Body, choice: Choice, assembly: Assembly) -> int:
    """Return how many members a body has that would be arguments if they were fewer, else 0."""
    shape = _shape(body, choice, choice.node, assembly)
    count = 0 if shape is None else len(shape.properties)
    return count if count > MAX_MEMBERS else 0


def _member_kinds(choice: Choice, node: SchemaNode, schemas: Schemas) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the kinds of a form's or multipart body's members, and those of the items of arrays among them."""
    if choice.kind not in _BY_PROPERTY:
        return {}, {}
    parts, references = choice.kind == "multipart", schemas.references
    if _is_sequence(choice, node, schemas):
        item = choice.media.schema is None
        kinds = {EVERY_ITEM: kind_of(node, references)} if item else position_kinds(node, references)
        return kinds_by_position(kinds, choice.media.encoding), {}
    # what says nothing of a part makes it bytes, unless its encoding says that it is JSON or text
    said = {name for name, each in choice.media.encoding.items() if _is_said(each)} if parts else set()
    kinds, items = property_kinds(node, references, parts=parts), property_items(node, references, parts=parts)
    if said & kinds.keys():
        plain, plain_items = property_kinds(node, references), property_items(node, references)
        kinds |= {name: plain[name] for name in said & plain.keys()}
        items |= {name: plain_items[name] for name in said & plain_items.keys()}
    return kinds, items


def _is_said(encoding: Encoding) -> bool:
    """Whether an encoding says that a part is no file, whatever its schema leaves open."""
    first = (encoding.content_type or "").partition(",")[0].strip()
    return bool(first) and not is_wildcard(first) and body_kind(first, "any") not in ("binary", "multipart")


def _whole(
    body: Body, choices: Sequence[Choice], node: SchemaNode | None, assembly: Assembly, schemas: Schemas, limit: int
) -> Mapping[str, Any]:
    """Return the schema of the argument that is the whole body."""
    first = choices[0]
    if first.kind == "binary":
        schema: Mapping[str, Any] = file_schema()
    elif first.kind == "text" and not _is_readable(first, schema_kind(node, schemas)):
        schema = {"type": "string"}
    elif node is None:
        schema = {"type": "object"} if first.kind in _BY_PROPERTY else {}
    else:
        schema = _object(assembly.schema(node))
        if first.media.item_schema is not None and first.media.schema is None:
            schema = {"type": "array", "items": schema}
        if first.kind in _BY_PROPERTY:
            schema = _with_files(first, node, schema, assembly, schemas)
        elif essence(first.media.type) == MERGE_PATCH:
            schema = _patch(schema, node, assembly)
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
    return choice.media.schema is None or schema_kind(node, schemas) == "array"


def _is_readable(choice: Choice, kind: str) -> bool:
    """Whether a body of text is made from a value as its schema has it: a flat one, lines of JSON, or events.

    Any other text, such as YAML of which nothing is said, is written by the caller.
    """
    if essence(choice.media.type) in JSON_LINES | JSON_SEQUENCES | {EVENT_STREAM}:
        return kind in ("object", "array") or choice.media.item_schema is not None
    return kind in ("string", "number", "integer", "boolean") and choice.media.item_schema is None


def _entry(choice: Choice, schemas: Schemas) -> Mapping[str, Any]:
    """Return the runtime's description of one media type."""
    entry: dict[str, Any] = {"type": choice.type, "kind": choice.kind}
    node = choice.media.schema
    if choice.kind in _BY_PROPERTY:
        encodings = encodings_of(choice.media.encoding)
        if choice.node is not None:
            kinds, items = _member_kinds(choice, choice.node, schemas)
            entry |= {"kinds": dict(kinds)} if kinds else {}
            entry |= {"items": dict(items)} if items else {}
            if choice.kind == "multipart" and node is not None:
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
        if member is not None and body_kind(declared, schema_kind(member, schemas)) == "xml":
            plan, definitions = xml_plan(member, schemas.references)
            # each item of an array is a part of its own
            encoding["xml"] = plan.get("items", {}) if schema_kind(member, schemas) == "array" else plan
            if definitions:
                encoding["xml_definitions"] = definitions


def _object(schema: Any) -> Mapping[str, Any]:
    """Return a schema as an object: true says nothing, false allows nothing."""
    if isinstance(schema, Mapping):
        return schema
    return {"not": {}} if schema is False else {}
