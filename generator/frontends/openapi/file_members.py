"""Files inside a body that is one argument: where its schema has bytes, a file can be given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...jsonschema.slimming import PREFIX
from .media_types import body_kind
from .schemas import file_schema

if TYPE_CHECKING:
    from .model import Encoding

EVERY_ITEM = "*"
"""The key of what holds for each item of an array whose items are parts, or for each member nothing else is said of."""

MAX_LEVELS = 4
"""References, and branches inside one another, in which files are looked for; bodies of parts are not deeper."""

_BRANCHES = ("allOf", "anyOf", "oneOf")


def with_files(schema: Mapping[str, Any], kind: str | None, items: str | None) -> Mapping[str, Any]:
    """Return the schema of a part, with a file where its bytes are wanted."""
    if kind == "binary":
        return file_schema(schema.get("description", ""))
    if kind == "array" and items == "binary":
        kept = {key: value for key, value in schema.items() if key in ("description", "minItems", "maxItems")}
        return {"type": "array", **kept, "items": file_schema()}
    return schema


def with_member_files(
    schema: Mapping[str, Any],
    kinds: Mapping[str, str],
    items: Mapping[str, str],
    definitions: Mapping[str, Any],
    level: int = 0,
) -> Mapping[str, Any]:
    """Return the schema of an object with files among its members, also among those of its branches.

    What it refers to is put in its place, because the same schema may be of JSON elsewhere. The kind of members that
    are not named is that of `*`.
    """
    found = _resolved(schema, definitions)
    schema = dict(found)
    if isinstance(members := schema.get("properties"), Mapping):
        found["properties"] = {
            name: with_files(each, kinds.get(name), items.get(name)) if isinstance(each, Mapping) else each
            for name, each in members.items()
        }
    if isinstance(others := schema.get("additionalProperties"), Mapping):
        found["additionalProperties"] = with_files(others, kinds.get(EVERY_ITEM), items.get(EVERY_ITEM))
    for keyword in _BRANCHES:
        if keyword in schema and level < MAX_LEVELS:
            found[keyword] = [
                with_member_files(each, kinds, items, definitions, level + 1) if isinstance(each, Mapping) else each
                for each in schema[keyword]
            ]
    return found


def _resolved(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a schema with what it refers to in place of the reference."""
    found = dict(schema)
    for _ in range(MAX_LEVELS):
        target = definitions.get(str(found.get("$ref")).removeprefix(PREFIX))
        if not isinstance(target, Mapping):
            break
        del found["$ref"]
        found = {**target, **found}
    return found


def with_item_files(schema: Mapping[str, Any], kinds: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the schema of an array whose items are parts, with files where the kinds by position say bytes."""
    found = dict(schema)
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list | tuple):
        found["prefixItems"] = [
            file_schema() if kinds.get(str(index)) == "binary" else each for index, each in enumerate(prefix)
        ]
    if kinds.get(EVERY_ITEM) == "binary" and schema.get("items") is not False:
        found["items"] = file_schema()
    return found


def kinds_by_position(kinds: Mapping[str, str], encodings: Mapping[str, Encoding]) -> dict[str, str]:
    """Return which items of an array of parts are files: by their kinds, or by the types that their encodings name.

    OAS 3.2 §4.15: `*` stands for the items that have no place of their own in either.
    """
    typed = {
        position
        for position, encoding in encodings.items()
        if encoding.content_type is not None
        and body_kind(encoding.content_type.partition(",")[0].strip(), "string") == "binary"
    }
    bytes_of = {position for position, kind in kinds.items() if kind == "binary"}
    return dict.fromkeys(sorted(typed | bytes_of), "binary")
