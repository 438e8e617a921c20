"""What official clients refuse in a list: one wrong entry costs them the whole answer, so it is not shown to them.

The rules are those of the schemas that the SDKs check with (`ToolSchema`, `ResourceSchema`, `PromptSchema`). A wrong
member that may be missing is taken off; an entry without the members that it has to have is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ...definitions import ANNOTATION_NAMES
from ...jsonschema.meta import metaschema_error

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAME = 64
"""Characters of a name: what every model API accepts, before a gateway puts anything in front of it."""

MAX_DEFINITION_BYTES = 256 << 10
"""Bytes of one definition; a model reads every one with each request."""

MAX_URI = 8192
"""Characters of a URI, as servers here take them."""

_NAME = re.compile(r"[A-Za-z0-9_./-]{1,64}", re.ASCII)
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+", re.ASCII)

_ORDER = (
    "name", "title", "description", "inputSchema", "arguments", "outputSchema", "annotations", "execution", "icons",
    "_meta",
)  # fmt: skip
_SUPPORTS = ("forbidden", "optional", "required")


class Judged(NamedTuple):
    """A definition as clients take it (None: not at all), and what was changed or is wrong."""

    definition: dict[str, Any] | None
    complaints: tuple[str, ...] = ()


def name_problem(name: object) -> str | None:
    """Return why a name of a tool or a prompt cannot be shown, or None."""
    if not isinstance(name, str):
        return "its name is no text"
    if not name:
        return "its name is empty"
    if len(name) > MAX_NAME:
        return f"its name has {len(name)} characters; {MAX_NAME} are the most"
    if not _NAME.fullmatch(name) or ".." in name or not any(each.isalnum() for each in name):
        return "its name has other characters than letters, digits and `_-./`, or none of the first two"
    return None


def tool(entry: Any) -> Judged:
    """Judge the definition of a tool."""
    reason = _not_an_entry(entry) or name_problem(entry.get("name")) or _input_problem(entry.get("inputSchema"))
    if reason is not None:
        return Judged(None, (reason,))
    kept, complaints = _optional(
        entry,
        {
            "title": _is_text,
            "description": _is_text,
            "outputSchema": _is_output,
            "annotations": _is_annotations,
            "icons": _is_icons,
            "execution": _is_execution,
            "_meta": _is_object,
        },
    )
    kept["inputSchema"] = _without_booleans(entry["inputSchema"])
    return Judged(_ordered(kept, entry), complaints)


def prompt(entry: Any) -> Judged:
    """Judge the definition of a prompt."""
    reason = _not_an_entry(entry) or name_problem(entry.get("name"))
    if reason is not None:
        return Judged(None, (reason,))
    kept, complaints = _optional(
        entry,
        {
            "title": _is_text,
            "description": _is_text,
            "arguments": _is_arguments,
            "icons": _is_icons,
            "_meta": _is_object,
        },
    )
    return Judged(_ordered(kept, entry), complaints)


def resource(entry: Any, key: str = "uri") -> Judged:
    """Judge the definition of a resource, or of a template (`key` is `uriTemplate`)."""
    reason = _not_an_entry(entry) or uri_problem(entry.get(key))
    if reason is None and not (isinstance(entry.get("name"), str) and entry["name"]):
        reason = "it has no name"
    if reason is not None:
        return Judged(None, (reason,))
    kept, complaints = _optional(
        entry,
        {
            "title": _is_text,
            "description": _is_text,
            "mimeType": _is_text,
            "annotations": _is_object,
            "icons": _is_icons,
            "size": lambda value: isinstance(value, int) and not isinstance(value, bool),
            "_meta": _is_object,
        },
    )
    return Judged({key: entry[key], "name": entry["name"], **kept}, complaints)


def _ordered(kept: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """Return a definition with its members in the order of ours."""
    named = {"name": entry["name"], **kept}
    return {member: named[member] for member in sorted(named, key=_ORDER.index)}


def uri_problem(uri: object) -> str | None:
    """Return why a URI or a template of one cannot be read by, or None."""
    if not isinstance(uri, str) or len(uri) > MAX_URI or not _URI.fullmatch(uri):
        return "its URI is none: a scheme, a colon and printable ASCII"
    return None


def _not_an_entry(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return "it is no object"
    size = len(str(entry))
    return f"it is larger than {MAX_DEFINITION_BYTES} bytes" if size > MAX_DEFINITION_BYTES else None


def _input_problem(schema: Any) -> str | None:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return 'its `inputSchema` is not a schema with `"type": "object"`'
    if not isinstance(schema.get("properties", {}), dict):
        return "the `properties` of its `inputSchema` are no object"
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return "`required` of its `inputSchema` is no list of names"
    wrong = metaschema_error(schema)
    return None if wrong is None else f"its `inputSchema` is no JSON Schema: {wrong.reason}"


def _optional(entry: dict[str, Any], known: dict[str, Callable[[Any], bool]]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the members that may be missing and are right; null stands for a missing one."""
    stated = {name: entry[name] for name in known if entry.get(name) is not None}
    wrong = [name for name, value in stated.items() if not known[name](value)]
    kept = {name: value for name, value in stated.items() if name not in wrong and value not in ("", [], {})}
    return kept, tuple(f"its `{name}` is not as MCP says and is left out" for name in wrong)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_output(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "object" and metaschema_error(value) is None


def _is_annotations(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("title", ""), str):
        return False
    return all(isinstance(value.get(name, False), bool) for _, name in ANNOTATION_NAMES)


def _is_icons(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict) and isinstance(each.get("src"), str) for each in value
    )


def _is_execution(value: Any) -> bool:
    return isinstance(value, dict) and value.get("taskSupport", "forbidden") in _SUPPORTS


def _is_arguments(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and isinstance(each.get("name"), str)
        and isinstance(each.get("description", ""), str)
        and isinstance(each.get("required", False), bool)
        for each in value
    )


def _without_booleans(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an input schema whose properties are objects: the TypeScript SDK refuses `true`, which means `{}`."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not any(isinstance(each, bool) for each in properties.values()):
        return schema
    meant: dict[bool, dict[str, Any]] = {True: {}, False: {"not": {}}}
    return {
        **schema,
        "properties": {name: meant[each] if isinstance(each, bool) else each for name, each in properties.items()},
    }
