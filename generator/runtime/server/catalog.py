"""The server's data: read a little at start, the rest when it is needed.

`catalog.json` holds everything. `catalog.cache.jsonl` repeats what a client asks first, so that a server with a
thousand tools starts as fast as one with ten: line 1 is the header, line 2 the tools array as revisions from
2025-11-25 see it. The cache is believed only if it names the catalog's size and this runtime's version.
"""

from __future__ import annotations

from .. import VERSION
from ..wire import jsonrpc
from ..wire.dialects import LATEST_LEGACY, TASKS
from . import system
from .tool import Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect

CATALOG = "catalog.json"
CACHE = "catalog.cache.jsonl"
FORMAT = 1

PROMISES = {
    "tools": ("tools", "listChanged"),
    "prompts": ("prompts", "listChanged"),
    "resources": ("resources", "listChanged"),
    "resource": ("resources", "subscribe"),
}
"""Kinds of changes, and the member of which capability promises that they are told."""

APP_ONLY = ["app"]
"""The visibility of a tool that only a view calls (MCP Apps)."""


class CatalogError(Exception):
    """The catalog cannot be used; the message says what to do."""


class Catalog:
    """What one server offers. `folder` holds the catalog, `package` is the name handler targets are relative to."""

    __slots__ = (
        "_data", "_listing", "_tools", "answers", "edition", "events", "folder", "gateway", "header", "hub", "offers",
        "package", "tasks",
    )  # fmt: skip

    def __init__(self, package: str, folder: str) -> None:
        self.package = package
        self.folder = folder
        self._data: dict[str, Any] | None = None
        self._tools: dict[str, Tool] | None = None
        self._listing: bytes | None = None
        self.answers: Any = None  # what HTTP operations kept for later, from the first of them on
        self.hub: Any = None  # who is told of changes, from the first listener on
        self.offers: Any = None  # the resources and prompts, from the first request for one on
        self.events: Any = None  # what makes an event of each call, where somebody wants them
        self.gateway: Any = None  # the servers behind this one, from the first call of a tool of theirs on
        self.tasks: Any = None  # the calls that go on behind their answers, from the first of them on
        self.edition = ""  # what tells lists that were kept from those of now
        self.header: dict[str, Any] = {}
        if not self._read_cache():
            self.header = header_of(self.data)

    def _read_cache(self) -> bool:
        try:
            size = system.stat(f"{self.folder}/{CATALOG}").st_size
            with open(f"{self.folder}/{CACHE}", "rb") as file:
                header, listing = jsonrpc.parse(file.readline()), file.readline()
        except (OSError, jsonrpc.ParseFailure):
            return False
        if type(header) is not dict or header.get("catalog") != size or header.get("runtime") != VERSION:
            return False
        self.header, self._listing = header, listing.rstrip(b"\n") or None
        return True

    @property
    def data(self) -> dict[str, Any]:
        """The whole catalog; raises CatalogError when it is missing, broken, or made for another runtime."""
        if self._data is None:
            path = f"{self.folder}/{CATALOG}"
            try:
                with open(path, "rb") as file:
                    data = jsonrpc.parse(file.read())
            except (OSError, jsonrpc.ParseFailure) as error:
                raise CatalogError(f"{CATALOG} cannot be read ({error}); build the server again") from None
            if type(data) is not dict or data.get("format") != FORMAT or data.get("runtime") != VERSION:
                raise CatalogError(
                    f"{CATALOG} is not for this runtime ({VERSION}); build the server again with one mcpgen"
                )
            self._data = data
        return self._data

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools by name, and by alias; cheap objects that compile and import nothing yet."""
        if self._tools is None:
            tools: dict[str, Tool] = {}
            for entry in self.data["tools"]:
                tool = Tool(entry, self)
                for alias in entry.get("aliases", ()):
                    tools.setdefault(alias, tool)
                tools[tool.name] = tool
            self._tools = tools
        return self._tools

    def replaced(self, header: dict[str, Any]) -> None:
        """Make everything anew from the data, which changed: a gateway follows the servers behind it."""
        self.edition = f"+{int(self.edition or 0) + 1}"
        self.header, self._tools, self._listing, self.offers = header, None, None, None

    @property
    def settings(self) -> dict[str, Any]:
        """The server's settings."""
        settings: dict[str, Any] = self.header["settings"]
        return settings

    def listing(self, dialect: Dialect) -> bytes:
        """Return the tools array as this revision's clients see it; revisions from 2025-11-25 share the cached form."""
        if dialect.tool_fields is not LATEST_LEGACY.tool_fields:
            return jsonrpc.encode(listed(shown(self.data), dialect))
        if self._listing is None:
            self._listing = jsonrpc.encode(listed(shown(self.data), dialect))
        return self._listing

    def page(self, dialect: Dialect, start: int, size: int) -> tuple[bytes, int | None]:
        """Return one page of the tools array and where the next one starts."""
        entries = shown(self.data)
        end = start + size
        return jsonrpc.encode(listed(entries[start:end], dialect)), end if end < len(entries) else None


