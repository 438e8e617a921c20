"""README.md of a gateway: its servers, how it is started, and how hosts are told about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.plain import plain
from . import env
from .hosts_text import PLACE, launch
from .identifiers import MarkdownBlock, MarkdownCode, MarkdownText, summary
from .project import host_values, setting_values, starting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.model import Server
    from ..ir.routes import Child, Route, RoutingTable

MAX_TOOLS = 100
"""Rows of the table of tools; more are counted."""


def readme(server: Server, table: RoutingTable) -> bytes:
    """Return the bytes of the file."""
    place = f"{PLACE}/{server.command}"
    shown = table.tools[:MAX_TOOLS]
    values: dict[str, env.Value] = {
        "title": MarkdownText(server.title or server.id),
        "description": [MarkdownText(server.description)] if server.description else [],
        "version": MarkdownCode(server.requires_python),
        "servers": [_server(child, table) for child in table.children],
        "tools": [_tool(route) for route in shown],
        "more": [MarkdownText(str(len(table.tools) - len(shown)))] if len(table.tools) > len(shown) else [],
        "settings": setting_values(server),
        **starting(server),
        "module": MarkdownBlock(server.package),
        "place": MarkdownCode(place),
        "hosts": host_values(launch(server, place)),
    }
    return env.render("gateway/README.md.jinja", env.MARKDOWN, values)


def _server(child: Child, table: RoutingTable) -> dict[str, env.Value]:
    counts = [
        (len([route for route in table.tools if route.server == child.id]), "tool"),
        (_count(child, table.resources), "resource"),
        (_count(child, table.templates), "template"),
        (_count(child, table.prompts), "prompt"),
        (_count(child, table.views), "view"),
    ]
    offered = ", ".join(f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counts if count)
    said = child.snapshot.description or child.snapshot.title or ""
    return {
        "name": MarkdownCode(child.id),
        "offered": MarkdownText(offered or "nothing"),
        "summary": MarkdownText(summary(said)),
        "reached": MarkdownText("over HTTP" if child.snapshot.start.url else "started when needed"),
    }


def _count(child: Child, routes: Sequence[Route]) -> int:
    return len([route for route in routes if route.server == child.id])


def _tool(route: Route) -> dict[str, env.Value]:
    said = str(route.definition.get("description") or route.definition.get("title") or "")
    return {
        "name": MarkdownCode(str(route.definition["name"])),
        "summary": MarkdownText(summary(plain(said, keep="\n"))),
    }
