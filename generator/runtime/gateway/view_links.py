"""What a tool's definition says of its view (MCP Apps), taken off it: the table has links apart from definitions."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAT_KEY = "ui/resourceUri"
"""What links were called before the extension was final; many servers still write it."""

VISIBILITIES = ("model", "app")
"""Who a tool with a view is for (`McpUiToolVisibility`)."""


def unlinked(definition: dict[str, Any]) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return the URI a definition is linked to (None: to none), who it is for if not everybody, and the rest of it."""
    meta = {**(definition.get("_meta") or {})}
    stated, flat = meta.pop("ui", None), meta.pop(FLAT_KEY, None)
    rest = {name: value for name, value in definition.items() if name != "_meta"}
    if meta:
        rest["_meta"] = meta
    link = stated if isinstance(stated, dict) else {}
    said = link.get("visibility")
    visibility = [each for each in VISIBILITIES if isinstance(said, list) and each in said]
    audience = {"visibility": visibility} if len(visibility) == 1 else {}
    return link.get("resourceUri", flat), audience, rest
