"""Proxies from the environment, as curl and Python's own library read it.

`HTTP_PROXY`, `HTTPS_PROXY` and `ALL_PROXY` name the proxy of a scheme, `NO_PROXY` the hosts to reach without; lower
case counts first. Loopback is always reached directly: no proxy could. A proxy's credentials go to the proxy alone.
"""

from __future__ import annotations

from base64 import b64encode
from ipaddress import ip_address, ip_network
from urllib.parse import unquote, urlsplit

from .address import LOOPBACK, kind_of, literal
from .origin import DEFAULT_PORTS, Origin
from .problem import CANNOT_REACH, TransportProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Proxy:
    """A proxy: reached by TLS when `secure`; `authorization` is the value of Proxy-Authorization."""

    __slots__ = ("authorization", "host", "port", "secure")

    def __init__(self, host: str, port: int, *, secure: bool, authorization: str | None) -> None:
        self.host = host
        self.port = port
        self.secure = secure
        self.authorization = authorization

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers that only the proxy gets."""
        return (("Proxy-Authorization", self.authorization),) if self.authorization else ()


class Proxies:
    """The proxies that an environment names."""

    __slots__ = ("_direct", "_everything_direct", "_urls")

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._urls = {
            scheme: _variable(environment, scheme) or _variable(environment, "all") for scheme in DEFAULT_PORTS
        }
        names = _variable(environment, "no").replace(",", " ").split()
        self._everything_direct = "*" in names
        self._direct = [name.lower() for name in names]

    def of(self, origin: Origin) -> Proxy | None:
        """Return the proxy for an origin, None for a direct connection. Raises TransportProblem for one of no use."""
        url = self._urls[origin.scheme]
        if not url or self._everything_direct or _is_loopback(origin.host) or self._is_direct(origin):
            return None
        try:
            return _parse(url)
        except ValueError:
            raise TransportProblem(
                CANNOT_REACH,
                f"the proxy that the environment names for {origin.scheme} cannot be used",
                retryable=False,
                suggestion=(
                    f"Ask the user to set {origin.scheme.upper()}_PROXY to an http:// URL (SOCKS is not supported), or "
                    f"to add {origin.host} to NO_PROXY."
                ),
                sent=False,
            ) from None

    def _is_direct(self, origin: Origin) -> bool:
        host = origin.host.rstrip(".")
        address = literal(host)
        for name in self._direct:
            if name in (host, f"{host}:{origin.port}", origin.authority, f"[{host}]"):
                return True
            if address is not None:
                try:
                    if "/" in name and ip_address(host) in ip_network(name, strict=False):
                        return True
                except ValueError:
                    continue
            else:
                suffix, _, port = name.partition(":")
                suffix = suffix.removeprefix("*").removeprefix(".")
                if suffix and (host == suffix or host.endswith(f".{suffix}")) and port in ("", str(origin.port)):
                    return True
        return False


def _variable(environment: Mapping[str, str], scheme: str) -> str:
    name = f"{scheme}_proxy"
    value = environment.get(name)
    if value is None and not (scheme == "http" and "REQUEST_METHOD" in environment):
        # In a CGI process HTTP_PROXY is the client's `Proxy` header ("httpoxy", CVE-2016-5385).
        value = environment.get(name.upper())
    return (value or "").strip()


def _is_loopback(host: str) -> bool:
    address = literal(host)
    if address is not None:
        return kind_of(address) == LOOPBACK
    name = host.rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _parse(url: str) -> Proxy:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    scheme, host = parts.scheme.lower(), parts.hostname
    if scheme not in DEFAULT_PORTS or not host or not host.isascii():
        raise ValueError
    authorization = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = f"Basic {b64encode(pair.encode('utf-8')).decode('ascii')}"
    return Proxy(host, parts.port or DEFAULT_PORTS[scheme], secure=scheme == "https", authorization=authorization)
