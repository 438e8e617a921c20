"""What hosts and SDKs refuse, as data: a rule says what is wrong with a listed tool, and who minds it.

Each rule was seen in a run of the client, or is reported in an issue of it (docs/verify.md names them). `severe` rules
cost the tool, or every tool of the server; the others cost convenience.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..runtime.gateway.client_rules import is_object_schema, is_text, wrong_hint
from ..runtime.gateway.header_parameters import fault
from .finding import shown

if TYPE_CHECKING:
    from collections.abc import Callable

COMBINATORS = ("oneOf", "allOf", "anyOf")

SDKS = "the TypeScript and Python SDKs (they refuse the whole list)"

LONGEST_FOR_CURSOR = 60
"""Characters of server and tool name together; Cursor leaves longer ones out."""

MOST_RESULT = 500_000
"""The ceiling of `anthropic/maxResultSizeChars`."""

_SIZE = re.compile(r"[0-9]{1,5}x[0-9]{1,5}|any")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRule:
    """One rule: an id for messages, who applies it, and what it finds wrong with a tool of a server (None: nothing)."""

    id: str
    hosts: str
    problem: Callable[[dict[str, Any], str], str | None]
    severe: bool = True


def _name_rule(pattern: str) -> Callable[[dict[str, Any], str], str | None]:
    compiled = re.compile(pattern, re.ASCII)

    def problem(tool: dict[str, Any], _server: str) -> str | None:
        name = tool.get("name")
        return None if isinstance(name, str) and compiled.fullmatch(name) else f"its name is not `^{pattern}$`"

    return problem


def _together(tool: dict[str, Any], server: str) -> str | None:
    length = len(server) + len(str(tool.get("name", "")))
    return f"`{shown(server, 60)}` and its name have {length} characters" if length > LONGEST_FOR_CURSOR else None


def _object_root(tool: dict[str, Any], _server: str) -> str | None:
    return None if is_object_schema(tool.get("inputSchema")) else 'its inputSchema has no "type": "object"'


def _no_combinators(tool: dict[str, Any], _server: str) -> str | None:
    schema = tool.get("inputSchema")
    found = [each for each in COMBINATORS if isinstance(schema, dict) and each in schema]
    return f"its inputSchema has `{found[0]}` at the root" if found else None


def _property_names(tool: dict[str, Any], _server: str) -> str | None:
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name in properties if isinstance(properties, dict) else ():
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name, re.ASCII):
            return f"its parameter `{shown(name, 70)}` is not `^[A-Za-z0-9_.-]{{1,64}}$`"
    return None


def _output_root(tool: dict[str, Any], _server: str) -> str | None:
    sound = "outputSchema" not in tool or is_object_schema(tool["outputSchema"])
    return None if sound else 'its outputSchema has no "type": "object"'


def _output_combinators(tool: dict[str, Any], _server: str) -> str | None:
    schema = tool.get("outputSchema")
    return "its outputSchema has `anyOf` at the root" if isinstance(schema, dict) and "anyOf" in schema else None


def _texts(tool: dict[str, Any], _server: str) -> str | None:
    wrong = [key for key in ("title", "description") if not is_text(tool.get(key, ""))]
    return f"its {wrong[0]} is no text" if wrong else None


def _annotations(tool: dict[str, Any], _server: str) -> str | None:
    hints = tool.get("annotations", {})
    if not isinstance(hints, dict):
        return "its annotations are no object"
    wrong = wrong_hint(hints)
    return f"its {wrong} is no boolean" if wrong else None


def _icons(tool: dict[str, Any], _server: str) -> str | None:
    return icon_problem(tool.get("icons", []))


def icon_problem(icons: Any) -> str | None:
    """Return why a list of icons is none that clients read (2025-11-25, icons), or None."""
    if not isinstance(icons, list) or not all(isinstance(each, dict) for each in icons):
        return "its icons are no list of objects"
    for icon in icons:
        source, sizes = icon.get("src"), icon.get("sizes", [])
        if not isinstance(source, str) or not source.startswith(("https://", "data:")):
            return f"the `src` of an icon is {shown(source, 40)}, no https or data URI"
        if not isinstance(sizes, list) or not all(isinstance(each, str) and _SIZE.fullmatch(each) for each in sizes):
            return f'the `sizes` of an icon are {shown(sizes, 40)}, no list such as ["48x48"]'
        if icon.get("theme") not in (None, "light", "dark") or not isinstance(icon.get("mimeType", ""), str):
            return "the `theme` or `mimeType` of an icon is not one"
    return None


def _header_parameters(tool: dict[str, Any], _server: str) -> str | None:
    reason = fault(tool.get("inputSchema"))
    return f"its inputSchema is not for HTTP: {reason}" if reason else None


def _result_size(tool: dict[str, Any], _server: str) -> str | None:
    meta = tool.get("_meta")
    size = meta.get("anthropic/maxResultSizeChars") if isinstance(meta, dict) else None
    if size is None or (isinstance(size, int) and 0 < size <= MOST_RESULT):
        return None
    return f"`anthropic/maxResultSizeChars` is {shown(size, 20)}; at most {MOST_RESULT} counts"


HOST_RULES = (
    HostRule(
        id="name-64",
        hosts="Claude Desktop and claude.ai (one such name hides the whole server)",
        problem=_name_rule("[a-zA-Z0-9_-]{1,64}"),
    ),
    HostRule(id="name-128", hosts="Copilot CLI and Codex", problem=_name_rule("[a-zA-Z0-9_-]{1,128}")),
    HostRule(id="name-mcp", hosts="the official suite", problem=_name_rule("[A-Za-z0-9_.-]{1,128}")),
    HostRule(id="name-with-server", hosts="Cursor (it leaves the tool out)", problem=_together, severe=False),
    HostRule(id="input-object", hosts=SDKS, problem=_object_root),
    HostRule(
        id="input-combinators",
        hosts="Claude Code and the Anthropic API (they refuse every tool)",
        problem=_no_combinators,
    ),
    HostRule(id="parameter-names", hosts="the Anthropic API", problem=_property_names),
    HostRule(id="output-object", hosts=SDKS, problem=_output_root),
    HostRule(id="output-combinators", hosts="Claude Desktop", problem=_output_combinators),
    HostRule(id="texts", hosts=SDKS, problem=_texts),
    HostRule(id="annotations", hosts=SDKS, problem=_annotations),
    HostRule(id="icons", hosts="clients that show icons", problem=_icons),
    HostRule(
        id="header-parameters", hosts="HTTP clients of 2026-07-28 (they drop the tool)", problem=_header_parameters
    ),
    HostRule(id="result-size", hosts="Claude Code (it ignores the value)", problem=_result_size, severe=False),
)
"""The table; each tool is held to each row."""
