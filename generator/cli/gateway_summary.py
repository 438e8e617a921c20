"""What `mcpgen gateway` says it made: for people a line per server, for machines one JSON object."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from ..diagnostics.plain import plain, width
from ..runtime.registry.secret_values import masked, masked_address
from ..runtime.wire.dialects import LATEST_LEGACY, LATEST_MODERN
from . import layout
from .summary import BYTES_PER_TOKEN, Made, following

if TYPE_CHECKING:
    from ..ir.routes import Child, RoutingTable

KINDS = (
    ("tools", "tool"),
    ("resources", "resource"),
    ("templates", "template"),
    ("prompts", "prompt"),
    ("views", "view"),
)
"""What a table has routes to, and what one of each is called."""

SPEAKS = {
    "dual": "speaks every revision",
    "modern": f"speaks {LATEST_MODERN.version}",
    "legacy": f"speaks {LATEST_LEGACY.version} and older",
}
"""What an era means for a reader: what the gateway speaks with the server."""

BASE, MAIN = "${base}/", "/__main__.py"


def human(made: Made, table: RoutingTable, size: int) -> str:
    """Return the lines for people, the last of which names the next step; only that one may be long."""
    count = len(table.children)
    servers = f"{count} server{'s' if count > 1 else ''}"
    tokens = size // BYTES_PER_TOKEN
    head = f"{made.server.command}  {servers}, {_counted(table, None)}   about {tokens} tokens of tool definitions"
    names = max(width(plain(child.id)) for child in table.children)
    room = layout.columns()
    rows = [f"  {layout.padded(plain(child.id), names)}  {_line(child, table)}" for child in table.children]
    return "\n".join([head, *(layout.fitted(row, room) for row in rows), following(made)])


def _line(child: Child, table: RoutingTable) -> str:
    return f"{_counted(table, child.id)}   {SPEAKS[child.snapshot.era]}   {plain(_reached(child))}"


def _reached(child: Child) -> str:
    """Return where a server is: its address, its command, or the folder of its package as seen from the gateway's."""
    start = child.snapshot.start
    if start.url:
        return masked_address(start.url)
    if child.snapshot.origin == "foreign":
        return shlex.join(masked(start.command))
    return next((word for word in start.command if word.endswith(MAIN)), "").removesuffix(MAIN).removeprefix(BASE)


def _counted(table: RoutingTable, server: str | None) -> str:
    """Return how much is routed, to one server or to all."""
    counts = [
        (len([route for route in getattr(table, kind) if server in (None, route.server)]), noun) for kind, noun in KINDS
    ]
    return ", ".join(f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counts if count) or "nothing"


def machine(made: Made, table: RoutingTable, size: int) -> str:
    """Return the result as one line of JSON."""
    document: dict[str, Any] = {
        "id": made.server.id,
        "package": made.server.package,
        "command": made.server.command,
        "folder": made.folder,
        "start": list(made.start),
        "definitionBytes": size,
        "definitionTokens": size // BYTES_PER_TOKEN,
        "servers": {
            child.id: {
                "origin": child.snapshot.origin,
                "era": child.snapshot.era,
                "digest": child.snapshot.digest,
                "tools": [route.definition["name"] for route in table.tools if route.server == child.id],
            }
            for child in table.children
        },
        "tools": [route.definition["name"] for route in table.tools],
        "resources": [route.definition["uri"] for route in table.resources],
        "templates": [route.definition["uriTemplate"] for route in table.templates],
        "prompts": [route.definition["name"] for route in table.prompts],
        "views": [route.definition["uri"] for route in table.views],
        "files": {step.path: step.action for step in made.plan.steps},
    }
    return json.dumps(document, separators=(",", ":"))
