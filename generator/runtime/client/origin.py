"""Where a request goes: scheme, host and port, read strictly from a URL (RFC 3986, RFC 6454)."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}

LONGEST_URL = 16_384
"""Characters of a URL that are looked at; servers refuse far shorter ones."""

_HOST_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-._")
_PATH_SAFE = "/%:@!$&'()*+,;=-._~[]"
_QUERY_SAFE = _PATH_SAFE + "?"


class Origin:
    """A scheme, a host (lower case, IPv6 without brackets) and a port. Equal origins may share credentials."""

    __slots__ = ("host", "port", "scheme")

    def __init__(self, scheme: str, host: str, port: int | None = None) -> None:
        self.scheme = scheme
        self.host = host
        self.port = DEFAULT_PORTS[scheme] if port is None else port

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Origin):
            return NotImplemented
        return self.host == other.host and self.port == other.port and self.scheme == other.scheme

    def __hash__(self) -> int:
        return hash((self.scheme, self.host, self.port))

    def __repr__(self) -> str:
        return f"Origin({self.text!r})"

    @property
    def authority(self) -> str:
        """The value of a Host header: the port only where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def text(self) -> str:
        """The origin as a URL without a path, like `https://api.example.com:8443`."""
        return f"{self.scheme}://{self.authority}"


def split_url(url: str, *, query: bool = False) -> tuple[Origin, str]:
    """Split an absolute URL into its origin and its percent-encoded path ("" when there is none).

    With `query` the path ends with the URL's `?query`; without it a query is refused, because a path is going to be
    appended. Raises ValueError, saying what is wrong, for anything but http and https, for a user or a password in the
    URL, for a fragment, for spaces, control characters and backslashes, and for what is no host or no port.
    """
    if len(url) > LONGEST_URL:
        raise ValueError("the URL is too long")
    if any(character <= " " or character in "\\\x7f" for character in url):
        raise ValueError("the URL has spaces, backslashes or control characters")
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise ValueError("the URL does not start with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("the URL carries a user name or password")
    if parts.fragment or url.endswith("#"):
        raise ValueError("the URL has a fragment")
    if parts.query and not query:
        raise ValueError("the URL has a query")
    path = quote(parts.path, safe=_PATH_SAFE)
    if query and parts.query:
        path = f"{path or '/'}?{quote(parts.query, safe=_QUERY_SAFE)}"
    return _origin(scheme, parts.netloc, parts.port), path


def _origin(scheme: str, network_location: str, port: int | None) -> Origin:
    if port == 0:
        raise ValueError("the port is not between 1 and 65535")
    if network_location.startswith("["):
        from ipaddress import IPv6Address

        address, _, rest = network_location[1:].partition("]")
        if "%" in address or (rest and not rest.startswith(":")):
            raise ValueError("the URL's host is not a host name or address")
        return Origin(scheme, IPv6Address(address).compressed, port)
    host = network_location.partition(":")[0].lower()
    if not host.isascii():
        host = _ascii_host(host)
    if not host.strip(".") or len(host) > 253 or not _HOST_CHARACTERS.issuperset(host):  # RFC 1035
        raise ValueError("the URL's host is not a host name or address")
    return Origin(scheme, host, port)


def _ascii_host(host: str) -> str:
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise ValueError("the URL's host is not a host name or address") from None
