"""What official clients refuse in a list: one wrong entry costs them the whole answer, so it is not shown to them.

The rules are those of the schemas that the SDKs check with (`ToolSchema`, `ResourceSchema`, `PromptSchema`). A wrong
member that may be missing is taken off; an entry without the members that it has to have is left out. One table serves
who builds a gateway, a running gateway that follows its children, and who checks a server.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    SchemaProblem = Callable[[dict[str, Any]], "str | None"]

MAX_NAME = 64
"""Characters of a name: what every model API accepts, before a gateway puts anything in front of it."""

MAX_DEFINITION_BYTES = 256 << 10
"""Bytes of one definition; a model reads every one with each request."""

MAX_URI = 8192
"""Characters of a URI, as servers here take them."""

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
"""The annotations of a tool (`ToolAnnotations`): each is true or false."""

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_ALPHANUMERIC = _LETTERS | frozenset("0123456789")
_NAME = _ALPHANUMERIC | frozenset("_./-")
_SCHEME = _ALPHANUMERIC | frozenset("+.-")
_SUPPORTS = ("forbidden", "optional", "required")


class Judged:
    """A definition as clients take it (None: not at all), and what was changed or is wrong."""

    __slots__ = ("complaints", "definition")

    def __init__(self, definition: dict[str, Any] | None, complaints: tuple[str, ...] = ()) -> None:
        self.definition = definition
        self.complaints = complaints


def judged(kind: str, entry: Any, schema_problem: SchemaProblem | None = None) -> Judged:
    """Judge a definition of a list (`tools`, `prompts`, `resources`, `templates`).

    `schema_problem` says why a schema is none, for who has the means: nothing of the runtime does.
    """
    reason = _not_an_entry(entry) or _identity_problem(kind, entry)
    if reason is None and kind == "tools":
        reason = _input_problem(entry.get("inputSchema"), schema_problem)
    if reason is not None:
        return Judged(None, (reason,))
    known = MEMBERS[kind]
    stated = {name: entry[name] for name in known if entry.get(name) is not None}
    wrong = [name for name, value in stated.items() if not known[name](value)]
    if schema_problem is not None and "outputSchema" in stated and "outputSchema" not in wrong:
        wrong += ["outputSchema"] if schema_problem(stated["outputSchema"]) else []
    kept = {name: value for name, value in stated.items() if name not in wrong and value not in ("", [], {})}
    if kind == "tools":
        kept["inputSchema"] = _without_booleans(entry["inputSchema"])
    complaints = tuple(f"its `{name}` is not as MCP says and is left out" for name in stated if name in wrong)
    return Judged({name: kept[name] for name in known if name in kept}, complaints)


def name_problem(name: object) -> str | None:
    """Return why a name of a tool or a prompt cannot be shown, or None."""
    if not isinstance(name, str):
        return "its name is no text"
    if not name:
        return "its name is empty"
    if len(name) > MAX_NAME:
        return f"its name has {len(name)} characters; {MAX_NAME} are the most"
    if not _NAME.issuperset(name) or ".." in name or _ALPHANUMERIC.isdisjoint(name):
        return "its name has other characters than letters, digits and `_-./`, or none of the first two"
    return None


def uri_problem(uri: object) -> str | None:
    """Return why a URI or a template of one cannot be read by, or None."""
    if isinstance(uri, str) and len(uri) <= MAX_URI and uri.isascii() and uri.isprintable() and " " not in uri:
        scheme, _, rest = uri.partition(":")
        if rest and scheme[:1] in _LETTERS and _SCHEME.issuperset(scheme):
            return None
    return "its URI is none: a scheme, a colon and printable ASCII"


def is_text(value: Any) -> bool:
    """Say whether a value is a text."""
    return isinstance(value, str)


def is_object(value: Any) -> bool:
    """Say whether a value is an object."""
    return isinstance(value, dict)


def is_object_schema(value: Any) -> bool:
    """Say whether a schema is one of objects, as the schemas of what a tool takes and gives have to be."""
    return isinstance(value, dict) and value.get("type") == "object"


def wrong_hint(annotations: dict[str, Any]) -> str | None:
    """Return the first annotation of a tool that is neither true nor false, or None."""
    return next((name for name in HINTS if not isinstance(annotations.get(name, False), bool)), None)


def _is_icons(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) and is_text(each.get("src")) for each in value)


def _is_annotations(value: Any) -> bool:
    return isinstance(value, dict) and is_text(value.get("title", "")) and wrong_hint(value) is None


def _is_execution(value: Any) -> bool:
    return isinstance(value, dict) and value.get("taskSupport", "forbidden") in _SUPPORTS


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_arguments(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and is_text(each.get("name"))
        and is_text(each.get("description", ""))
        and isinstance(each.get("required", False), bool)
        for each in value
    )


_RESOURCE: dict[str, Callable[[Any], bool]] = {
    "name": is_text,
    "title": is_text,
    "description": is_text,
    "mimeType": is_text,
    "annotations": is_object,
    "icons": _is_icons,
    "size": _is_size,
    "_meta": is_object,
}

MEMBERS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "tools": {
        "name": is_text,
        "title": is_text,
        "description": is_text,
        "inputSchema": is_object_schema,
        "outputSchema": is_object_schema,
        "annotations": _is_annotations,
        "execution": _is_execution,
        "icons": _is_icons,
        "_meta": is_object,
    },
    "prompts": {
        "name": is_text,
        "title": is_text,
        "description": is_text,
        "arguments": _is_arguments,
        "icons": _is_icons,
        "_meta": is_object,
    },
    "resources": {"uri": is_text, **_RESOURCE},
    "templates": {"uriTemplate": is_text, **_RESOURCE},
}
"""The members of the definitions of each list, in the order of ours, and what they have to be."""


def _not_an_entry(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return "it is no object"
    size = len(str(entry))
    return f"it is larger than {MAX_DEFINITION_BYTES} bytes" if size > MAX_DEFINITION_BYTES else None


def _identity_problem(kind: str, entry: dict[str, Any]) -> str | None:
    """Return why what an entry is known by cannot be used, or None."""
    if kind in ("tools", "prompts"):
        return name_problem(entry.get("name"))
    reason = uri_problem(entry.get("uri" if kind == "resources" else "uriTemplate"))
    named = is_text(entry.get("name")) and entry["name"]
    return reason or (None if named else "it has no name")


def _input_problem(schema: Any, schema_problem: SchemaProblem | None) -> str | None:
    if not is_object_schema(schema):
        return 'its `inputSchema` is not a schema with `"type": "object"`'
    if not isinstance(schema.get("properties", {}), dict):
        return "the `properties` of its `inputSchema` are no object"
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(map(is_text, required)):
        return "`required` of its `inputSchema` is no list of names"
    wrong = None if schema_problem is None else schema_problem(schema)
    return None if wrong is None else f"its `inputSchema` is no JSON Schema: {wrong}"


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
