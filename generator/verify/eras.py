"""The two eras of the protocol, as a client speaks them."""

from __future__ import annotations

from typing import Any

from ..runtime import VERSION
from ..runtime.wire.dialects import APPS, LATEST_LEGACY, LATEST_MODERN, VIEW_TYPE

LEGACY = LATEST_LEGACY.version
"""The newest revision with a handshake."""

MODERN = LATEST_MODERN.version
"""The revision without one: each request carries its own `_meta`."""

LEGACY_ERA = "legacy"

UI_CLIENT: dict[str, Any] = {APPS: {"mimeTypes": [VIEW_TYPE]}}
"""What a client says that shows views."""


def about() -> dict[str, str]:
    """Return what we say of ourselves."""
    return {"name": "mcpgen-verify", "version": VERSION}
