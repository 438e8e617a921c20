"""catalog.json, the server as data, and catalog.cache.jsonl, the form of it that a list is answered from.

JSON is never templated. The catalog is indented by one space, so that a change shows as a few lines and the file stays
small; keys and tools keep the order they were declared in. Both files are ASCII: no text of users can end a line.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from ..definitions import definition, icon, ui_link
from ..digests import compact
from ..ir.codec import thaw, unfrozen
from ..ir.model import ConfigEntry, HttpCall, Limits, PythonCall, Server, Tool
from ..jsonschema.patterns import pattern_problems
from ..runtime import VERSION
from .discovery import meta_entries
from .offers import prompt_entries, resource_entries, template_entries, view_entries

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = 1
"""Version of the catalog's form."""

DEFAULT_SETTINGS: Mapping[str, Any] = {
    "coerce": True,
    "validate_results": "strict",
    "page_size": 0,
    "timeout": 60,
    "shell_env": False,
}
"""What a server does unless its configuration says otherwise; a page size of 0 is one page (decision 21)."""

_CALL_KEYS = (
    "positional",
    "star",
    "star_star",
    "names",
    "inject",
    "conversions",
    "definitions",
    "prepare",
    "field_defaults",
    "exact_numbers",
)
"""What the runtime is told of a Python call besides its target, in this order, when it is not empty."""


_LIMITS = tuple(field.name for field in dataclasses.fields(Limits))
"""The names of limits, in their order."""


def catalog(server: Server) -> dict[str, Any]:
    """Return the catalog as plain JSON values."""
    settings = {**DEFAULT_SETTINGS, **thaw(server.settings)}
    needs_site = bool(settings.pop("needs_site", False)) or server.source.linked or bool(server.dependencies)
    return _without_empty(
        {
            "format": FORMAT,
            "runtime": VERSION,
            "id": server.id,
            "needs_site": needs_site,
            "server": identity(server),
            "instructions": server.instructions,
            "settings": settings,
            "scopes": list(server.scopes),
            "config": {entry.name: _config(entry) for entry in server.config},
            "tools": _tools(server),
            "resources": resource_entries(server, call_entry),
            "templates": template_entries(server, call_entry),
            "prompts": prompt_entries(server, call_entry),
            "changes": list(server.changes),
            "views": view_entries(server, call_entry),
        },
        keep={"needs_site", "settings", "tools"},
    )


def cache(content: Mapping[str, Any], size: int, definitions: bytes) -> bytes:
    """Return the two lines a list is answered from: a header that names the catalog's size, then the definitions.

    The runtime's own functions make the header, so the cache never says anything else than the catalog would.
    """
    from ..runtime.server.catalog import header_of

    header = {"catalog": size, **header_of(dict(content))}
    return compact(header) + b"\n" + definitions + b"\n"


def identity(server: Server) -> dict[str, Any]:
    """Return the server's `Implementation` as MCP spells it; the title is its own, not the description (R184)."""
    return _without_empty(
        {
            "name": server.id,
            "title": server.title,
            "version": server.version,
            "description": server.description,
            "websiteUrl": server.website,
            "icons": [icon(each) for each in server.icons],
        }
    )


def readable(value: object) -> bytes:
    """Return ASCII JSON with one key a line and a final line feed; raises ValueError for NaN and infinities."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=1, default=unfrozen).encode("ascii") + b"\n"


def _tools(server: Server) -> list[dict[str, Any]]:
    """Return the entries of the tools; in discovery three more find and call them, and lists show only those."""
    entries = [_tool(tool) for tool in server.tools]
    if server.exposure != "discovery":
        return entries
    return [*meta_entries(server), *({**entry, "hidden": True} for entry in entries)]


def _tool(tool: Tool) -> dict[str, Any]:
    result: dict[str, Any] = {"kind": tool.result}
    if tool.result == "json" and tool.result_schema is not None and isinstance(tool.call, PythonCall):
        # An API's answers are not checked against what it promised: the schema is for clients (decision 31).
        result["schema"] = thaw(tool.result_schema)
    result["wrap"] = tool.wrap
    limits = {name: value for name in _LIMITS if (value := getattr(tool.limits, name)) is not None}
    return _without_empty(
        {
            "definition": definition(tool),
            "ui": ui_link(tool),
            "aliases": list(tool.aliases),
            "call": call_entry(tool.call),
            "result": result,
            "limits": limits,
            "scopes": list(tool.scopes),
            "config": list(tool.config),
            "capture_output": tool.capture_output,
            "task": {} if tool.task == "forbidden" else {"support": tool.task, "starts": tool.task_starts},
            "coerce": tool.coerce,
            "confirm": tool.confirm,
            "unenforced_patterns": _unenforced(tool),
        },
        keep={"ui", *(("coerce",) if tool.coerce is not None else ())},
    )


def _unenforced(tool: Tool) -> list[str]:
    """Return the patterns that are only shown: matching them could take a server's time (decision 17)."""
    problems = [*pattern_problems(tool.input_schema), *pattern_problems(tool.result_schema)]
    return list(dict.fromkeys(problem.pattern for problem in problems))


def call_entry(call: PythonCall | HttpCall) -> dict[str, Any]:
    """Return how something is called, as the runtime is told."""
    if isinstance(call, HttpCall):
        # The request is in operations.json, which is read at the first call.
        return {"kind": "http", "operation": call.operation}
    said = {key: thaw(getattr(call, key)) for key in _CALL_KEYS}
    return {"kind": "python", "target": call.target, "async": call.is_async, **_without_empty(said)}


def _config(entry: ConfigEntry) -> dict[str, Any]:
    # An empty text is a default, too.
    default = {} if entry.default is None else {"default": entry.default}
    said = {"env": entry.env, **({"description": entry.description} if entry.description else {})}
    flags = {"sensitive": entry.sensitive, "required": entry.required}
    return {**said, **flags, **default, "required_by": list(entry.required_by)}


def _without_empty(value: dict[str, Any], *, keep: frozenset[str] | set[str] = frozenset()) -> dict[str, Any]:
    """Return the mapping without what was not stated; 0 is a statement, and so is what `keep` names."""
    return {key: item for key, item in value.items() if key in keep or item or (item == 0 and item is not False)}
