"""The two eras of the protocol, as a client speaks them."""

from __future__ import annotations

from typing import Any

from ..runtime import VERSION

LEGACY = "2025-11-25"
"""The newest revision with a handshake."""

MODERN = "2026-07-28"
"""The revision without one: each request carries its own `_meta`."""

LEGACY_ERA = "legacy"

UI_EXTENSION = "io.modelcontextprotocol/ui"
VIEW_TYPE = "text/html;profile=mcp-app"
"""The media type of views (MCP Apps, 2026-01-26)."""

UI_CLIENT: dict[str, Any] = {UI_EXTENSION: {"mimeTypes": [VIEW_TYPE]}}
"""What a client says that shows views."""


def about() -> dict[str, str]:
    """Return what we say of ourselves."""
    return {"name": "mcpgen-verify", "version": VERSION}
