"""routes.json: this server's part of a gateway's routing table (decision 9), looked up by whole names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..digests import OFFERS
from ..ir.names import SEPARATOR
from ..runtime.registry.making import ENTRY_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Server

VERSION = 1
"""Version of the table's form."""

ERA = "dual"
"""The server answers both eras of the protocol (decision 12)."""


def routes(server: Server, content: Mapping[str, Any], shown: str) -> dict[str, Any]:
    """Return the table of a server and its catalog; `shown` is the digest of the definitions.

    `entry` is the registry entry's path beside this file.
    """
    return {
        "version": VERSION,
        "digest": shown,
        "servers": {server.id: {"entry": f"{server.package}/{ENTRY_FILE}", "digest": shown, "era": ERA}},
        "tools": [_tool(server.id, tool) for tool in content["tools"] if not tool.get("hidden")],
        **{kind: [_offer(server.id, entry) for entry in content.get(kind, ())] for kind in offered(content)},
    }


def offered(content: Mapping[str, Any]) -> list[str]:
    """Return what a table lists besides tools; views only where there are some."""
    return [kind for kind in OFFERS if kind != "views" or content.get(kind)]


def _tool(server: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    definition = tool["definition"]
    name = definition["name"]
    made = {"name": f"{server}{SEPARATOR}{name}", "server": server, "original": name, "definition": definition}
    return {**made, "ui": tool["ui"]} if tool["ui"] else made


def _offer(server: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    definition = entry["definition"]
    original = definition.get("uri", definition.get("uriTemplate", definition["name"]))
    return {"server": server, "original": original, "definition": definition}
