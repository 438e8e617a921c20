"""What the settings add to a server: a description of itself, pages of documentation, what it tells its clients of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import changes, documentation, self_description

if TYPE_CHECKING:
    from ..config import Config
    from ..diagnostics.model import Diagnostic
    from ..ir.model import Server


def apply(server: Server, config: Config) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with what is asked for, and what cannot be had."""
    server, by_uri = self_description.apply(server, config.schema_resource_uri)
    server, by_page = documentation.apply(server) if config.docs_resources else (server, ())
    server, by_change = changes.apply(server, config.list_changed, config.subscribe)
    return server, (*by_uri, *by_page, *by_change)
