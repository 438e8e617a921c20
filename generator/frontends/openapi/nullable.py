"""Whether a schema allows null, and how it is made to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...jsonschema.slimming import PREFIX
from ...jsonschema.subschemas import MAPPINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_STEPS = 50
"""References and combinators that are looked through; a cycle ends there."""

MAX_LEVELS = 2
"""References inside one another whose members a merge patch can clear; deeper ones are sent whole."""

_SILENT = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})
"""Keywords that do not restrict values."""


def allows_null(
    schema: Any, definitions: Mapping[str, Any], steps: int = MAX_STEPS, known: dict[str, bool] | None = None
) -> bool:
    """Return whether a converted schema says that null is allowed; one that says nothing about types allows it too.

    `known` are the definitions that were looked at on the way, each once: they may refer to one another twice at every
    level.
    """
    known = {} if known is None else known
    if not isinstance(schema, MAPPINGS):
        return schema is not False
    if steps <= 0:
        return False
    if "const" in schema:
        return schema["const"] is None
    if "enum" in schema and None not in schema["enum"]:
        return False
    kinds = schema.get("type")
    if kinds is not None and kinds != "null" and (isinstance(kinds, str) or "null" not in kinds):
        return False
    if not _target_allows(schema.get("$ref"), definitions, steps - 1, known):
        return False
    for keyword, enough in (("anyOf", any), ("oneOf", any), ("allOf", all)):
        branches = schema.get(keyword)
        if branches and not enough(allows_null(each, definitions, steps - 1, known) for each in branches):
            return False
    return True


def _target_allows(reference: Any, definitions: Mapping[str, Any], steps: int, known: dict[str, bool]) -> bool:
    if not isinstance(reference, str):
        return True
    name = reference.removeprefix(PREFIX)
    if name in definitions and name not in known:
        known[name] = False  # as long as it is being looked at
        known[name] = allows_null(definitions[name], definitions, steps, known)
    return known.get(name, True)


def says_null(schema: Any, definitions: Mapping[str, Any]) -> bool:
    """Return whether null is a value that a schema speaks of, not merely one that it does not exclude."""
    return isinstance(schema, MAPPINGS) and bool(set(schema) - _SILENT) and allows_null(schema, definitions)


def with_null(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema that allows null besides what it allowed."""
    if allows_null(schema, definitions):
        return schema
    kinds = schema.get("type") if isinstance(schema, MAPPINGS) else None
    if isinstance(kinds, str) and "enum" not in schema and "const" not in schema:
        return {**schema, "type": [kinds, "null"]}
    if isinstance(kinds, list | tuple) and "enum" not in schema and "const" not in schema:
        return {**schema, "type": [*kinds, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def clearable(schema: Mapping[str, Any], definitions: Mapping[str, Any], levels: int = MAX_LEVELS) -> Mapping[str, Any]:
    """Return a schema of a merge patch, in which null clears what need not be there, at any depth (RFC 7396 §2).

    What it refers to is put in its place, because the same schema may be of something else elsewhere. Arrays are not
    merged, so nothing in them is cleared.
    """
    target = definitions.get(str(schema.get("$ref")).removeprefix(PREFIX))
    if levels and isinstance(target, MAPPINGS) and "properties" in target:
        beside = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        return clearable({**target, **beside}, definitions, levels - 1)
    found = dict(schema)
    members, others = schema.get("properties"), schema.get("additionalProperties")
    if isinstance(members, MAPPINGS):
        needed = schema.get("required") or ()
        found["properties"] = {
            name: each if name in needed else cleared(each, definitions, levels) for name, each in members.items()
        }
    if isinstance(others, MAPPINGS):
        found["additionalProperties"] = cleared(others, definitions, levels)
    return found


def cleared(schema: Any, definitions: Mapping[str, Any], levels: int = MAX_LEVELS) -> Any:
    """Return the schema of a member of a merge patch that null removes, and parts of it as well."""
    inner = clearable(schema, definitions, levels) if isinstance(schema, MAPPINGS) else schema
    return with_null(inner, definitions)
