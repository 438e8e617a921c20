"""Making a connection: the address judged, directly or by a proxy, with TLS where the origin wants it."""

from __future__ import annotations

import socket

from . import faults
from .address import Guard
from .caps import CONNECT_SECONDS
from .connection import Connection
from .head import BadHead
from .message import Request
from .origin import Origin
from .problem import CANNOT_REACH, TransportProblem
from .proxy import Proxies, Proxy
from .resolving import Unresolved, resolve
from .stopping import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .resolving import Endpoint
    from .tls import Contexts


class Dialler:
    """Connects to origins; what `environment` says about proxies and certificates is read once."""

    __slots__ = ("_ca_file", "_contexts", "_environment", "_guard", "_proxies")

    def __init__(self, guard: Guard, environment: Mapping[str, str], ca_file: str | None = None) -> None:
        self._guard = guard
        self._environment = environment
        self._proxies = Proxies(environment)
        self._ca_file = ca_file
        self._contexts: Contexts | None = None

    def dial(self, request: Request, turn: Turn) -> Connection:
        """Return a connection ready for the request. Raises TransportProblem."""
        origin = request.origin
        self._guard.check_host(origin)
        proxy = self._proxies.of(origin)
        place = f"the proxy {proxy.host}:{proxy.port}" if proxy else origin.authority
        try:
            if proxy is None:
                endpoints = resolve(origin.host, origin.port, turn)
                self._guard.check_addresses(origin, endpoints)
            else:
                self._guard.check_name(origin)
                endpoints = resolve(proxy.host, proxy.port, turn)
            connection = Connection(_connect(endpoints, turn), turn, via_proxy=proxy is not None)
        except Unresolved as error:
            raise faults.not_found(place, temporary=error.temporary) from None
        except OSError as error:
            raise _problem(place, error, turn) from None
        try:
            self._prepare(connection, request, proxy, place)
        except BaseException:
            connection.close()
            raise
        return connection

    def proxy_headers(self, request: Request) -> tuple[tuple[str, str], ...]:
        """Return the headers that a request without TLS carries for the proxy on its way."""
        proxy = self._proxies.of(request.origin) if request.origin.scheme == "http" else None
        return proxy.headers if proxy else ()

    def _prepare(self, connection: Connection, request: Request, proxy: Proxy | None, place: str) -> None:
        origin = request.origin
        if proxy is not None:
            if proxy.secure:
                if origin.scheme == "https":
                    raise _no_tunnel(f"{place} wants TLS itself, which is not supported for https addresses")
                self._secure(connection, proxy.host, None, place)
            if origin.scheme == "https":
                _tunnel(connection, origin, proxy, place)
        if origin.scheme == "https":
            self._secure(connection, origin.host, request.certificate, origin.authority)

    def _secure(self, connection: Connection, host: str, certificate: tuple[str, str] | None, place: str) -> None:
        import ssl

        from .tls import Contexts, explain, wrap

        if self._contexts is None:
            self._contexts = Contexts(self._environment, self._ca_file)
        context = self._contexts.context(certificate)
        turn = connection.turn
        turn.watch.on_stop(connection.abort)
        try:
            connection.socket.settimeout(turn.left())
            secured = wrap(connection.socket, context, host)
            connection.socket = secured  # before the handshake, so that `abort` finds it
            turn.left()
            secured.do_handshake()
        except ssl.SSLError as error:
            if turn.watch.cancelled or isinstance(error, TimeoutError):
                raise _problem(place, TimeoutError(), turn) from None
            raise explain(error, place) from None
        except (OSError, ValueError) as error:
            raise _problem(place, error if isinstance(error, OSError) else OSError(), turn) from None
        finally:
            turn.watch.forget(connection.abort)


def _connect(endpoints: list[Endpoint], turn: Turn) -> socket.socket:
    """Connect to the first address that answers. Raises OSError, the last address's."""
    error: OSError = ConnectionRefusedError()
    budget = min(CONNECT_SECONDS, turn.left())
    for number, (family, address) in enumerate(endpoints):
        share = min(budget / (len(endpoints) - number), turn.left())
        try:
            return _connect_one(family, address, share, turn)
        except OSError as failure:
            error = failure
    raise error


def _connect_one(family: int, address: tuple[object, ...], seconds: float, turn: Turn) -> socket.socket:
    plain = socket.socket(family, socket.SOCK_STREAM)
    connection = Connection(plain, turn)
    turn.watch.on_stop(connection.abort)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.settimeout(seconds)
        plain.connect(address)
    except BaseException:
        plain.close()
        raise
    finally:
        turn.watch.forget(connection.abort)
    return plain


def _tunnel(connection: Connection, origin: Origin, proxy: Proxy, place: str) -> None:
    """Ask the proxy for a tunnel (RFC 9110 section 9.3.6). Raises TransportProblem."""
    from .round_trip import receive_head

    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    authority = f"{host}:{origin.port}"
    lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}", *(f"{k}: {v}" for k, v in proxy.headers)]
    turn = connection.turn
    turn.watch.on_stop(connection.abort)
    try:
        connection.send("\r\n".join([*lines, "\r\n"]).encode("latin-1"))
        head = receive_head(connection)
    except BadHead as error:
        raise _no_tunnel(f"the answer of {place} cannot be read: {error}") from None
    except OSError as error:
        raise _problem(place, error, turn) from None
    finally:
        turn.watch.forget(connection.abort)
    if not 200 <= head.status < 300:
        raise _no_tunnel(f"{place} refused to connect to {origin.authority}: {head.status} {head.reason}".rstrip())
    if connection.buffer:
        raise _no_tunnel(f"{place} sent something before the tunnel was used")


def _problem(place: str, error: OSError, turn: Turn) -> TransportProblem:
    if turn.watch.cancelled:
        return faults.cancelled(sent=False)
    return faults.not_connected(place, error)


def _no_tunnel(message: str) -> TransportProblem:
    return TransportProblem(
        CANNOT_REACH,
        message,
        retryable=False,
        suggestion="Ask the user to check the proxy settings of this server's environment (HTTPS_PROXY, NO_PROXY).",
        sent=False,
    )
