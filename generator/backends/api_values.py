"""The values an API's server has to be given from outside: what snippets for hosts have a place for.

Each operation needs one of its alternatives. Those are chosen so that together they ask for little: where what others
need is enough, nothing is added. The rest that a server reads is listed in its README only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..ir.codec import thaw
from ..ir.model import HttpCall
from ..runtime.client.credential_ways import ways

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..ir.model import JsonObject, Server

LASTING = "client_secret"
"""A way with this part is preferred: a ready token ends after a while, and the host's file would have to be changed."""


def default_base(server: Server) -> str | None:
    """Return the address requests go to unless the environment says otherwise; None where it has to."""
    service = server.http or {}
    addresses = [service.get("pinned"), *(each.get("url") for each in _objects(service.get("servers")))]
    return next((str(each) for each in addresses if each), None)


def needs_base(server: Server) -> bool:
    """Return whether an operation can only be asked once the environment names the API's address."""
    return default_base(server) is None and any(not request.get("server") for request in _requests(server))


def needed(server: Server) -> tuple[str, ...]:
    """Return the names of the configuration entries that have to be set for every operation, in the server's order."""
    service = server.http
    if service is None:
        return ()
    schemes: Mapping[str, Any] = thaw(service.get("schemes") or {})
    entries = {entry for name in _chosen(server) if name in schemes for entry in _way(schemes[name])}
    if needs_base(server):
        entries.add(str(service.get("base_url", "base_url")))
    return tuple(entry.name for entry in server.config if entry.name in entries)


def needed_variables(server: Server) -> tuple[str, ...]:
    """Return the environment variables that have to be set for a server to be of use, in its order."""
    asked = needed(server)
    required = (entry for entry in server.config if (entry.required and entry.default is None) or entry.name in asked)
    return tuple(entry.env for entry in required)


def _chosen(server: Server) -> set[str]:
    """Return the schemes of one alternative for each operation."""
    wanted: set[tuple[frozenset[str], ...]] = {
        tuple(frozenset(each) for each in _objects(request.get("security"))) for request in _requests(server)
    }
    chosen: set[str] = set()
    # Those without a choice come first: what they need may do for the others.
    for alternatives in sorted(wanted, key=lambda each: (len(each), sorted(map(sorted, each)))):
        if not any(names <= chosen for names in alternatives) and alternatives:
            chosen |= alternatives[0]
    return chosen


def _way(scheme: Mapping[str, Any]) -> Iterable[str]:
    """Return the entries of the way to configure a scheme that lasts longest."""
    known = ways(scheme)
    way = next((each for each in known if LASTING in each), known[0] if known else ())
    return [scheme["credentials"][part] for part in way]


def _requests(server: Server) -> list[JsonObject]:
    return [tool.call.request for tool in server.tools if isinstance(tool.call, HttpCall)]


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []
