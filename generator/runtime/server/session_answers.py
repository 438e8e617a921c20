"""The requests a session answers at once, by era, and how a modern request's `_meta` is read.

Each method takes the session, the request's params and the dialect it is in, and returns the bytes of its result.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import (
    DIALECTS,
    LATEST_LEGACY,
    LATEST_MODERN,
    META_CAPABILITIES,
    META_CLIENT,
    META_LOG_LEVEL,
    META_VERSION,
    MODERN_VERSIONS,
)
from ..wire.jsonrpc import Refusal, shown
from .call import LEVELS, PROGRESS_TOKEN
from .carried import apps, attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .session import Session


def _initialize(session: Session, params: dict[str, Any], _: Dialect) -> bytes:
    asked = params.get("protocolVersion")
    row = DIALECTS.get(asked) if type(asked) is str else None
    session.dialect = row if row is not None and not row.modern else LATEST_LEGACY
    client = params.get("clientInfo")
    session.client = (client if type(client) is dict else {}) | {"capabilities": params.get("capabilities")}
    result = {
        "protocolVersion": session.dialect.version,
        "capabilities": session.capabilities(session.dialect, params.get("_meta")),
        "serverInfo": session.server_info(session.dialect),
    }
    if session.catalog.header.get("instructions"):
        result["instructions"] = session.catalog.header["instructions"]
    if session.tell is not None and session.catalog.header.get("changes"):
        attach(session)
    return jsonrpc.encode(result)


def _discover(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    capabilities = session.capabilities(dialect, params.get("_meta"))
    result: dict[str, Any] = {"supportedVersions": MODERN_VERSIONS, "capabilities": capabilities}
    if session.catalog.header.get("instructions"):
        result["instructions"] = session.catalog.header["instructions"]
    return session.framed(result, dialect, caching=session.caching())


def _ping(_: Session, __: dict[str, Any], ___: Dialect) -> bytes:
    return b"{}"


def _set_level(session: Session, params: dict[str, Any], _: Dialect) -> bytes:
    level = params.get("level")
    if level not in LEVELS:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: level must be one of {', '.join(LEVELS)}")
    session.log_level = level
    return b"{}"


def _list_tools(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    size = session.catalog.settings.get("page_size") or 0
    total = session.catalog.header["tools"]
    if "tools" not in session.catalog.header["capabilities"]:
        raise Refusal(jsonrpc.METHOD_NOT_FOUND, "Method not found: this server has no tools")
    views = apps(session)
    with_links: bytes | None = views.list_tools(session, params, dialect) if views is not None else None
    if with_links is not None:
        return with_links
    if "cursor" in params or size:
        from ..wire.pages import page_start

        start = page_start(params, size, total)
        tools, following = session.catalog.page(dialect, start, size)
        return _list_result(session, tools, dialect, following)
    key = dialect.version + session.catalog.edition
    cached = session.listed.get(key)
    if cached is None:
        tools = session.catalog.listing(dialect)
        cached = session.listed[key] = _list_result(session, tools, dialect, None)
    return cached


def _list_result(session: Session, tools: bytes, dialect: Dialect, following: int | None) -> bytes:
    members: dict[str, Any] = {}
    if following is not None:
        members["nextCursor"] = f"{following}.{session.catalog.header['tools']}"
    rest = session.framed(members, dialect, caching=session.caching())[1:]
    return b'{"tools":' + tools + (b"" if rest == b"}" else b",") + rest


def modern_dialect(meta: dict[str, Any]) -> Dialect:
    """Check a modern request's `_meta` (2026-07-28, base protocol: request metadata); raises Refusal."""
    version = meta.get(META_VERSION)
    if type(version) is not str:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: _meta needs {META_VERSION}")
    if version not in MODERN_VERSIONS:
        data = {"supported": MODERN_VERSIONS, "requested": shown(version)}
        raise Refusal(jsonrpc.UNSUPPORTED_VERSION, "Unsupported protocol version", data)
    if type(meta.get(META_CAPABILITIES)) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: _meta needs {META_CAPABILITIES}")
    modern_log_level(meta)
    if META_CLIENT in meta and type(meta[META_CLIENT]) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {META_CLIENT} must be an object")
    if PROGRESS_TOKEN in meta and not _is_token(meta[PROGRESS_TOKEN]):
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {PROGRESS_TOKEN} must be a string or an integer")
    return LATEST_MODERN


def _is_token(value: object) -> bool:
    """Say whether the schema has this for a token; to it 1.0 is an integer, though nobody is told of progress by it."""
    return type(value) is str or type(value) is int or (type(value) is float and value.is_integer())


def modern_log_level(meta: dict[str, Any]) -> str | None:
    """Return the log level a modern request asks for, None when it wants no log; raises Refusal."""
    if META_LOG_LEVEL not in meta:
        return None
    level = meta[META_LOG_LEVEL]
    if type(level) is not str or level not in LEVELS:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {META_LOG_LEVEL} must be one of {', '.join(LEVELS)}")
    return level


def unknown_tool(name: str, tools: dict[str, Any]) -> Refusal:
    """Build the error for a name that no tool has, with the nearest that one has."""
    try:
        from difflib import get_close_matches

        near = get_close_matches(name[:80], tools, n=1)
    except Exception:  # noqa: BLE001 # user code broke what imports need
        near = []
    suggestion = f"Did you mean {near[0]!r}?" if near else "Ask tools/list for the tools of this server."
    data = {"errorCode": "M-CMD-001", "reason": "unknown_tool", "suggestion": suggestion}
    return Refusal(jsonrpc.INVALID_PARAMS, f"Unknown tool: {shown(name)}", data)


LEGACY: dict[str, Callable[[Session, dict[str, Any], Dialect], bytes]] = {
    "initialize": _initialize,
    "ping": _ping,
    "logging/setLevel": _set_level,
    "tools/list": _list_tools,
}
MODERN: dict[str, Callable[[Session, dict[str, Any], Dialect], bytes]] = {
    "server/discover": _discover,
    "tools/list": _list_tools,
}
