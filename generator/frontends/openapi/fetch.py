"""Documents from other hosts: the address is checked after the name was looked up, and that address is connected to.

Used for an address that the user typed, and for references when remote ones are allowed. Proxies of the environment are
not used: a proxy would look the name up itself, unchecked. Redirects are followed a few times, each with the same
checks, never from https to http.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from contextlib import ExitStack
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from ...runtime.client.address import LOOPBACK, METADATA, PRIVATE, PUBLIC, kind_of
from .limits import MAX_FETCH_BYTES, MAX_FETCH_SECONDS, MAX_REDIRECTS
from .load_problem import TextProblem, cut

if TYPE_CHECKING:
    from collections.abc import Collection

_DEFAULT_PORTS = {"http": 80, "https": 443}
_REDIRECTS = (301, 302, 303, 307, 308)
_CHUNK = 65536
_ACCEPT = "application/openapi+json, application/openapi+yaml, application/json, application/yaml, */*;q=0.5"


class Fetched:
    """A fetched document, and the address it came from in the end."""

    __slots__ = ("address", "data")

    def __init__(self, address: str, data: bytes) -> None:
        self.address = address
        self.data = data


def fetch(address: str, *, private_hosts: bool, deadline: float, typed: bool = False) -> Fetched:
    """Return the document at an http(s) address; raises TextProblem. `deadline` is a `time.monotonic()` value.

    With `typed` the user wrote the address, so that its host may be this very machine; a redirect's may not.
    """
    deadline = min(deadline, time.monotonic() + MAX_FETCH_SECONDS)
    own = _checked(address).hostname if typed else None
    for _ in range(MAX_REDIRECTS + 1):
        parts = _checked(address)
        try:
            allowed = _allowed(private_hosts=private_hosts, own=parts.hostname == own)
            answer = _ask(parts, allowed=allowed, deadline=deadline)
        except (OSError, http.client.HTTPException, UnicodeError) as problem:
            raise _unreachable(parts, _reason(problem)) from None
        if isinstance(answer, bytes):
            return Fetched(address, answer)
        following = urljoin(address, answer)
        if parts.scheme == "https" and not following.lower().startswith("https:"):
            raise TextProblem("refused-reference", "a redirect leads from https to http")
        address = following
    raise _unreachable(parts, f"more than {MAX_REDIRECTS} redirects")


def _kind(address: str) -> str:
    """Return what kind of IP address it is, as the servers that are made judge it."""
    return kind_of(ip_address(address.partition("%")[0]))


def _allowed(*, private_hosts: bool, own: bool) -> frozenset[str]:
    """Return the kinds of addresses that a host may have; `own` is the host the user typed."""
    if private_hosts:
        return frozenset({PUBLIC, LOOPBACK, PRIVATE, METADATA})
    return frozenset({PUBLIC, LOOPBACK}) if own else frozenset({PUBLIC})


def _checked(address: str) -> SplitResult:
    """Return the parts of an address that may be asked; raises TextProblem."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise TextProblem("refused-reference", "the address is malformed") from None
    if parts.scheme not in _DEFAULT_PORTS:
        raise TextProblem("refused-reference", "a redirect leads to something that is not http")
    if not parts.hostname or port == 0:
        raise TextProblem("refused-reference", "the address names no host")
    if parts.username is not None or parts.password is not None:
        raise TextProblem("refused-reference", "the address holds credentials")
    if not (parts.path + parts.query).isprintable():
        raise TextProblem("refused-reference", "the address has a control character")
    return parts


def _ask(parts: SplitResult, *, allowed: Collection[str], deadline: float) -> bytes | str:
    """Return the body, or where the server redirects to."""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    with ExitStack() as opened:
        connection = _connect(parts, allowed=allowed, deadline=deadline, opened=opened)
        connection.request("GET", _ascii(target), headers={"Accept": _ACCEPT, "Accept-Encoding": "identity"})
        answer = opened.enter_context(connection.getresponse())
        if answer.status in _REDIRECTS and (location := answer.getheader("Location")):
            return location
        if answer.status != http.client.OK:
            raise _unreachable(parts, f"the server answers {answer.status}")
        if answer.getheader("Content-Encoding", "identity").lower() != "identity":
            raise _unreachable(parts, "the server answers in an encoding that was not asked for")
        return _body(parts, connection, answer, deadline)


def _connect(
    parts: SplitResult, *, allowed: Collection[str], deadline: float, opened: ExitStack
) -> http.client.HTTPConnection:
    """Return a connection to a checked address; `opened` closes what it uses."""
    host, port = str(parts.hostname), parts.port or _DEFAULT_PORTS[parts.scheme]
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    if not all(_kind(each) in allowed for each in addresses):
        raise TextProblem(
            "refused-reference",
            f"the host `{cut(host)}` has a private address",
            hint="Add --allow-private-hosts if the host is meant.",
        )
    connection = http.client.HTTPConnection(host, port, timeout=_remaining(deadline))
    connection.sock = opened.enter_context(_socket(addresses, port, deadline))
    if parts.scheme == "https":
        connection.default_port = _DEFAULT_PORTS["https"]
        context = ssl.create_default_context()
        connection.sock = opened.enter_context(context.wrap_socket(connection.sock, server_hostname=host))
    return connection


def _socket(addresses: list[str], port: int, deadline: float) -> socket.socket:
    problem: OSError | None = None
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout=_remaining(deadline))
        except OSError as why:
            problem = problem or why
    raise problem or OSError("the host has no address")


def _body(
    parts: SplitResult, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse, deadline: float
) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        if connection.sock is not None:
            connection.sock.settimeout(_remaining(deadline))
        chunk = answer.read1(_CHUNK)
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_FETCH_BYTES:
            raise TextProblem("loading-limit", f"the server sends more than {MAX_FETCH_BYTES} bytes")
    if answer.length:
        raise _unreachable(parts, "the answer breaks off")
    return b"".join(chunks)


def _remaining(deadline: float) -> float:
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError
    return remaining


def _ascii(target: str) -> str:
    return quote(target, safe="%/:=&?~#+!$,;'@()*[]")


def _reason(problem: Exception) -> str:
    if isinstance(problem, TimeoutError):
        return "no answer in time"
    if isinstance(problem, socket.gaierror):
        return "the host is not known"
    if isinstance(problem, ssl.SSLError):
        return "its certificate or TLS is not accepted"
    if isinstance(problem, ConnectionError):
        return "the connection is refused or broken"
    return "the answer is not HTTP"


def _unreachable(parts: SplitResult, reason: str) -> TextProblem:
    return TextProblem("unreachable-reference", f"`{cut(str(parts.hostname))}` cannot be asked: {reason}")
