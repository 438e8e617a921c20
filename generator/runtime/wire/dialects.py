"""What differs between protocol revisions, as data: one row each (source: the revision matrix of the specification).

A server answers every revision on one connection and decides per message. Rows are in order of age; `LATEST_LEGACY` is
what an unknown version in `initialize` is answered with (2025-11-25, lifecycle: version negotiation).
"""

from __future__ import annotations

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_CLIENT = "io.modelcontextprotocol/clientInfo"
META_LOG_LEVEL = "io.modelcontextprotocol/logLevel"
META_SERVER = "io.modelcontextprotocol/serverInfo"
META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"

APPS = "io.modelcontextprotocol/ui"
"""The extension of clients that show views (MCP Apps, 2026-01-26)."""

VIEW_TYPE = "text/html;profile=mcp-app"
"""The media type of views, exactly: hosts compare it as a text."""

TASKS = "io.modelcontextprotocol/tasks"
"""The extension that servers with tasks, and clients that know them, declare."""


class Dialect:
    """One revision: its era and the members and content kinds its schema knows.

    In revisions that have `modes`, elicitation has them and all its fields, and sampling has tools and several blocks.
    """

    __slots__ = (
        "batches",
        "completions",
        "content",
        "elicits",
        "modern",
        "modes",
        "progress_message",
        "prompt_fields",
        "resource_fields",
        "server_fields",
        "structured",
        "tool_fields",
        "version",
    )

    def __init__(
        self,
        version: str,
        *,
        modern: bool,
        tool_fields: tuple[str, ...],
        content: tuple[str, ...],
        server_fields: tuple[str, ...],
        structured: bool,
        progress_message: bool,
        offer_fields: tuple[str, ...],
        completions: bool = True,
        batches: bool = False,
        elicits: bool = True,
        modes: bool = True,
    ) -> None:
        self.version = version
        self.modern = modern
        self.tool_fields = tool_fields
        self.content = content
        self.server_fields = server_fields
        self.structured = structured
        self.progress_message = progress_message
        self.resource_fields = (*_RESOURCE_2024, *offer_fields)
        self.prompt_fields = (*_PROMPT_2024, *offer_fields)
        self.completions = completions
        self.batches = batches
        self.elicits = elicits
        self.modes = modes


_TOOL_2024 = ("name", "description", "inputSchema")
_TOOL_MARCH = (*_TOOL_2024, "annotations")
_TOOL_JUNE = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")
_TOOL_NOVEMBER = (*_TOOL_JUNE, "icons")
_RESOURCE_2024 = ("uri", "uriTemplate", "name", "description", "mimeType", "annotations", "size")
_PROMPT_2024 = ("name", "description", "arguments")
_OFFER_JUNE = ("title", "_meta")
_OFFER_NOVEMBER = (*_OFFER_JUNE, "icons")
_SERVER_2024 = ("name", "version")
_SERVER_JUNE = (*_SERVER_2024, "title")
_SERVER_NOVEMBER = (*_SERVER_JUNE, "description", "icons", "websiteUrl")
_CONTENT_2024 = ("text", "image", "resource")
_CONTENT_MARCH = (*_CONTENT_2024, "audio")
_CONTENT_JUNE = (*_CONTENT_MARCH, "resource_link")

DIALECTS = {
    row.version: row
    for row in (
        Dialect(
            "2024-11-05",
            modern=False,
            tool_fields=_TOOL_2024,
            content=_CONTENT_2024,
            server_fields=_SERVER_2024,
            structured=False,
            progress_message=False,
            offer_fields=(),
            completions=False,
            elicits=False,
            modes=False,
        ),
        Dialect(
            "2025-03-26",
            modern=False,
            tool_fields=_TOOL_MARCH,
            content=_CONTENT_MARCH,
            server_fields=_SERVER_2024,
            structured=False,
            progress_message=True,
            offer_fields=(),
            batches=True,
            elicits=False,
            modes=False,
        ),
        Dialect(
            "2025-06-18",
            modern=False,
            tool_fields=_TOOL_JUNE,
            content=_CONTENT_JUNE,
            server_fields=_SERVER_JUNE,
            structured=True,
            progress_message=True,
            offer_fields=_OFFER_JUNE,
            modes=False,
        ),
        Dialect(
            "2025-11-25",
            modern=False,
            tool_fields=_TOOL_NOVEMBER,
            content=_CONTENT_JUNE,
            server_fields=_SERVER_NOVEMBER,
            structured=True,
            progress_message=True,
            offer_fields=_OFFER_NOVEMBER,
        ),
        Dialect(
            "2026-07-28",
            modern=True,
            tool_fields=_TOOL_NOVEMBER,
            content=_CONTENT_JUNE,
            server_fields=_SERVER_NOVEMBER,
            structured=True,
            progress_message=True,
            offer_fields=_OFFER_NOVEMBER,
        ),
    )
}

LATEST_LEGACY = DIALECTS["2025-11-25"]
LATEST_MODERN = DIALECTS["2026-07-28"]
MODERN_VERSIONS = ["2026-07-28"]
"""What `server/discover` and -32022 name (decision 12: modern revisions only)."""
