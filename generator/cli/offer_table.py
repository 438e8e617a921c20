"""Resources and prompts as lines for people, and as records for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..definitions import prompt_definition, resource_definition
from ..diagnostics.plain import plain, width
from .layout import fitted, listed, padded, wrapped
from .tool_table import GAP, INDENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.model import Prompt, PromptArgument, Resource, Server

MAX_SHOWN = 20
"""Resources and prompts that get a line of their own; the others are counted."""

MAX_NAME = 50
"""Columns of a URI or a name beside what belongs to it."""


def table(server: Server, room: int) -> list[str]:
    """Return a line for each resource and each prompt, at most `room` columns wide."""
    rows = [(_kind(each), plain(each.uri), _about(each, server)) for each in server.resources]
    rows += [("prompt", plain(each.name), _listed(each.arguments, room)) for each in server.prompts]
    shown = rows[:MAX_SHOWN]
    kinds = max((width(kind) for kind, _, _ in shown), default=0)
    names = min(max((width(name) for _, name, _ in shown), default=0), MAX_NAME)
    lines = [
        fitted(INDENT + GAP.join((padded(kind, kinds), padded(fitted(name, room), names), about)).rstrip(), room)
        for kind, name, about in shown
    ]
    more = len(rows) - len(shown)
    return [*lines, f"{INDENT}… and {more} more; `mcpgen inspect` shows all"] if more else lines


def sheets(server: Server, room: int) -> list[list[str]]:
    """Return a block of lines for each resource and each prompt, with all that is said of it."""
    return [
        *(_sheet(f"{_kind(each)} {each.uri}", each, each.variables, room) for each in server.resources),
        *(_sheet(f"prompt {each.name}", each, each.arguments, room) for each in server.prompts),
    ]


def _sheet(head: str, offer: Resource | Prompt, arguments: Sequence[PromptArgument], room: int) -> list[str]:
    kind = getattr(offer, "mime_type", None)
    lines = [plain(GAP.join(filter(None, (head, kind))))]
    lines += [f"{INDENT}{line}".rstrip() for line in wrapped(plain(offer.description, keep="\n"), room - len(INDENT))]
    size = max((width(each.name) for each in arguments), default=0)
    for each in arguments:
        completed = each.completer is not None or bool(each.choices)
        cells = (
            padded(plain(each.name), size),
            "required" if each.required else "optional",
            "completed" if completed else "",
            plain(" ".join(each.description.split())),
        )
        lines.append(fitted(INDENT + GAP.join(filter(None, cells)), room))
    lines += [f"{INDENT}{line}" for line in wrapped(plain(_scopes(offer)), room - len(INDENT))]
    return [line for position, line in enumerate(lines) if line or position == 0]


def _scopes(offer: Resource | Prompt) -> str:
    return f"scopes: {', '.join(offer.scopes)}" if offer.scopes else ""


def records(server: Server) -> list[dict[str, Any]]:
    """Return what clients see of each resource and prompt, with its kind and the function behind it."""
    return [
        *(
            {"kind": "view" if each.kind == "ui" else "resource", **resource_definition(each), "target": _target(each)}
            for each in server.resources
        ),
        *({"kind": "prompt", **prompt_definition(each), "target": _target(each)} for each in server.prompts),
    ]


def _kind(resource: Resource) -> str:
    return "UI view" if resource.kind == "ui" else "resource"


def _about(resource: Resource, server: Server) -> str:
    """Return what stands beside a URI: its media type, for a view the tools that are linked to it."""
    if resource.kind != "ui":
        return plain(resource.mime_type or "")
    linked = [tool.name for tool in server.tools if tool.ui is not None and tool.ui.resource_uri == resource.uri]
    return plain(f"of {', '.join(linked)}") if linked else ""


def _target(offer: Resource | Prompt) -> str | None:
    return offer.call.target if offer.call is not None else getattr(offer, "file", None)


def _listed(arguments: Sequence[PromptArgument], room: int) -> str:
    names = [plain(each.name if each.required else f"{each.name}?") for each in arguments]
    return listed(names, room) if names else ""
