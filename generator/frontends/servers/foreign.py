"""A server that others wrote becomes a snapshot: what clients would refuse is left out, what nobody sees is taken off.

Nothing here asks the server anything; `probe` did. Its texts are data: they are cleaned, bounded and never obeyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...ir.codec import CodecError, freeze
from ...ir.routes import Offered, OfferedTool, Snapshot, Start
from ...jsonschema.meta import metaschema_error
from ...runtime.gateway.cleaning import Cleaned, cleaned
from ...runtime.gateway.snapshot import digest_of
from ...runtime.gateway.visible_text import visible
from .findings import finding, shown
from .foreign_views import ForeignViews, is_view

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic
    from ...ir.model import Change, JsonObject
    from .listing import Listing

MAX_INSTRUCTIONS = 16_000
"""Characters of a server's instructions: a model reads them at every start."""

MAX_TEXT = 200
"""Characters of a server's name, title and version."""

TOO_DEEP = Cleaned(None, ("it is nested too deeply",))

PROMISES: tuple[tuple[Change, str, str], ...] = (
    ("tools", "tools", "listChanged"),
    ("prompts", "prompts", "listChanged"),
    ("resources", "resources", "listChanged"),
    ("resource", "resources", "subscribe"),
)
"""Kinds of changes, and the member of which capability promises that they are told."""


class _Reader:
    """Reads one listing; `found` collects what is to be told of it."""

    def __init__(self, name: str, listing: Listing) -> None:
        self.name = name
        self.listing = listing
        self.found: list[Diagnostic] = []
        self._cleaned = 0
        self._was: dict[tuple[str, str], dict[str, Any]] = {}
        self.views = ForeignViews(name)

    def snapshot(self, start: Start) -> Snapshot:
        """Return the snapshot of a server that is started or reached so."""
        listing = self.listing
        completes = "completions" in listing.capabilities
        resources = self._entries("resources", "resource")
        self.views.take(resources)
        tools = [self._tool(each) for each in self._entries("tools", "tool")]
        templates = self._entries("templates", "template")
        made = Snapshot(
            name=self.name,
            origin="foreign",
            start=start,
            era=listing.era,
            digest=digest_of({kind: list(entries) for kind, entries in listing.lists.items()}),
            version=self._short("version"),
            title=self._short("title") or None,
            description=self._prose(listing.server.get("description"))[:MAX_INSTRUCTIONS],
            instructions=self._prose(listing.instructions)[:MAX_INSTRUCTIONS].strip() or None,
            capabilities=_object(dict(listing.capabilities)),
            tools=tuple(tools),
            resources=tuple(self._offer("resources", each) for each in resources if not is_view(each)),
            templates=tuple(self._offer("templates", each, completes=completes) for each in templates),
            prompts=tuple(
                self._offer("prompts", each, completes=completes and bool(each.get("arguments")))
                for each in self._entries("prompts", "prompt")
            ),
            views=tuple(self._offer("resources", each) for each in self.views.kept()),
            changes=tuple(kind for kind, capability, member in PROMISES if self._promises(capability, member)),
            ttl_ms=listing.ttl_ms,
            private=listing.private,
        )
        self.found += self.views.found
        self._tell()
        return made

    def _entries(self, kind: str, noun: str) -> list[dict[str, Any]]:
        """Return the definitions of one list that clients take, cleaned; keep what changed of each as it came.

        A server that still says what it said has not changed.
        """
        kept = []
        for position, entry in enumerate(self.listing.lists.get(kind) or ()):
            fit = _cleaned(kind, entry)
            called = entry.get("name") if isinstance(entry, dict) else None
            told = f"`{shown(called)}`" if isinstance(called, str) and called else f"number {position + 1}"
            for complaint in fit.complaints:
                left = "is left out" if fit.definition is None else "is changed"
                message = f"the {noun} {told} of `{self.name}` {left}: {complaint}"
                self.found.append(finding("dropped-offer", f"{self.name}.{shown(called or position)}", message))
            if fit.definition is not None:
                self._cleaned += fit.hid
                self._was[(kind, _key(fit.definition))] = fit.was
                kept.append(fit.definition)
        return kept

    def _tool(self, definition: dict[str, Any]) -> OfferedTool:
        ui, rest = self.views.link(definition)
        was = self._was.get(("tools", _key(definition)), {})
        return OfferedTool(definition=_object(rest), ui=_object(ui) if ui else None, was=_object(was))

    def _offer(self, kind: str, definition: dict[str, Any], *, completes: bool = False) -> Offered:
        was = self._was.get((kind, _key(definition)), {})
        return Offered(definition=_object(definition), completes=completes, was=_object(was))

    def _promises(self, capability: str, member: str) -> bool:
        stated = self.listing.capabilities.get(capability)
        return isinstance(stated, dict) and stated.get(member) is True

    def _short(self, member: str) -> str:
        return " ".join(self._prose(self.listing.server.get(member)).split())[:MAX_TEXT]

    def _prose(self, value: object) -> str:
        text = value if isinstance(value, str) else ""
        clean = visible(text)
        self._cleaned += clean != text
        return clean

    def _tell(self) -> None:
        if self._cleaned:
            texts = "a text" if self._cleaned == 1 else f"{self._cleaned} texts"
            message = f"{texts} of `{self.name}` had control or direction-changing characters"
            self.found.append(finding("cleaned-text", self.name, message))
        for kind in self.listing.cut:
            message = f"`{self.name}` has more {kind} than are read"
            self.found.append(finding("cut-list", self.name, message))


def snapshot_of(name: str, start: Start, listing: Listing) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    """Return the snapshot of a server's lists, and what was left out or changed."""
    reader = _Reader(name, listing)
    made = reader.snapshot(start)
    return made, tuple(reader.found)


def _cleaned(kind: str, entry: Any) -> Cleaned:
    """Clean an entry; one that is nested deeper than schemas are checked is left out."""
    try:
        return cleaned(kind, entry, _schema_problem) if _is_json(entry) else TOO_DEEP
    except RecursionError:
        return TOO_DEEP


def _schema_problem(schema: dict[str, Any]) -> str | None:
    wrong = metaschema_error(schema)
    return None if wrong is None else wrong.reason


def _key(definition: dict[str, Any]) -> str:
    """Return what a server knows something by."""
    return str(definition.get("uri", definition.get("uriTemplate", definition.get("name"))))


def _is_json(value: Any) -> bool:
    """Return whether a value has a frozen form: what is nested too deeply has none."""
    try:
        freeze(value)
    except (CodecError, RecursionError):
        return False
    return True


def _object(value: dict[str, Any]) -> JsonObject:
    return cast("JsonObject", freeze(value))
