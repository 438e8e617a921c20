"""Which addresses may be called (decision 28): public ones and loopback; others only where the operator says so.

The host is resolved once, every address of it is judged, and the connection goes to an address that was judged: a name
that changes its mind in between (DNS rebinding) gains nothing. The ranges are a table of our own, because what
`ipaddress` calls private has changed between Python's releases (IANA special-purpose registries, RFC 6890).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from .origin import Origin
from .problem import ADDRESS_REFUSED, TransportProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .resolving import Endpoint

PUBLIC, LOOPBACK, PRIVATE, METADATA = "public", "loopback", "private", "metadata"

_METADATA = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # AWS, Azure, Google Cloud, DigitalOcean, OpenStack
        "169.254.170.2",  # AWS container credentials
        "169.254.170.23",  # the same on EKS
        "100.100.100.200",  # Alibaba Cloud
        "192.0.0.192",  # Oracle Cloud
        "168.63.129.16",  # Azure's wire server, in public space
        "fd00:ec2::254",  # AWS
        "fd00:ec2::23",
        "fd20:ce::254",  # Google Cloud
    )
)
_NOT_PUBLIC_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_LOOPBACK_6 = IPv6Address("::1")
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(IPv6Network(text) for text in ("2001::/23", "2001:db8::/32", "3fff::/20"))
_TEREDO = IPv6Network("2001::/32")
_SIX_TO_FOUR = IPv6Network("2002::/16")  # like Teredo long out of use: nobody's API is there
_TRANSLATED = IPv6Network("64:ff9b::/96")

METADATA_NAMES = frozenset(("metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"))
PRIVATE_ENDINGS = (".internal", ".local", ".localdomain", ".lan", ".intranet", ".corp", ".private", ".home.arpa")
"""Domains that only ever mean the network somebody is in (RFC 6762, RFC 8375, and habit)."""

_SUGGESTION = (
    "Ask the user to set this server's base URL (the ..._BASE_URL variable) if that host is meant, or to build the "
    "server again with --allow-private-hosts; calling it again as it is will not help."
)


def kind_of(address: IPv4Address | IPv6Address) -> str:
    """Return PUBLIC, LOOPBACK, PRIVATE (anything else that is not public) or METADATA (a cloud's credentials)."""
    if address in _METADATA:
        return METADATA
    if isinstance(address, IPv4Address):
        if address.is_loopback:
            return LOOPBACK
        return PRIVATE if any(address in network for network in _NOT_PUBLIC_4) else PUBLIC
    if address == _LOOPBACK_6:
        return LOOPBACK
    inner = _carried(address)
    if inner:
        kinds = {kind_of(one) for one in inner}
        if METADATA in kinds:
            return METADATA
        tunnelled = address in _TEREDO or address in _SIX_TO_FOUR
        return PUBLIC if kinds == {PUBLIC} and not tunnelled else PRIVATE
    if address not in _PUBLIC_6 or any(address in network for network in _NOT_PUBLIC_6):
        return PRIVATE
    return PUBLIC


def _carried(address: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses that an IPv6 address leads to: mapped, translated (NAT64), 6to4 and Teredo."""
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    packed = address.packed
    if address in _TRANSLATED:
        return [IPv4Address(packed[12:])]
    if address in _SIX_TO_FOUR:
        return [IPv4Address(packed[2:6])]
    if address in _TEREDO:
        return [IPv4Address(packed[4:8]), IPv4Address(bytes(byte ^ 0xFF for byte in packed[12:]))]
    return []


def literal(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host spells in the usual form, None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_encoded(host: str) -> bool:
    """Say whether a host is an address in disguise, like `2130706433`, `0x7f.1` or `0177.0.0.1`."""
    if literal(host) is not None:
        return False
    last = host.rstrip(".").rpartition(".")[2].lower()
    return last.isdecimal() or (last.startswith("0x") and all(digit in "0123456789abcdef" for digit in last[2:]))


class Guard:
    """Judges origins and the addresses they resolve to; `operator` is the origin that the operator configured."""

    __slots__ = ("_allow_private", "_operator")

    def __init__(self, operator: Origin | None, *, allow_private: bool) -> None:
        self._operator = operator
        self._allow_private = allow_private

    def check_host(self, origin: Origin) -> None:
        """Judge what needs no resolving. Raises TransportProblem."""
        if origin == self._operator:
            return
        address = literal(origin.host)
        if address is not None:
            self._check(origin, kind_of(address))
        elif is_encoded(origin.host) and not self._allow_private:
            raise _refused(origin, "is written in a form that hides its address")

    def check_name(self, origin: Origin) -> None:
        """Judge a host that a proxy is going to resolve by its name alone. Raises TransportProblem."""
        name = origin.host.rstrip(".")
        if origin == self._operator or literal(name) is not None:
            return
        if name in METADATA_NAMES:
            self._check(origin, METADATA)
        if "." not in name or name.endswith(PRIVATE_ENDINGS):
            self._check(origin, PRIVATE)

    def check_addresses(self, origin: Origin, endpoints: list[Endpoint]) -> None:
        """Judge every address a host resolved to; one that is refused refuses all. Raises TransportProblem."""
        if origin == self._operator:
            return
        for _, address in endpoints:
            self._check(origin, kind_of(ip_address(str(address[0]).partition("%")[0])))

    def _check(self, origin: Origin, kind: str) -> None:
        if kind == METADATA:
            raise _refused(origin, "is where a cloud keeps its credentials")
        if kind == PRIVATE and not self._allow_private:
            raise _refused(origin, "is in a private network")


def _refused(origin: Origin, reason: str) -> TransportProblem:
    return TransportProblem(
        ADDRESS_REFUSED,
        f"the API's host {origin.authority} was not called: it {reason}",
        retryable=False,
        suggestion=_SUGGESTION,
        sent=False,
    )
