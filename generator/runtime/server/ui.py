"""MCP Apps: views of tools, the extension `io.modelcontextprotocol/ui` of 2026-01-26.

Theory of operation. A client opts in by naming the extension with the media type of views: in `initialize` for its
connection, or in the `_meta` of a request (2026-07-28). Only then is the extension in the server's capabilities, are
tools linked (`_meta.ui`) and views listed and read. To any other client the tools are plain ones, those that only a
view may call are not listed, and reading a view is refused with M-UI-003; every tool can be called all the same. The
setting `ui.advertise = "always"` is for hosts that show views without saying so.

A server only hands declarations on: it renders nothing, and sandboxes, content policies and permissions are the host's.
Only servers with views carry this.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import APPS, VIEW_TYPE
from ..wire.jsonrpc import Refusal, shown
from ..wire.pages import cursor, page_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect
    from .catalog import Catalog
    from .offers import Offer
    from .session import Session

EXTENSION = APPS
MIME_TYPE = VIEW_TYPE

SCHEME = "ui://"
FLAT_KEY = "ui/resourceUri"
"""What links were called before the extension was final; written only where a setting asks for it."""

NOT_NEGOTIATED = "ui_extension_not_negotiated"
LISTED = "+ui"
"""What the key of a kept list ends in when it is the one with links."""


def negotiated(session: Session, meta: Any, dialect: Dialect) -> bool:
    """Say whether the client of a request shows views; revisions before 2025-06-18 have no place for links."""
    if "_meta" not in dialect.tool_fields:
        return False
    if _settings(session).get("advertise") == "always":
        return True
    extensions = session.client_capabilities(meta if type(meta) is dict else {}, dialect).get("extensions")
    said = extensions.get(EXTENSION) if type(extensions) is dict else None
    kinds = said.get("mimeTypes") if type(said) is dict else None
    return type(kinds) is list and MIME_TYPE in kinds


def extension(session: Session, meta: Any, dialect: Dialect) -> dict[str, Any]:
    """Return the member of `capabilities.extensions`, nothing for a client without views."""
    return {EXTENSION: {"mimeTypes": [MIME_TYPE]}} if negotiated(session, meta, dialect) else {}


def depends(session: Session) -> bool:
    """Say whether lists differ between clients, so that no cache between them may share one."""
    return _settings(session).get("advertise") != "always"


def list_tools(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes | None:
    """Return the list of tools with their links; None for a client that gets the plain one."""
    if not negotiated(session, params.get("_meta"), dialect):
        return None
    size = session.catalog.settings.get("page_size") or 0
    key = dialect.version + LISTED + session.catalog.edition
    if "cursor" not in params and not size and key in session.listed:
        return session.listed[key]
    entries = [entry for entry in session.catalog.data["tools"] if not entry.get("hidden")]
    start = page_start(params, size, len(entries))
    end = start + size if size else len(entries)
    flat = bool(_settings(session).get("flat_key"))
    members: dict[str, Any] = {"tools": [linked(entry, dialect, flat=flat) for entry in entries[start:end]]}
    if end < len(entries):
        members["nextCursor"] = cursor(end, len(entries))
    found = session.framed(members, dialect, caching=session.caching())
    if not size:
        session.listed[key] = found
    return found


def linked(entry: dict[str, Any], dialect: Dialect, *, flat: bool = False) -> dict[str, Any]:
    """Return a tool's definition with its link and with the members that a revision knows."""
    definition = {key: value for key, value in entry["definition"].items() if key in dialect.tool_fields}
    link = entry.get("ui")
    if link:
        meta = {**definition.get("_meta", {}), "ui": link}
        if flat and "resourceUri" in link:
            meta[FLAT_KEY] = link["resourceUri"]
        definition["_meta"] = meta
    return definition


def views(session: Session, meta: Any, dialect: Dialect) -> list[dict[str, Any]]:
    """Return the catalog's entries of the views that a client may see listed."""
    if not negotiated(session, meta, dialect):
        return []
    found: list[dict[str, Any]] = session.catalog.data.get("views", [])
    return found


def view(session: Session, uri: str, meta: Any, dialect: Dialect) -> Offer | None:
    """Return the view of a URI, None for a URI that is no view's; raises Refusal where it may not or cannot be read."""
    if uri[: len(SCHEME)].lower() != SCHEME:
        return None
    if not negotiated(session, meta, dialect):
        data = {
            "errorCode": "M-UI-003",
            "reason": NOT_NEGOTIATED,
            "uri": shown(uri),
            "suggestion": f"Name {EXTENSION} with {MIME_TYPE} in the client's capabilities, or do without the view.",
        }
        raise Refusal(jsonrpc.INVALID_PARAMS, "This view is for clients with MCP Apps", data)
    found = _views_of(session.catalog).get(uri)
    if found is None:
        code = jsonrpc.INVALID_PARAMS if dialect.modern else jsonrpc.RESOURCE_NOT_FOUND
        data = {"uri": shown(uri), "errorCode": "M-UI-001", "reason": "unknown_view"}
        raise Refusal(code, "Resource not found", data)
    return found


def _views_of(catalog: Catalog) -> dict[str, Offer]:
    """Return the views by URI, made when one is first read."""
    from .offers import offers_of
    from .view_plan import View

    offers = offers_of(catalog)
    if offers.views is None:
        entries = catalog.data.get("views", ())
        offers.views = {
            entry["definition"]["uri"]: View("view", entry["definition"]["name"], entry, catalog) for entry in entries
        }
    return offers.views


def _settings(session: Session) -> dict[str, Any]:
    found: dict[str, Any] = session.catalog.settings.get("ui") or {}
    return found
