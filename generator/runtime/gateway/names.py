"""The names of children's things, theirs and the gateway's, both ways.

Everything is looked up in the table that the catalog is; no name is ever taken apart (decision 9). Only URIs of views
are made and read by rule, because results may hold some that no list shows. `Names` is one child's; `Routing` holds
those of all, and is made once for a catalog.
"""

from __future__ import annotations

from _thread import allocate_lock

from .translate_uris import PREFIX, is_view, matcher, unwrapped, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_LINKS = 4_096
"""URIs of links in results that are remembered: a client reads what it was shown a moment ago."""

AMBIGUOUS = ""
"""Stands for the owner of a URI that two children linked to; neither gets a request that may be meant for the other."""


class Names:
    """The names of one child: `tools` and `uris` lead from its own to the gateway's."""

    __slots__ = ("_link", "before", "prefix", "server", "tools", "uris")

    def __init__(self, server: str, prefix: str, before: str, link: Callable[[str, str], None]) -> None:
        self.server = server
        self.prefix = prefix
        self.before = before  # what comes before its URIs, where another child has the same
        self.tools: dict[str, str] = {}
        self.uris: dict[str, str] = {}
        self._link = link

    def tool(self, name: str) -> str:
        """Return the gateway's name of a tool; what is no tool's name stays."""
        return self.tools.get(name, name)

    def uri(self, uri: str) -> str:
        """Return the gateway's name of a URI."""
        known = self.uris.get(uri)
        if known is not None:
            return known
        return wrapped(self.prefix, self.server, uri) if is_view(uri) else self.before + uri

    def original(self, uri: str) -> str:
        """Return the child's own URI of one that comes from its templates or links."""
        return uri.removeprefix(self.before)

    def link(self, uri: str) -> str:
        """Return the gateway's name of a URI that a result leads to, and remember whose it is."""
        found = self.uri(uri)
        if uri not in self.uris and not is_view(uri):
            self._link(found, self.server)
        return found


class Owned:
    """What a URI or a name leads to: the child, its own name for it, and the table's entry, if it has one."""

    __slots__ = ("entry", "original", "server")

    def __init__(self, server: str, original: str, entry: dict[str, Any] | None = None) -> None:
        self.server = server
        self.original = original
        self.entry = entry


class Routing:
    """Whose things are whose, by the catalog's data."""

    __slots__ = ("_links", "_lock", "_names", "prefix", "prompts", "resources", "servers", "templates", "views")

    def __init__(self, data: dict[str, Any]) -> None:
        gateway = data["gateway"]
        self.prefix: str = gateway.get("prefix") or PREFIX
        self.servers: dict[str, dict[str, Any]] = gateway["servers"]
        self._names = {
            server: Names(server, self.prefix, row.get("uris") or "", self._remember)
            for server, row in self.servers.items()
        }
        self._links: dict[str, str] = {}
        self._lock = allocate_lock()
        for entry in _proxied(data, "tools"):
            self._names[entry["call"]["server"]].tools[entry["call"]["original"]] = entry["definition"]["name"]
        self.resources = {entry["definition"]["uri"]: _owned(entry) for entry in _proxied(data, "resources")}
        self.views = {entry["definition"]["uri"]: _owned(entry) for entry in _proxied(data, "views")}
        self.prompts = {entry["definition"]["name"]: _owned(entry) for entry in _proxied(data, "prompts")}
        self.templates = [
            (matcher(entry["definition"]["uriTemplate"]), _owned(entry)) for entry in _proxied(data, "templates")
        ]
        for found in (self.resources, self.views):
            for uri, owned in found.items():
                self._names[owned.server].uris[owned.original] = uri

    def names(self, server: str) -> Names:
        """Return the names of a child's things."""
        return self._names[server]

    def owner(self, uri: str) -> Owned | None:
        """Return what a URI leads to; None for one that nobody here has. One of a view that no list shows has no entry.

        A resource of that very URI comes first, then a template, then what a child linked to in a result.
        """
        known = self.resources.get(uri)
        if known is not None:
            return known
        if is_view(uri):
            return self.view(uri)
        for matches, owned in self.templates:
            if matches(uri) not in (None, False):
                return Owned(owned.server, self._names[owned.server].original(uri), owned.entry)
        linked = self._links.get(uri, AMBIGUOUS)
        return Owned(linked, self._names[linked].original(uri)) if linked != AMBIGUOUS else None

    def view(self, uri: str) -> Owned | None:
        """Return the view of a URI, in this gateway's form or in Milo's."""
        known = self.views.get(uri)
        if known is not None:
            return known
        made = unwrapped(uri, self.prefix)
        if made is None or made[0] not in self.servers or not is_view(made[1]):
            return None
        server, original = made
        known = self.views.get(self._names[server].uri(original))
        if known is None and not is_chosen(self.servers[server], server, original):
            return None
        return known or Owned(server, original)

    def _remember(self, uri: str, server: str) -> None:
        with self._lock:
            if self._links.setdefault(uri, server) != server:
                self._links[uri] = AMBIGUOUS
            if len(self._links) > MAX_LINKS:
                del self._links[next(iter(self._links))]


def is_chosen(row: Mapping[str, Any], server: str, original: str) -> bool:
    """Say whether the build would have routed it: globs over the child's own names, or with the child's before them."""
    expose, deny = row.get("expose") or (), row.get("deny") or ()
    if not expose and not deny:
        return True
    from fnmatch import fnmatchcase

    spelled = (original, f"{server}.{original}", f"{server}__{original}")

    def matches(patterns: Any) -> bool:
        return any(fnmatchcase(each, pattern) for each in spelled for pattern in patterns)

    return not matches(deny) and (not expose or matches(expose))


def _owned(entry: dict[str, Any]) -> Owned:
    return Owned(entry["call"]["server"], entry["call"]["original"], entry)


def _proxied(data: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [entry for entry in data.get(kind) or () if entry["call"].get("kind") == "proxy"]
