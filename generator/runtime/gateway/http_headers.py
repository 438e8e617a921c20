"""The protocol's own request headers over HTTP, for both eras. Pure."""

from __future__ import annotations

from ..server.http_routing import NAMED_BY
from ..server.http_sentinel import encoded
from ..wire.dialects import LATEST_MODERN
from .header_parameters import parameter_headers
from .peer import LEGACY, MODERN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errand import Errand
    from .peer import Peer

JSON, EVENTS = "application/json", "text/event-stream"


def post_headers(peer: Peer, session: str, errand: Errand | None) -> list[tuple[str, str]]:
    """Return the headers of a POST; without an errand it brings a notification or a response."""
    headers = [("Content-Type", JSON), ("Accept", f"{JSON}, {EVENTS}")]
    if errand is not None and (peer.era == MODERN or errand.method == "server/discover"):
        return headers + _modern(errand)
    return headers + _legacy(peer, session)


def stream_headers(peer: Peer, session: str, last: str) -> list[tuple[str, str]]:
    """Return the headers of a GET for a stream of a legacy child, behind the event with the id `last`."""
    headers = [("Accept", EVENTS), *_legacy(peer, session)]
    return [*headers, ("Last-Event-ID", last)] if last else headers


def end_headers(peer: Peer, session: str) -> list[tuple[str, str]]:
    """Return the headers of a DELETE that ends a session."""
    return _legacy(peer, session)


def _legacy(peer: Peer, session: str) -> list[tuple[str, str]]:
    headers = [("MCP-Protocol-Version", peer.dialect.version)] if peer.era == LEGACY else []
    return [*headers, ("Mcp-Session-Id", session)] if session else headers


def _modern(errand: Errand) -> list[tuple[str, str]]:
    headers = [("MCP-Protocol-Version", LATEST_MODERN.version), ("Mcp-Method", errand.method)]
    subject: Any = errand.params.get(NAMED_BY.get(errand.method, ""))
    if type(subject) is str:
        headers.append(("Mcp-Name", encoded(subject)))
    if errand.method == "tools/call":
        headers += parameter_headers(errand.schema, errand.params.get("arguments"))
    return headers
