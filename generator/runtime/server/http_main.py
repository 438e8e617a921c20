"""Starting the HTTP server: what the command line says is checked, the socket is bound, the address is told."""

from __future__ import annotations

import socket
from _thread import start_new_thread
from secrets import token_urlsafe

from ..wire.jsonrpc import shown
from . import http_starting as starting
from . import logs, system
from .http_endpoint import Endpoint
from .http_guard import Guard
from .http_posts import Posts
from .http_problem import StartError
from .http_rules import ACTIVITY, ACTIVITY_PATH, METADATA, PROBES, Rules
from .http_runner import Books, HttpRunner, ServerWatch
from .http_server import HttpServer
from .http_sessions import Sessions
from .streams import message_limit, set_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from .catalog import Catalog
    from .http_activity import Activity
    from .http_metadata import Metadata
    from .http_tokens import Tokens
    from .options import Options

BACKLOG = 512
"""Connections that wait to be taken."""

SESSION_BYTES = 32
"""Random bytes of a session id: nobody guesses 256 bits."""

REFUSED = (
    "--host {host} lets other machines in, so --tokens FILE or --token-env NAME is needed, or the setting `verify`; "
    "without --host only this machine is served"
)


NO_WORKERS = (
    "a gateway has no --workers: its tools run in the processes of the servers behind it already; leave the option, or "
    "`workers` in the settings, out"
)


def serve_http(catalog: Catalog, options: Options) -> NoReturn:
    """Serve a catalog over HTTP until a signal ends the process; raises StartError."""
    tokens = starting.tokens_of(options)
    addresses = _resolved(options.host, options.port)
    closed = tokens is not None or options.serve.get("verify") is not None
    if not closed and not all(_is_loopback(address[4][0]) for address in addresses):
        raise StartError(REFUSED.format(host=shown(options.host)))
    set_apart()
    listener = _bound(addresses, options)
    runner = _runner(catalog, options)
    books = runner.books
    host, port = listener.getsockname()[:2]
    endpoint = endpoint_of(catalog, options, runner, tokens, reachable=not _is_loopback(host))
    books.server = server = HttpServer(listener, runner, endpoint, message_limit())
    server.straight = endpoint.straight()
    runner.role = server.role
    connect(catalog, runner, server.post)
    runner.watch = ServerWatch(
        books.open,
        server.role,
        hand_over=runner.hand_over,
        overdue=runner.time_out,
        client_gone=bool,
        end=runner.lifetime.end,
    )
    runner.lifetime.catch_signals()
    runner.begin(options)
    _announce(catalog, f"http://{_in_url(options.host)}:{port}{options.path}")
    runner.watch.start()
    start_new_thread(server.serve, ())
    runner.lifetime.wait()


def connect(catalog: Catalog, runner: HttpRunner, post: Callable[..., None]) -> None:
    """Have calls and changes told of; `post` hands them to the server's role."""
    runner.events = catalog.events
    if catalog.header.get("listens"):
        from .hub import Hub

        catalog.hub = Hub(post)


def _runner(catalog: Catalog, options: Options) -> HttpRunner:
    """Return what runs the calls, in this process or in others; raises StartError."""
    if not options.workers:
        return HttpRunner(Books())
    if catalog.header.get("gateway"):
        raise StartError(NO_WORKERS)
    import os
    import sys

    if not hasattr(os, "posix_spawn") or not sys.executable:
        raise StartError("--workers needs a system with posix_spawn, and a Python that can be started again")
    from .farm_runner import FarmBooks, FarmRunner

    return FarmRunner(FarmBooks(), catalog)


def endpoint_of(
    catalog: Catalog, options: Options, runner: HttpRunner, tokens: Tokens | None, *, reachable: bool
) -> Endpoint:
    """Return what answers requests; others than this machine may send them to a `reachable` server."""
    metadata = starting.metadata_of(catalog, options)

    def post(*mail: Any) -> None:
        runner.books.server.post(*mail)  # there is no server yet

    activity = starting.activity_of(catalog, options, post)
    verifier = starting.verifier_of(catalog, options, post, tokens)
    guard = Guard(tokens, verifier=verifier, metadata=metadata, rates=starting.rates_of(options))
    rules = Rules(
        options.path,
        limit=message_limit(),
        hosts=[*options.allow_host, _in_url(options.host)],
        origins=options.allow_origin,
        any_address=reachable,
        places=_places(metadata, activity),
    )
    sessions = Sessions(lambda: token_urlsafe(SESSION_BYTES))
    rates, views = starting.tool_rates_of(options), starting.views_of(catalog, options)
    posts = Posts(catalog, runner, sessions, guard, rates=rates, views=views)
    return Endpoint(catalog, posts, runner, rules, sessions, guard, metadata=metadata, activity=activity)


def _places(metadata: Metadata | None, activity: Activity | None) -> list[tuple[str, str]]:
    """Return the paths of what there is besides the endpoint."""
    found = [(path, METADATA) for path in metadata.paths()] if metadata is not None else []
    return found if activity is None else [*found, (ACTIVITY_PATH, ACTIVITY)]


def _resolved(host: str, port: int) -> list[tuple[socket.AddressFamily, int, int, str, tuple[str, int]]]:
    """Return the addresses a host stands for; raises StartError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise StartError(f"--host {shown(host)} is no address of this machine") from None
    return found  # type: ignore[return-value] # IPv6 addresses have two members more


def _bound(
    addresses: list[tuple[socket.AddressFamily, int, int, str, tuple[str, int]]], options: Options
) -> socket.socket:
    """Listen on the first address that works; raises StartError."""
    problem: OSError | None = None
    for family, kind, protocol, _, address in sorted(addresses, key=lambda each: each[0] != socket.AF_INET):
        listener = None
        try:
            listener = socket.socket(family, kind, protocol)
            if system.set_blocking is not None:  # elsewhere the option lets two servers share a port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
        except OSError as error:
            problem = error
            if listener is not None:
                listener.close()
        else:
            return listener
    reason = problem.strerror if problem is not None else "it has no address"
    raise StartError(
        f"cannot listen on {shown(options.host)} port {options.port}: {reason}; choose another with --port"
    )


def _is_loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _announce(catalog: Catalog, url: str) -> None:
    """Say on standard error where the server is: the only way to learn a port that the system chose."""
    name = catalog.header["server"]["name"]
    if logs.options.form == "json":
        logs.write_json("info", "serving", {"server": name, "url": url, "probes": list(PROBES)})
    else:
        logs.write(f"{name} serves {url}")
