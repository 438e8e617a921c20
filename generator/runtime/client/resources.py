"""resources/list, resources/templates/list and resources/read for answers that were kept (MCP server/resources)."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import parse_qs

from ..server import request_parts
from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.session import Session
    from ..wire.dialects import Dialect
    from .store import Kept

LONGEST_URI = 1_000
"""Characters of a URI that is looked at; ours are shorter."""

PART_CHARACTERS = 100_000
"""Characters of one part of a text, when a part is asked for by `?offset=`."""


def list_resources(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    """Answer resources/list: what is kept just now, in one page."""
    _refuse_cursor(params)
    store = session.catalog.answers
    return session.framed({"resources": store.listed() if store is not None else []}, dialect)


def list_templates(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    """Answer resources/templates/list: there are none."""
    _refuse_cursor(params)
    return session.framed({"resourceTemplates": []}, dialect)


def read_resource(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    """Answer resources/read; of a text, `?offset=N` asks for the part that begins at character N."""
    uri = request_parts.text(params, "uri")
    store = session.catalog.answers
    bare, _, query = uri[:LONGEST_URI].partition("?")
    kept: Kept | None = store.find(bare) if store is not None else None
    if kept is None:
        code = jsonrpc.INVALID_PARAMS if dialect.modern else jsonrpc.RESOURCE_NOT_FOUND
        raise Refusal(code, "Resource not found: answers are kept for a while only", {"uri": uri[:LONGEST_URI]})
    said: dict[str, Any] = {"uri": uri, "mimeType": kept.mime_type}
    if kept.is_text:
        said["text"] = _part(kept.body.decode("utf-8", "replace"), query)
    else:
        said["blob"] = b64encode(kept.body).decode("ascii")
    return session.framed({"contents": [said]}, dialect)


def _part(text: str, query: str) -> str:
    asked = parse_qs(query).get("offset", [""])[0]
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 12):  # beyond any text
        return text
    start = int(asked)
    return text[start : start + PART_CHARACTERS]


def _refuse_cursor(params: dict[str, Any]) -> None:
    if "cursor" in params:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: cursor was not issued by this server")


METHODS: dict[str, Callable[[Session, dict[str, Any], Dialect], bytes]] = {
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
}
