"""Base URLs: variables filled with their defaults, relative ones resolved, dangerous ones refused (decision 28).

A document's servers are only the default: the operator's base URL wins when the server runs. So a server that is merely
of no use costs a warning; one that could lead credentials or requests astray (another scheme, a user in the URL,
control characters) is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit, urlunsplit

from ...diagnostics.model import Severity
from ...runtime.client.address import literal
from ...runtime.client.origin import split_url
from ...runtime.client.url import is_dots
from .findings import address_shown, shown
from .hosts import private_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .findings import Findings
    from .model import ApiServer

NEEDED = "Give --base-url, or set the server's BASE_URL when it runs."

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\d+(?:/|$))")
"""A scheme, unless it is a host and a port without one."""


class Refused(Exception):
    """A server that must not be asked; the message says why."""


class Unusable(Exception):
    """A server whose address is not complete; the message says why."""


class Servers:
    """Resolves the servers of one document; `pinned` tells that the operator's own URL replaces them all."""

    __slots__ = ("_allow_private", "_document_url", "_findings", "_pinned")

    def __init__(
        self, findings: Findings, *, document_url: str | None, pinned: bool, allow_private_hosts: bool
    ) -> None:
        self._findings = findings
        self._document_url = document_url
        self._pinned = pinned
        self._allow_private = allow_private_hosts

    def base_urls(self, servers: Sequence[ApiServer], *, unit: str | None = None, base: str = "") -> tuple[str, ...]:
        """Return the absolute URLs of the usable servers, in order.

        `base` is what relative ones are resolved against when the document itself has no address. Raises Refused when
        there are only refused ones, after reporting them.
        """
        found: dict[str, None] = {}
        refused: list[tuple[ApiServer, str]] = []
        for server in servers:
            try:
                found.setdefault(self._resolved(server, base))
            except Refused as problem:
                refused.append((server, str(problem)))
            except Unusable as problem:
                self._warn(server, str(problem), unit)
        fatal = bool(refused) and not found and not self._pinned
        for server, why in refused:
            message = f"the server `{address_shown(server.url)}` is refused: {why}"
            severity = None if fatal else Severity.WARNING
            place = server.place.at("url")
            self._findings.tell("refused-server", message, place=place, unit=unit, severity=severity)
        if fatal:
            raise Refused(refused[0][1])
        return tuple(found)

    def _warn(self, server: ApiServer, why: str, unit: str | None) -> None:
        if not self._pinned:
            message = f"the server `{address_shown(server.url)}` cannot be asked as it is: {why}"
            place = server.place.at("url")
            self._findings.group("incomplete-server", message, place=place, unit=unit, hint=NEEDED)

    def _resolved(self, server: ApiServer, base: str) -> str:
        url = self._filled(server).strip()
        if any(character < " " or character in "\\\x7f" for character in url):
            raise Refused("it has control characters or backslashes")
        scheme = _SCHEME.match(url)
        if scheme is not None and scheme[1].lower() not in ("http", "https"):
            raise Refused("only http and https are asked")
        try:
            url = _without_query(self._absolute(url, base) if scheme is None else url)
            if "@" in urlsplit(url).netloc:
                raise Refused("it carries a user name or password")
            origin, path = split_url(url)
        except ValueError as problem:
            raise Unusable(str(problem)) from None
        if any(is_dots(segment) for segment in path.split("/")):
            raise Unusable("it has a dot segment (`.` or `..`)")
        if literal(origin.host) is not None and not url.isascii() and origin.host not in url.lower():
            raise Unusable("its host is an address in a disguise")
        self._judge_host(server, origin.host)
        return f"{origin.text}{path}".rstrip("/")

    def _filled(self, server: ApiServer) -> str:
        """Return the URL with the variables' defaults; a default outside its own list counts as its first choice."""

        def value(match: re.Match[str]) -> str:
            variable = server.variables.get(match[1])
            if variable is None:
                raise Unusable(f"its variable `{shown(match[1])}` has no value")
            if variable.enum and variable.default not in variable.enum:
                return variable.enum[0]
            return variable.default

        return _VARIABLE.sub(value, server.url)

    def _absolute(self, url: str, base: str) -> str:
        around = self._document_url or base
        if around:
            return urljoin(around, url)
        if url.startswith("//"):
            return f"https:{url}"
        raise Unusable("it is relative, and the description comes from a file")

    def _judge_host(self, server: ApiServer, host: str) -> None:
        kind = None if self._allow_private or self._pinned else private_kind(host)
        if kind is not None:
            message = f"the server `{address_shown(server.url)}` is {kind}; it is asked only if the operator names it"
            hint = "Give --base-url or --allow-private-hosts if that is meant."
            self._findings.group("private-server", message, place=server.place.at("url"), hint=hint)


def _without_query(url: str) -> str:
    """Return the URL without query and fragment, which a base cannot have."""
    return urlunsplit(urlsplit(url)._replace(query="", fragment=""))
