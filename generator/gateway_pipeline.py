"""From servers to a gateway: read each, put them together, render.

folders --frontends/servers--> snapshots --passes/routing--> table --backends/gateway--> {path: bytes}
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .backends.gateway import render_gateway
from .build_values import BuildResult
from .diagnostics.model import Diagnostic, Severity
from .diagnostics.rules import rule
from .frontends.servers.findings import finding
from .frontends.servers.project_folder import read_folder
from .frontends.servers.reading import Reading
from .ir.model import ConfigEntry, Server, Source
from .ir.names import command_of
from .ir.routes import Child, RoutingTable
from .passes.routing.compose import Composition, compose
from .passes.routing.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .gateway_request import GatewayRequest, Named


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayResult(BuildResult):
    """What came of it: a build like any other, and the table of names."""

    table: RoutingTable | None = None


def build_gateway(request: GatewayRequest) -> GatewayResult:
    """Build a gateway in memory; problems of the servers are diagnostics, never exceptions."""
    readings = [(source, _read(source, request)) for source in request.sources]
    children, found = _children(request, readings)
    if not children:
        nothing = Diagnostic(rule=rule("nothing-routed"), message="there is no server to put behind a gateway")
        return GatewayResult(server=None, diagnostics=(*found, *(() if found else (nothing,))))
    how = Composition(separator=request.separator, selection=Selection(expose=request.expose, deny=request.deny))
    table, by_name = compose(children, how)
    server = _server(request, table, dict(pair for _, reading in readings for pair in reading.inputs))
    result = GatewayResult(server=server, table=table, diagnostics=(*found, *by_name))
    if any(each.level is Severity.ERROR for each in result.diagnostics):
        return result
    rendered = render_gateway(server, table)
    return replace(result, **{each.name: getattr(rendered, each.name) for each in fields(rendered)})


def _read(source: Named, request: GatewayRequest) -> Reading:
    path = Path(source.source)
    if path.is_dir():
        return read_folder(path.absolute(), request.base)
    message = f"`{source.source[:80]}` is no folder"
    return Reading(snapshot=None, diagnostics=(finding("unreadable-server", source.source[:80], message),))


def _children(
    request: GatewayRequest, readings: Sequence[tuple[Named, Reading]]
) -> tuple[list[Child], tuple[Diagnostic, ...]]:
    """Return the servers by the names they have here, in their order."""
    found = [each for _, reading in readings for each in reading.diagnostics]
    children: dict[str, Child] = {}
    for source, reading in readings:
        if reading.snapshot is None:
            continue
        name = source.name or reading.snapshot.name
        if name in children:
            hint = f"Give one of them another name, for example `{name}2={source.source[:80]}`."
            found.append(finding("repeated-server", name, f"two servers are called `{name}`", hint=hint))
        children.setdefault(name, Child(id=name, snapshot=reading.snapshot, prefix=request.prefixes.get(name)))
    known = ", ".join(children)
    for name in request.prefixes:
        if name not in children:
            hint = f"Use one of these: {known}."
            found.append(
                finding("unknown-server", name, f"--prefix names `{name[:60]}`, which is no server", hint=hint)
            )
    return list(children.values()), tuple(found)


def _server(request: GatewayRequest, table: RoutingTable, inputs: Mapping[str, str]) -> Server:
    """Return what a gateway says of itself; what it offers is the table's."""
    config: dict[str, ConfigEntry] = {}
    for child in table.children:
        for entry in child.snapshot.config:
            config.setdefault(entry.env, entry)
    names = ", ".join(child.id for child in table.children)
    told = request.config
    return Server(
        id=request.name,
        package=request.package,
        command=request.name.replace("_", "-") if request.package == request.name else command_of(request.name),
        version=told.version or "0.1.0",
        title=told.title,
        description=told.description or f"A gateway to {names}.",
        website=told.website,
        config=tuple(config.values()),
        scopes=told.scopes,
        settings=told.served,
        source=Source(kind="servers", name=names, inputs=inputs),
    )
