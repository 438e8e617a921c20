"""Children become a routing table: names, URIs and links of the gateway, in the order the children were given.

Within a child the first of two equal names or URIs is served, and the other is told of (R050). Between children equal
names are errors: the build fails and says which setting tells them apart (B21).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args

from ...ir.model import Change
from ...ir.names import SEPARATOR
from ...ir.routes import Child, Offered, OfferedTool, Route, RoutingTable
from .findings import finding, shown
from .names import Names, aliases, prefix_of
from .selection import Selection, select
from .trust import trusted
from .uris import Uris
from .views import PREFIX, linked, view_uri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...diagnostics.model import Diagnostic

CHANGES: tuple[Change, ...] = get_args(Change)


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """How servers are put together."""

    separator: str = SEPARATOR
    view_prefix: str = PREFIX
    instructions: str | None = None
    max_calls: int | None = None
    selection: Selection = field(default_factory=Selection)


def compose(children: Sequence[Child], how: Composition) -> tuple[RoutingTable, tuple[Diagnostic, ...]]:
    """Return the table of these servers, without what cannot be routed, and why it cannot."""
    found: list[Diagnostic] = []
    single = tuple(_without_repeats(child, found) for child in children)
    checked = []
    for child in single:
        sound, by_trust = trusted(child, single, how.separator)
        checked.append(sound)
        found.extend(by_trust)
    chosen, by_pattern = select(checked, how.selection, how.separator)
    tools, prompts, uris, templates = Names("tool", how.separator), Names("prompt", how.separator), Uris(), Uris()
    table = RoutingTable(
        separator=how.separator,
        view_prefix=how.view_prefix,
        children=chosen,
        instructions=_instructions(chosen, how),
        tools=_told_apart([route for child in chosen for route in _tools(child, tools, how, found)]),
        resources=tuple(r for child in chosen for r in _resources(child, child.snapshot.resources, uris)),
        templates=tuple(r for child in chosen for r in _resources(child, child.snapshot.templates, templates)),
        prompts=tuple(route for child in chosen for route in _prompts(child, prompts)),
        views=tuple(_view(child, view, how) for child in chosen for view in child.snapshot.views),
        changes=tuple(kind for kind in CHANGES if any(kind in child.snapshot.changes for child in chosen)),
        ttl_ms=min((each.snapshot.ttl_ms for each in chosen if each.snapshot.ttl_ms is not None), default=None),
        max_calls=how.max_calls,
    )
    found = [*by_pattern, *found, *tools.found, *prompts.found, *uris.found, *templates.found]
    return table, tuple(found)


def _without_repeats(child: Child, found: list[Diagnostic]) -> Child:
    """Return a child in which every name and URI is there once: the first, as its own clients would be served."""
    snapshot = child.snapshot
    tools: dict[str, OfferedTool] = {}
    for tool in snapshot.tools:
        if tool.name in tools:
            found.append(_repeated(child, "tool", tool.name))
        tools.setdefault(tool.name, tool)
    single = replace(
        snapshot,
        tools=tuple(tools.values()),
        resources=_once(child, "resource", snapshot.resources, found),
        templates=_once(child, "template", snapshot.templates, found),
        prompts=_once(child, "prompt", snapshot.prompts, found),
        views=_once(child, "view", snapshot.views, found),
    )
    return replace(child, snapshot=single)


def _once(child: Child, noun: str, offers: Sequence[Offered], found: list[Diagnostic]) -> tuple[Offered, ...]:
    kept: dict[str, Offered] = {}
    for offer in offers:
        if offer.original in kept:
            found.append(_repeated(child, noun, offer.original))
        kept.setdefault(offer.original, offer)
    return tuple(kept.values())


def _repeated(child: Child, noun: str, name: str) -> Diagnostic:
    message = f"`{child.id}` has the {noun} `{shown(name)}` more than once; the first is served"
    return finding("repeated-offer", f"{child.id}.{shown(name)}", message)


def _tools(child: Child, names: Names, how: Composition, found: list[Diagnostic]) -> list[Route]:
    known = frozenset(view.original for view in child.snapshot.views)
    routes = []
    for tool in child.snapshot.tools:
        name = names.take(child, tool.name)
        if name is None:
            continue
        ui, problems = linked(child, tool, known, how.view_prefix)
        found.extend(problems)
        routes.append(
            Route(
                definition={**tool.definition, "name": name},
                server=child.id,
                original=tool.name,
                ui=ui,
                aliases=aliases(child, tool.name, name),
                scopes=_scopes(child, tool.scopes),
                was=tool.was,
            )
        )
    return routes


def _told_apart(routes: Sequence[Route]) -> tuple[Route, ...]:
    """Return the routes without aliases that are another tool's name."""
    names = {route.definition["name"] for route in routes}
    return tuple(replace(route, aliases=tuple(each for each in route.aliases if each not in names)) for route in routes)


def _resources(child: Child, offers: Sequence[Offered], uris: Uris) -> list[Route]:
    routes = []
    for offer in offers:
        given = uris.take(child, offer.original)
        key = "uri" if "uri" in offer.definition else "uriTemplate"
        if given is not None:
            routes.append(_route(child, offer, {**offer.definition, key: given}))
    return routes


def _prompts(child: Child, names: Names) -> list[Route]:
    taken = [(offer, names.take(child, offer.original)) for offer in child.snapshot.prompts]
    return [_route(child, offer, {**offer.definition, "name": name}) for offer, name in taken if name is not None]


def _view(child: Child, view: Offered, how: Composition) -> Route:
    return _route(child, view, {**view.definition, "uri": view_uri(how.view_prefix, child.id, view.original)})


def _route(child: Child, offer: Offered, definition: dict[str, object]) -> Route:
    return Route(
        definition=definition,  # type: ignore[arg-type] # a frozen definition with one text replaced
        server=child.id,
        original=offer.original,
        scopes=_scopes(child, offer.scopes),
        completes=offer.completes,
        was=offer.was,
    )


def _scopes(child: Child, own: tuple[str, ...]) -> tuple[str, ...]:
    """Return what callers of the gateway need: the gateway asks for it, since no token of theirs is passed on."""
    return tuple(dict.fromkeys((*child.scopes, *own)))


def _instructions(children: Sequence[Child], how: Composition) -> str | None:
    """Return the instructions of all, each under the name of its server."""
    parts = [how.instructions] if how.instructions else []
    for child in children:
        if child.snapshot.instructions:
            prefix = prefix_of(child, how.separator)
            names = f" (names beginning with {prefix})" if prefix else ""
            parts.append(f"{child.id}{names}:\n{child.snapshot.instructions.strip()}")
    return "\n\n".join(parts) or None
