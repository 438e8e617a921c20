"""A gateway as a tree of files: an ordinary server whose catalog says of every tool which other server runs it.

The package, the lock and the ways of starting it are those of any server; what differs is data: the table of servers
with how each is started, and calls of kind `proxy`. Pure: table in, `{path: bytes}` out.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from ..digests import OFFERS, compact, definitions_line, digest
from ..ir.codec import thaw
from ..ir.routes import uri_prefix
from ..runtime import VERSION
from ..runtime.registry.making import ENTRY_FILE
from .catalog import DEFAULT_SETTINGS, FORMAT, cache, identity, readable
from .gateway_readme import readme
from .guard import check
from .project import beside, package
from .registry import entry
from .routes import VERSION as ROUTES_VERSION
from .routes import offered
from .runtime_files import gateway_files
from .server import RUNTIME, Rendered, below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Server
    from ..ir.routes import Child, Route, RoutingTable


def render_gateway(server: Server, table: RoutingTable) -> Rendered:
    """Render a gateway: `server` is what it says of itself, and has no tools of its own."""
    content = gateway_catalog(server, table)
    definitions = definitions_line(content)
    shown = digest(content, definitions)
    made = {
        **package(server, content),
        "catalog.cache.jsonl": b"",
        ENTRY_FILE: readable({**entry(server, shown), "tools": len(table.tools)}),
    }
    made["catalog.cache.jsonl"] = cache(content, len(made["catalog.json"]), definitions)
    outside = {
        **beside(server),
        "README.md": readme(server, table),
        "routes.json": readable(routing(table, content, shown)),
    }
    for path, source in {**outside, **made}.items():
        if path.endswith(".py"):
            check(path, source, server.package)
    tree = {
        **below(f"{server.package}/{RUNTIME}", gateway_files()),
        **below(server.package, made),
        **outside,
    }
    return Rendered(tree=dict(sorted(tree.items())), owners=dict.fromkeys(sorted(tree), "mcpgen"))


def gateway_catalog(server: Server, table: RoutingTable) -> dict[str, Any]:
    """Return the catalog of a gateway as plain JSON values."""
    settings = {**DEFAULT_SETTINGS, **thaw(server.settings)}
    if table.ttl_ms is not None:
        settings.setdefault("ttl_ms", table.ttl_ms)
    limits = {child.id: child.limits.timeout for child in table.children}
    scopes = [scope for kind in ("tools", *OFFERS) for route in getattr(table, kind) for scope in route.scopes]
    content: dict[str, Any] = {
        "format": FORMAT,
        "runtime": VERSION,
        "id": server.id,
        "needs_site": False,
        "server": identity(server),
        "instructions": table.instructions,
        "settings": settings,
        "scopes": list(dict.fromkeys((*server.scopes, *scopes))),
        "gateway": _gateway(table),
        "tools": [_tool(route, limits[route.server]) for route in table.tools],
        **{kind: [_offer(route, limits[route.server]) for route in table.of(kind)] for kind in OFFERS},
        "changes": list(table.changes),
    }
    keep = ("needs_site", "settings", "tools", "gateway")
    return {name: value for name, value in content.items() if value or name in keep}


def _gateway(table: RoutingTable) -> dict[str, Any]:
    """Return what the runtime is told of the servers, and a digest by which one table is told from another."""
    servers = {child.id: _server(child) for child in table.children}
    private = any(child.snapshot.private for child in table.children)
    routes = [[route.server, route.original, thaw(route.definition)] for kind in _ALL for route in getattr(table, kind)]
    lasting = {name: {key: value for key, value in row.items() if key != "files"} for name, row in servers.items()}
    told: dict[str, Any] = {
        "prefix": table.view_prefix,
        "separator": table.separator,
        **({"private": True} if private else {}),
        **({"max_calls": table.max_calls} if table.max_calls else {}),
    }
    known = hashlib.sha256(compact([told, lasting, routes])).hexdigest()
    return {"digest": f"sha256:{known}", **told, "servers": servers}


_ALL = ("tools", *OFFERS)


def _server(child: Child) -> dict[str, Any]:
    snapshot, start = child.snapshot, child.snapshot.start
    limits = {
        name: value
        for name in ("timeout", "max_concurrent", "start_timeout", "idle")
        if (value := getattr(child.limits, name)) is not None
    }
    row = {
        "command": list(start.command),
        "cwd": start.cwd,
        "env": list(start.env),
        "values": dict(start.values),
        "url": start.url,
        "headers": dict(start.headers),
        "era": snapshot.era,
        "origin": snapshot.origin,
        "digest": snapshot.digest,
        "files": snapshot.files,
        "version": snapshot.version,
        "title": snapshot.title,
        "capabilities": thaw(snapshot.capabilities),
        "limits": limits,
        "uris": uri_prefix(child),
        "prefix": child.prefix,
        "expose": list(child.expose),
        "deny": list(child.deny),
        "drift": child.drift,
    }
    return {
        name: value
        for name, value in row.items()
        if value or name == "capabilities" or (name == "prefix" and value is not None)
    }


def _tool(route: Route, timeout: float | None) -> dict[str, Any]:
    made = {
        "definition": thaw(route.definition),
        "ui": thaw(route.ui) if route.ui else None,
        "aliases": list(route.aliases),
        "call": _call(route),
        "result": {},
        "limits": {} if timeout is None else {"timeout": timeout},
        "scopes": list(route.scopes),
        "was": thaw(route.was),
    }
    return {name: value for name, value in made.items() if value or name in ("ui", "result")}


def _offer(route: Route, timeout: float | None) -> dict[str, Any]:
    made = {
        "definition": thaw(route.definition),
        "call": _call(route),
        "completions": route.completes,
        "limits": {} if timeout is None else {"timeout": timeout},
        "scopes": list(route.scopes),
        "was": thaw(route.was),
    }
    return {name: value for name, value in made.items() if value}


def _call(route: Route) -> dict[str, str]:
    return {"kind": "proxy", "server": route.server, "original": route.original}


def routing(table: RoutingTable, content: Mapping[str, Any], shown: str) -> dict[str, Any]:
    """Return routes.json of a gateway (decision 9): its servers, and each name with the one it leads to."""
    servers = content["gateway"]["servers"]
    told = ("command", "url", "digest", "files", "era", "origin", "version")
    rows = {name: {key: row[key] for key in told if key in row} for name, row in servers.items()}
    return {
        "version": ROUTES_VERSION,
        "digest": shown,
        "separator": table.separator,
        "servers": rows,
        "tools": [_routed_tool(each) for each in content["tools"]],
        **{kind: [_routed(each) for each in content.get(kind, ())] for kind in offered(content)},
    }


def _routed_tool(each: Mapping[str, Any]) -> dict[str, Any]:
    call, definition = each["call"], each["definition"]
    made = {"name": definition["name"], "server": call["server"], "original": call["original"]}
    return {**made, "definition": definition, **({"ui": each["ui"]} if each["ui"] else {})}


def _routed(each: Mapping[str, Any]) -> dict[str, Any]:
    return {"server": each["call"]["server"], "original": each["call"]["original"], "definition": each["definition"]}
