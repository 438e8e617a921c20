"""What can be said of a view's HTML without a browser: how it begins, and what it would load from elsewhere.

A view runs in a sandbox without a network; only origins that its policy names can be reached. So each address that the
markup, its styles and the plainest forms of its scripts name is collected, with what a policy would have to allow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Member = Literal["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"]

MAX_REFERENCES = 50
"""Addresses that are looked at in one view; a page with more is generated, and the first ones say enough."""

_LOADED: Mapping[str, tuple[str, Member]] = {
    "script": ("src", "resourceDomains"),
    "img": ("src", "resourceDomains"),
    "audio": ("src", "resourceDomains"),
    "video": ("src", "resourceDomains"),
    "source": ("src", "resourceDomains"),
    "track": ("src", "resourceDomains"),
    "embed": ("src", "resourceDomains"),
    "input": ("src", "resourceDomains"),
    "object": ("data", "resourceDomains"),
    "iframe": ("src", "frameDomains"),
    "frame": ("src", "frameDomains"),
    "base": ("href", "baseUriDomains"),
}
"""Elements that load something, the attribute that says what, and the member of the policy that allows it."""

_LOADING_LINKS = frozenset(
    {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest", "apple-touch-icon"}
)
_INLINE = ("data:", "blob:", "about:", "javascript:", "#", "ui:", "mailto:", "{", "${")
"""Beginnings of addresses that load nothing, or that a template fills in."""

_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?([^"')\s;]+)""", re.IGNORECASE)
_CONNECT = re.compile(
    r"""(?:\bfetch|\bEventSource|\bWebSocket|\bsendBeacon|\.open)\(\s*(?:["'][A-Z]+["']\s*,\s*)?["'`]"""
    r"""((?:https?|wss?)://[^"'`\s$]+)"""
)
_IMPORTED = re.compile(r"""\b(?:import|from)\s*\(?\s*["'`](https?://[^"'`\s$]+)""")

_WITHIN: Sequence[tuple[str, re.Pattern[str], str, Member]] = (
    ("style", _STYLE, "a style", "resourceDomains"),
    ("script", _CONNECT, "a script", "connectDomains"),
    ("script", _IMPORTED, "a script's import", "resourceDomains"),
)
"""What is looked for in the text of which element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One address that a view names: what names it, the member of the policy it needs, the line (from 1)."""

    address: str
    where: str
    member: Member
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a text of HTML is: whether it is a document, says so (`doctype`), and what it names elsewhere."""

    document: bool
    doctype: bool
    references: tuple[Reference, ...] = ()


def read_markup(text: str) -> Markup:
    """Read HTML as browsers do: nothing in it is an error."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return Markup(
        document=reader.document, doctype=reader.doctype, references=tuple(reader.references[:MAX_REFERENCES])
    )


class _Reader(HTMLParser):
    """Collects addresses; `document` is set when the doctype or `<html>` comes before anything else."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.document = False
        self.doctype = False
        self.references: list[Reference] = []
        self._begun = False
        self._inside = ""

    def handle_decl(self, decl: str) -> None:
        if not self._begun and decl.lower().split()[:2] == ["doctype", "html"]:
            self.doctype = self.document = True
        self._begun = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._begun and tag == "html":
            self.document = True
        self._begun = True
        self._inside = tag if tag in ("style", "script") else ""
        named = {name: value for name, value in attrs if value}
        attribute, member = _LOADED.get(tag, ("", "resourceDomains"))
        if attribute in named:
            self._add(named[attribute], f"<{tag} {attribute}>", member)
        if tag == "link" and _LOADING_LINKS & set((named.get("rel") or "").lower().split()):
            self._add(named.get("href", ""), "<link href>", "resourceDomains")
        for name in ("srcset", "poster", "style"):
            self._add_all(_inner(name, named.get(name, "")), f"<{tag} {name}>", "resourceDomains")

    def handle_endtag(self, tag: str) -> None:
        self._inside = "" if tag == self._inside else self._inside

    def handle_data(self, data: str) -> None:
        self._begun = self._begun or bool(data.strip())
        for inside, pattern, where, member in _WITHIN:
            if inside == self._inside:
                for match in pattern.finditer(data):
                    self._add(match[1], where, member, data.count("\n", 0, match.start(1)))

    def _add_all(self, addresses: Iterable[str], where: str, member: Member) -> None:
        for address in addresses:
            self._add(address, where, member)

    def _add(self, address: str, where: str, member: Member, below: int = 0) -> None:
        address = address.strip()
        if address and not address.lower().startswith(_INLINE):
            line = self.getpos()[0] + below
            self.references.append(Reference(address=address, where=where, member=member, line=line))


def _inner(name: str, value: str) -> list[str]:
    """Return the addresses in an attribute that holds more than one, or a style."""
    if name == "srcset":
        return [part.split()[0] for part in value.split(",") if part.split()]
    return _STYLE.findall(value) if name == "style" else [value]


def is_external(address: str) -> bool:
    """Return whether an address names a host; any other is relative to a place that a view does not have."""
    return address.startswith("//") or "://" in address[:10]


def allowed(address: str, origins: Sequence[str]) -> bool:
    """Return whether one of the origins of a policy lets an address be loaded (CSP 3, 6.7.2.8)."""
    scheme, host, port = _parts(f"https:{address}" if address.startswith("//") else address)
    return any(_matches(origin, scheme, host, port) for origin in origins)


def unlisted(markup: Markup, csp: Mapping[str, Sequence[str]]) -> Iterator[Reference]:
    """Yield what the policy does not let a view load: each address once."""
    seen: set[tuple[str, str]] = set()
    for each in markup.references:
        known = (each.address, each.member)
        if known not in seen and not (is_external(each.address) and allowed(each.address, csp.get(each.member, ()))):
            seen.add(known)
            yield each


def _matches(origin: str, scheme: str, host: str, port: int | None) -> bool:
    wanted_scheme, wanted_host, wanted_port = _parts(origin)
    upgraded = {wanted_scheme, {"http": "https", "ws": "wss"}.get(wanted_scheme, wanted_scheme)}
    if scheme not in upgraded or port != wanted_port:
        return False
    return host.endswith(wanted_host[1:]) if wanted_host.startswith("*.") else host == wanted_host


def _parts(address: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "", "", None
    standard = {"http": 80, "https": 443, "ws": 80, "wss": 443}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), None if port == standard else port
