"""Starting the HTTP server: what the command line says is checked, the socket is bound, the address is told."""

from __future__ import annotations

import socket
from _thread import start_new_thread
from secrets import token_urlsafe

from . import logs, system
from .http_endpoint import Endpoint
from .http_rules import PROBES, Rules
from .http_runner import Books, HttpRunner, ServerWatch
from .http_server import HttpServer
from .http_sessions import Sessions
from .streams import message_limit, set_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from .catalog import Catalog
    from .http_tokens import Tokens
    from .options import Options

BACKLOG = 512
"""Connections that wait to be taken."""

SESSION_BYTES = 32
"""Random bytes of a session id: nobody guesses 256 bits."""

REFUSED = (
    "--host {host} lets other machines in, so --tokens FILE or --token-env NAME is needed; without --host only this "
    "machine is served"
)


class StartError(Exception):
    """The server cannot start; the message says what to do."""


def serve_http(catalog: Catalog, options: Options) -> NoReturn:
    """Serve a catalog over HTTP until a signal ends the process; raises StartError."""
    tokens = tokens_of(options)
    addresses = _resolved(options.host, options.port)
    if tokens is None and not all(_is_loopback(address[4][0]) for address in addresses):
        raise StartError(REFUSED.format(host=options.host))
    set_apart()
    listener = _bound(addresses, options)
    runner = _runner(catalog, options)
    books = runner.books
    limit = message_limit()
    host, port = listener.getsockname()[:2]
    rules = Rules(
        options.path,
        limit=limit,
        hosts=[*options.allow_host, _in_url(options.host)],
        origins=options.allow_origin,
        any_address=not _is_loopback(host),
    )
    endpoint = Endpoint(catalog, runner, rules, Sessions(lambda: token_urlsafe(SESSION_BYTES)), tokens)
    books.server = server = HttpServer(listener, runner, endpoint, limit)
    runner.role = server.role
    if catalog.header.get("changes"):
        from .hub import Hub

        catalog.hub = Hub(server.post)
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


def _runner(catalog: Catalog, options: Options) -> HttpRunner:
    """Return what runs the calls, in this process or in others; raises StartError."""
    if not options.workers:
        return HttpRunner(Books())
    import os
    import sys

    if not hasattr(os, "posix_spawn") or not sys.executable:
        raise StartError("--workers needs a system with posix_spawn, and a Python that can be started again")
    from .farm_runner import FarmBooks, FarmRunner

    return FarmRunner(FarmBooks(), catalog)


def tokens_of(options: Options) -> Tokens | None:
    """Return the known tokens, None without any; raises StartError."""
    if options.tokens is None and options.token_env is None:
        return None
    from .http_tokens import TokensError, environment_token, read_tokens

    try:
        if options.tokens is not None:
            return read_tokens(options.tokens)
        name = options.token_env or ""
        return environment_token(name, system.environ.get(name.encode(), b"").decode("utf-8", "replace"))
    except TokensError as error:
        raise StartError(str(error)) from None


def _resolved(host: str, port: int) -> list[tuple[socket.AddressFamily, int, int, str, tuple[str, int]]]:
    """Return the addresses a host stands for; raises StartError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise StartError(f"--host {host} is no address of this machine") from None
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
    raise StartError(f"cannot listen on {options.host} port {options.port}: {reason}; choose another with --port")


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
