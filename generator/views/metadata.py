"""What a view asks of its host (`_meta.ui` of a resource): origins it reaches, permissions, a domain, a border.

Authors spell members as Python does (`connect_domains`) or as the protocol does (`connectDomains`). What is emitted is
in the protocol's spelling and always in the same order. An origin is one scheme, one host and perhaps a port, because
hosts put it into a Content-Security-Policy as it is: a space or a `;` would end one source or one directive and begin
another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CSP_MEMBERS: Mapping[str, str] = {
    "connect_domains": "connectDomains",
    "resource_domains": "resourceDomains",
    "frame_domains": "frameDomains",
    "base_uri_domains": "baseUriDomains",
}
"""Lists of origins, by our name and the protocol's (`McpUiResourceCsp`)."""

PERMISSIONS: Mapping[str, str] = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboard_write": "clipboardWrite",
}
"""Features of the browser (`McpUiResourcePermissions`)."""

LONGEST_ORIGIN = 300
"""Characters of an origin: a host name has at most 253."""

_ORIGIN = re.compile(
    r"(?P<scheme>https?|wss?)://(?P<host>\[[0-9A-Fa-f:.]+\]|(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
    r"(?::(?P<port>[0-9]{1,5}))?"
)
_DOMAIN = re.compile(r"(?:https://)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?")
_LAST_PORT = 65_535


def origin_problem(text: object) -> str | None:
    """Return why a value is not one origin, or None."""
    if not isinstance(text, str):
        return "it is no text"
    if any(character.isspace() or character in ";,'\"" for character in text):
        return "it is more than one origin: a policy ends it at a space, a comma or a `;`"
    if "*" in text and not text.partition("://")[2].startswith("*."):
        return "`*` may only stand for the subdomains of a host, as in `https://*.example.com`"
    found = _ORIGIN.fullmatch(text) if len(text) <= LONGEST_ORIGIN else None
    if found is None:
        return "it is not one origin such as `https://api.example.com`"
    host, port = found["host"], found["port"]
    if ".." in host or (host.startswith("*.") and "." not in host[2:]):
        return "its host is not one that a policy can name"
    if port is not None and not 0 < int(port) <= _LAST_PORT:
        return "its port is out of range"
    return None


def csp_problem(value: object) -> str | None:
    """Return why a value is no content security policy of a view, or None."""
    if not isinstance(value, dict):
        return f"`csp` must be a dictionary of {_listed(CSP_MEMBERS)}"
    for key, origins in value.items():
        if key not in CSP_MEMBERS and key not in CSP_MEMBERS.values():
            return f"`csp` has no member `{str(key)[:60]}`; it has {_listed(CSP_MEMBERS)}"
        if not isinstance(origins, list | tuple):
            return f"`{key}` of `csp` must be a list of origins"
        for origin in origins:
            problem = origin_problem(origin)
            if problem is not None:
                return f"`{str(origin)[:60]}` in `{key}` cannot be used: {problem}"
    return None


def permissions_problem(value: object) -> str | None:
    """Return why a value is no set of permissions, or None: a list of names, or a table as the protocol has it."""
    if not isinstance(value, dict | list | tuple):
        return f"`permissions` must be a list of {_listed(PERMISSIONS)}"
    for name in value:
        if name not in PERMISSIONS and name not in PERMISSIONS.values():
            return f"there is no permission `{str(name)[:60]}`; there are {_listed(PERMISSIONS)}"
    return None


def domain_problem(value: object) -> str | None:
    """Return why a value is no domain of a view, or None."""
    if isinstance(value, str) and len(value) <= LONGEST_ORIGIN and _DOMAIN.fullmatch(value) and ".." not in value:
        return None
    return "`domain` must be one host name, as the host of the view documents it"


def view_meta(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return `_meta.ui` of a view from options that were checked; empty when nothing is stated."""
    csp = options.get("csp") or {}
    wanted = options.get("permissions") or ()
    origins = {theirs: [*_either(csp, ours, theirs)] for ours, theirs in CSP_MEMBERS.items()}
    granted: dict[str, Any] = {theirs: {} for ours, theirs in PERMISSIONS.items() if ours in wanted or theirs in wanted}
    found = {
        "csp": {name: list(dict.fromkeys(each)) for name, each in origins.items() if each},
        "permissions": granted,
        "domain": options.get("domain"),
        "prefersBorder": options.get("prefers_border"),
    }
    return {name: value for name, value in found.items() if value not in (None, {})}


def _either(csp: Mapping[str, Any], ours: str, theirs: str) -> Iterable[str]:
    return (*csp.get(ours, ()), *(csp.get(theirs, ()) if theirs != ours else ()))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
