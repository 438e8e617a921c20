"""Which hosts stand for places a public description has no business to point at, however they are written."""

from __future__ import annotations

import ipaddress
import re

from ...runtime.client.address import PRIVATE_ENDINGS, PUBLIC, kind_of

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""NAT64 (RFC 6052): the last four bytes are an IPv4 address."""

_IPV4_BYTES = 4


def private_kind(host: str) -> str | None:
    """Return what kind of private place a host is, in words that follow `is`, or None; loopback is not private here."""
    name = host.rstrip(".").lower()
    address, encoded = _address(name)
    if address is None:
        return "a name of a private network" if name.endswith(PRIVATE_ENDINGS) else None
    inner = _inside(address)
    if inner.is_loopback and not encoded and inner is address:
        return None
    if inner.is_link_local:
        return "a link-local address, where clouds keep credentials"
    if kind_of(address) != PUBLIC or kind_of(inner) != PUBLIC:  # what a server refuses when it runs
        return "a private address"
    return "an address in a disguise" if encoded else None


def _address(name: str) -> tuple[ipaddress.IPv4Address | ipaddress.IPv6Address | None, bool]:
    """Return the address a host is, and whether it is written in a way that hides it."""
    try:
        return ipaddress.ip_address(name), False
    except ValueError:
        pass
    parts = name.split(".")
    if len(parts) > _IPV4_BYTES or not all(_NUMBER.fullmatch(part) for part in parts):
        return None, False
    try:
        *head, last = [_number(part) for part in parts]
    except ValueError:
        return None, False
    size = _IPV4_BYTES - len(head)
    if any(value > 0xFF for value in head) or last >= 1 << (8 * size):
        return None, False
    return ipaddress.IPv4Address(bytes(head) + last.to_bytes(size, "big")), True


def _number(text: str) -> int:
    """Read a number as the system's resolver does: hexadecimal, octal with a leading zero, decimal."""
    if text[:2] in ("0x", "0X"):
        return int(text, 16)
    return int(text, 8) if len(text) > 1 and text.startswith("0") else int(text)


def _inside(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return the IPv4 address that an IPv6 address carries (mapped, 6to4, NAT64, compatible), or the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    value = int(address)
    if address in _TRANSLATED or 1 < value < 1 << 32:
        return ipaddress.IPv4Address(value & 0xFFFFFFFF)
    return address
