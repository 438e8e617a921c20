"""From servers to a gateway: read each, put them together, render.

servers --frontends/servers--> snapshots --passes/routing--> table --backends/gateway--> {path: bytes}
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from ..backends.gateway import render_gateway
from ..build_values import BuildResult
from ..config.gateway import ServerSetting
from ..diagnostics.model import Diagnostic, Severity
from ..diagnostics.rules import rule
from ..frontends.servers.findings import finding
from ..frontends.servers.read import read_servers
from ..ir.model import ConfigEntry, Server, Source
from ..ir.names import SEPARATOR, server_problem
from ..ir.routes import Child, ChildLimits, RoutingTable
from ..passes.routing import Composition, compose
from ..passes.routing.selection import Selection
from ..passes.routing.views import PREFIX
from .literal_secrets import registered_secrets, written_secrets
from .variables import unfilled, without_address, without_process

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..frontends.servers.reading import Reading
    from ..frontends.servers.sources import ServerSource
    from .request import GatewayRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayResult(BuildResult):
    """What came of it: a build like any other, and the table of names."""

    table: RoutingTable | None = None


def build_gateway(request: GatewayRequest) -> GatewayResult:
    """Build a gateway in memory; problems of the servers are diagnostics, never exceptions.

    Servers of others are started, or asked over HTTP; those that mcpgen made are only read.
    """
    readings = read_servers(request.sources, request.base)
    children, by_name = _children(request, readings)
    found = [*request.warnings, *(each for reading in readings for each in reading.diagnostics), *by_name]
    found += [each for child in children for each in (*without_process(child), *unfilled(child))]
    if not request.private:
        found += [each for child in children for each in written_secrets(child)]
    if not children:
        return GatewayResult(server=None, diagnostics=(*found, *_nothing(request)))
    told = request.config.gateway
    how = Composition(
        separator=request.separator or SEPARATOR,
        view_prefix=told.view_prefix or PREFIX,
        instructions=told.instructions,
        max_calls=told.max_calls,
        selection=Selection(expose=request.expose, deny=request.deny),
    )
    table, by_route = compose(children, how)
    found += by_route
    nothing = not (table.tools or table.resources or table.templates or table.prompts)
    if nothing:
        found.append(Diagnostic(rule=rule("nothing-routed"), message="nothing is left that a client could use"))
    server = _server(request, table, dict(pair for reading in readings for pair in reading.inputs))
    result = GatewayResult(server=server, table=table, diagnostics=tuple(found))
    if nothing or (not request.lenient and any(each.level is Severity.ERROR for each in found)):
        return result
    rendered = render_gateway(server, table)
    return replace(result, **{each.name: getattr(rendered, each.name) for each in fields(rendered)})


def _nothing(request: GatewayRequest) -> Iterable[Diagnostic]:
    if not request.sources:
        message = "there is no server to put behind a gateway"
        hint = (
            "Name project folders, names in the registry, NAME=https://… or NAME=COMMAND; --registered takes all that "
            "`mcpgen registry list` shows."
        )
        yield Diagnostic(rule=rule("nothing-routed"), message=message, hint=hint)


def _children(request: GatewayRequest, readings: Sequence[Reading]) -> tuple[list[Child], list[Diagnostic]]:
    """Return the servers by the names they have here, in their order."""
    found: list[Diagnostic] = []
    children: dict[str, Child] = {}
    for source, reading in zip(request.sources, readings, strict=True):
        if reading.snapshot is None:
            continue
        name = source.name or (source.text if source.way == "registered" else reading.snapshot.name)
        if (reason := server_problem(name)) is not None:
            found.append(finding("unreadable-server", name[:80], f"`{name[:80]}` cannot be a server's name: {reason}"))
        elif name in children:
            word = source.text.removeprefix(f"{source.name}=") if source.way == "folder" else source.text
            hint = f"Give one of them another name, for example `{name}2={word[:80]}`."
            found.append(finding("repeated-server", name, f"two servers are called `{name}`", hint=hint))
        else:
            setting = request.servers.get(name, ServerSetting())
            children[name] = _child(name, reading, setting)
            found += without_address(name, source, setting.headers)
            if source.way == "registered" and not request.private:
                found += registered_secrets(children[name])
    found += _unknown(request, {*children, *(_asked(source) for source in request.sources)})
    return list(children.values()), found


def _asked(source: ServerSource) -> str:
    """Return the name of a server that may not have been readable."""
    return source.name or source.text


def _child(name: str, reading: Reading, setting: ServerSetting) -> Child:
    assert reading.snapshot is not None  # noqa: S101 - the caller has looked
    snapshot = reading.snapshot
    env = tuple(dict.fromkeys((*snapshot.start.env, *setting.env)))
    values = {**snapshot.start.values, **setting.values}
    return Child(
        id=name,
        snapshot=replace(snapshot, start=replace(snapshot.start, env=env, values=values)),
        prefix=setting.prefix,
        expose=setting.expose,
        deny=setting.deny,
        limits=ChildLimits(
            timeout=setting.timeout,
            max_concurrent=setting.max_concurrent,
            start_timeout=setting.start_timeout,
            idle=setting.idle,
        ),
        drift=setting.drift,
        uris=setting.uris,
        scopes=setting.scopes,
    )


def _unknown(request: GatewayRequest, known: set[str]) -> Iterable[Diagnostic]:
    """Yield the settings that are about no server of the gateway."""
    for name in request.servers:
        if name not in known and name not in request.unused:
            span = request.config.span("gateway", "servers", name)
            message = f"`{name[:60]}` is no server of this gateway, and an option or a setting is about it"
            hint = f"Use one of these: {', '.join(sorted(known)) or 'there is none'}."
            yield Diagnostic(rule=rule("unknown-server"), message=message, span=span, hint=hint, unit=name[:60])


def _merged(before: ConfigEntry | None, entry: ConfigEntry, said: str) -> ConfigEntry:
    """Return what is told of a variable that servers share: it has to be set as soon as one of them needs it."""
    first = before or replace(entry, description=entry.description or said)
    needed = entry.required and entry.default is None
    if not needed or (first.required and first.default is None):
        return first
    return replace(first, required=True, default=None)


def _server(request: GatewayRequest, table: RoutingTable, inputs: Mapping[str, str]) -> Server:
    """Return what a gateway says of itself; what it offers is the table's."""
    config: dict[str, ConfigEntry] = {}
    for child in table.children:
        known = {entry.env: entry for entry in child.snapshot.config}
        for variable in (*known, *child.snapshot.start.env, *child.variables):
            if variable in child.snapshot.start.values and variable not in child.variables:
                continue  # it has its value already
            said = f"Passed on to {child.id}." if variable in child.snapshot.start.env else f"Used to reach {child.id}."
            made = ConfigEntry(name=variable.lower(), env=variable, description=said, sensitive=True)
            config[variable] = _merged(config.get(variable), known.get(variable, made), said)
    names = ", ".join(child.id for child in table.children)
    told = request.config.gateway
    return Server(
        id=request.name,
        package=request.package,
        command=request.command,
        version=told.version or "0.1.0",
        title=told.title,
        description=told.description or f"A gateway to {names}.",
        config=tuple(config.values()),
        settings=request.config.served,
        source=Source(kind="servers", name=names, inputs=inputs),
    )
