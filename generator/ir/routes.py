"""What a gateway is made of: what each of its servers offers, how each is reached, and the table that leads to them.

A front end reads servers into snapshots, a pass makes one table of them, a back end writes it down. Definitions are
kept as JSON: those of servers that others wrote have members this project knows nothing of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Change, ConfigEntry, JsonObject

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A variable of the environment in a text that is filled in when a server is started or reached."""

OUR_PLACES = frozenset({"python", "base"})
"""What the runtime fills in itself."""

Era = Literal["dual", "modern", "legacy"]
"""Which revisions a server speaks: those with a handshake (up to 2025-11-25), those without (2026-07-28), or both."""

Drift = Literal["warn", "refuse", "refresh"]
"""What a gateway does when a server is not what its snapshot says."""

OfferKind = Literal["resources", "templates", "prompts", "views"]
"""What a server may offer besides tools, by the catalog's names."""

RouteKind = Literal["tools", "resources", "templates", "prompts", "views"]
"""What a gateway has routes to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a server is started or reached: either `command` or `url` is set.

    `${python}` in the words is the gateway's interpreter, `${base}` the folder of its project. `env` are names of
    variables that are passed on, `values` variables with literal values, which win; `${NAME}` in a header is filled
    from the environment.
    """

    command: tuple[str, ...] = ()
    cwd: str | None = None
    env: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool as its server defines it; the link to its view stands apart, `scopes` are what its callers need.

    `was` has those members as they came that were cleaned: by it a server is known again.
    """

    definition: JsonObject
    ui: JsonObject | None = None
    scopes: tuple[str, ...] = ()
    was: JsonObject = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The server's own name for it."""
        return str(self.definition["name"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A resource, template, prompt or view as its server defines it; `completes`: it suggests values of arguments."""

    definition: JsonObject
    completes: bool = False
    scopes: tuple[str, ...] = ()
    was: JsonObject = field(default_factory=dict)

    @property
    def original(self) -> str:
        """What its server knows it by: a URI, a URI template, or the name of a prompt."""
        found = self.definition
        return str(found.get("uri", found.get("uriTemplate", found["name"])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One server at the time it was read: how it is reached, what it says of itself, and all it offers.

    `digest` is that of its definitions, `files` that of the package's files where it is one of ours. `ttl_ms` is how
    long its lists may be kept, `private` whether they depend on who asks.
    """

    name: str
    origin: Literal["generated", "foreign"]
    start: Start
    era: Era
    digest: str
    files: str | None = None
    version: str = ""
    title: str | None = None
    description: str = ""
    instructions: str | None = None
    capabilities: JsonObject = field(default_factory=dict)
    tools: tuple[OfferedTool, ...] = ()
    resources: tuple[Offered, ...] = ()
    templates: tuple[Offered, ...] = ()
    prompts: tuple[Offered, ...] = ()
    views: tuple[Offered, ...] = ()
    changes: tuple[Change, ...] = ()
    config: tuple[ConfigEntry, ...] = ()
    ttl_ms: int | None = None
    private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildLimits:
    """What a server may take: seconds for a call and for its start, calls at once, seconds without a call it lives."""

    timeout: float | None = None
    max_concurrent: int | None = None
    start_timeout: float | None = None
    idle: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A server behind the gateway: the name it has there, its snapshot, and what was decided about it.

    `prefix` comes before its names (None: its id and the separator). `expose` and `deny` are globs over its own names;
    `uris` says what happens to URIs that another server has as well: `keep` refuses them, `rewrite` tells them apart.
    """

    id: str
    snapshot: Snapshot
    prefix: str | None = None
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    limits: ChildLimits = field(default_factory=ChildLimits)
    drift: Drift = "warn"
    uris: Literal["keep", "rewrite"] = "keep"
    scopes: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the environment that its words and headers name, in their order."""
        start = self.snapshot.start
        texts = (*start.command, *start.headers.values(), start.url or "", start.cwd or "")
        found = (name for text in texts for name in VARIABLE.findall(text) if name not in OUR_PLACES)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One name of the gateway and what it leads to; `definition` is what clients of the gateway are shown."""

    definition: JsonObject
    server: str
    original: str
    ui: JsonObject | None = None
    aliases: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    completes: bool = False
    was: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingTable:
    """Everything a gateway answers lists from, in the order it does."""

    separator: str
    view_prefix: str
    children: tuple[Child, ...]
    instructions: str | None = None
    tools: tuple[Route, ...] = ()
    resources: tuple[Route, ...] = ()
    templates: tuple[Route, ...] = ()
    prompts: tuple[Route, ...] = ()
    views: tuple[Route, ...] = ()
    changes: tuple[Change, ...] = ()
    ttl_ms: int | None = None
    max_calls: int | None = None

    def of(self, kind: RouteKind) -> tuple[Route, ...]:
        """Return the routes of one kind."""
        found: tuple[Route, ...] = getattr(self, kind)
        return found


def uri_prefix(child: Child) -> str:
    """Return what comes before a server's URIs; empty for one that keeps them."""
    return f"{child.id.replace('_', '-')}+" if child.uris == "rewrite" else ""
