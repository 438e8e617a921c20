"""registry-entry.json: how a registry starts this server, wherever the package is installed (R061, R062)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..runtime.registry.making import PACKAGE, PYTHON
from .api_values import needed_variables
from .identifiers import summary

if TYPE_CHECKING:
    from ..ir.model import Server

FORMAT = 1
"""Version of the entry's form; `command`, `description` and `version` mean what they do in Milo's registry."""


def stdio_words(server: Server) -> tuple[str, ...]:
    """Return what makes a server serve on standard input and output: nothing, unless its settings say otherwise."""
    serve = server.settings.get("serve")
    return ("--mcp",) if isinstance(serve, Mapping) and serve.get("transport") == "http" else ()


def entry(server: Server, shown: str) -> dict[str, Any]:
    """Return the entry; `shown` is the digest of the definitions: a registry sees by it that tools changed."""
    written = [each.path for each in server.source.files if each.written]
    needs = needed_variables(server)
    return {
        "format": FORMAT,
        "name": server.id,
        "command": [PYTHON, "-I", "-S", f"{PACKAGE}/__main__.py", *stdio_words(server)],
        "description": summary(server.description or server.title or server.id),
        "version": server.version,
        "transport": "stdio",
        "env": [setting.env for setting in server.config],
        **({"needs": list(needs)} if needs else {}),
        "digest": shown,
        "tools": len(server.tools),
        # What the server itself changes is no sign that somebody changed the server.
        **({"written": written} if written else {}),
    }