def header_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a catalog that is needed before the first call."""
    header = {
        "runtime": data["runtime"],
        "id": data["id"],
        "server": data["server"],
        "instructions": data.get("instructions"),
        "settings": data.get("settings", {}),
        "tools": len(shown(data)),
    }
    if any(entry["call"].get("kind") == "http" for entry in data["tools"]):
        header["answers"] = True  # what is too large for a result is kept to be read as a resource
    if any(entry.get("task") for entry in data["tools"]):
        header["tasks"] = True
    offers = [kind for kind in ("resources", "templates", "prompts", "views") if data.get(kind)]
    if offers:
        header["offers"] = offers
    if data.get("views") or any(entry.get("ui") for entry in data["tools"]):
        header["ui"] = True  # lists depend on what clients can show
    if data.get("gateway"):
        header |= _of_gateway(data["gateway"])
    header["capabilities"] = _capabilities(data, header)
    promised = [
        (kind, *PROMISES[kind]) for kind in data.get("changes", ()) if PROMISES[kind][0] in header["capabilities"]
    ]
    if promised:
        header["changes"] = [kind for kind, _, _ in promised]
        promises: dict[str, dict[str, bool]] = {name: {} for _, name, _ in promised}
        header["promises"] = promises
        for _, name, member in promised:
            promises[name][member] = True
    if promised or "tasks" in header:
        header["listens"] = True  # there is something to listen to
    return header


def _of_gateway(gateway: dict[str, Any]) -> dict[str, Any]:
    """Return what a gateway has besides: it may always hear of changes, and tasks are those of its children."""
    told = [server.get("capabilities") or {} for server in gateway["servers"].values()]
    tasks = any(TASKS in (capabilities.get("extensions") or {}) for capabilities in told)
    by_scope = {"by_scope": True} if gateway.get("private") else {}  # a child's lists depend on who asks
    return {"gateway": True, "listens": True} | ({"tasks": True} if tasks else {}) | by_scope


def _capabilities(data: dict[str, Any], header: dict[str, Any]) -> list[str]:
    """Return the capabilities of MCP that have a handler here, by name (lifecycle: capability negotiation)."""
    offers = header.get("offers", ())
    servers = (data.get("gateway") or {}).get("servers") or {}  # a list may be empty when a gateway is built
    declared = {name for each in servers.values() for name in each["capabilities"]}
    completed = any(entry.get("completions") for kind in offers for entry in data[kind])
    resources = "answers" in header or any(kind in offers for kind in ("resources", "templates", "views"))
    has = {
        "completions": completed,
        "logging": True,
        "prompts": "prompts" in offers,
        "resources": resources,
        "tools": bool(data["tools"]) or not offers,
    }
    return [name for name, there in has.items() if there or name in declared]


def shown(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the entries that lists show every client; the others are callable all the same.

    In discovery they are found by searching; those for views only are shown to clients that have views.
    """
    return [
        entry
        for entry in data["tools"]
        if not entry.get("hidden") and not (entry.get("ui") and entry["ui"].get("visibility") == APP_ONLY)
    ]


def listed(entries: list[dict[str, Any]], dialect: Dialect) -> list[dict[str, Any]]:
    """Return the definitions with the members this revision knows, in declared order."""
    fields = dialect.tool_fields
    return [{key: value for key, value in entry["definition"].items() if key in fields} for entry in entries]
