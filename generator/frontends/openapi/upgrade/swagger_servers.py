"""Turn Swagger 2.0's host, base path and schemes into servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import ApiServer
from .values import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place

SCHEMES = ("https", "http")
"""The URL schemes that can be called, the preferred one first; `ws` and `wss` are no requests."""


def swagger_servers(root: Mapping[str, object], schemes: tuple[str, ...], place: Place) -> tuple[ApiServer, ...]:
    """Return a server for each scheme; a relative one without `host`, https when no scheme is stated."""
    host, path = text(root.get("host")).strip(), text(root.get("basePath")).strip()
    scheme, separator, rest = host.partition("://")
    if separator:  # not as the specification says, but in use
        schemes, host = (scheme.lower(),), rest
    host = host.rstrip("/")
    path = "/" + path.strip("/") if path.strip("/") else ""
    if not host:
        return (ApiServer(url=path or "/", place=place),)
    lowered = [each.lower() for each in schemes]
    wanted = [each for each in SCHEMES if each in lowered] or (lowered if separator else ["https"])
    return tuple(ApiServer(url=f"{each}://{host}{path}", place=place) for each in wanted)
