"""What of a server is routed: globs that name it or leave it out. What is not routed cannot be called (R069)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .findings import finding
from .globs import remainders
from .names import ALIAS, prefix_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...diagnostics.model import Diagnostic
    from ...ir.routes import Child, Offered


NOTHING = ""
"""The pattern that no name matches: what is exposed of a server that no pattern of the gateway is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Globs over `server.name` for every server of a gateway, as the command line has them."""

    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


def select(
    children: Iterable[Child], everywhere: Selection, separator: str
) -> tuple[tuple[Child, ...], tuple[Diagnostic, ...]]:
    """Return the servers with what of each is routed, and a finding for every pattern that matches nothing.

    The views of a tool that is routed are routed with it.

    A pattern of a server is over its own names and URIs; one of the gateway is over these with `server.` before them,
    or with the server's prefix, so that it can be copied from a list. What is returned has both as the server's own.
    """
    used: set[tuple[str, str]] = set()
    chosen = tuple(_selected(child, everywhere, separator, used) for child in children)
    return chosen, tuple(_unused(children, everywhere, used))


def _selected(child: Child, everywhere: Selection, separator: str, used: set[tuple[str, str]]) -> Child:
    snapshot = child.snapshot

    begins = (f"{child.id}{ALIAS}", prefix_of(child, separator))

    def denied(name: str) -> bool:
        return _matches(child, name, begins, (child.deny, everywhere.deny), used)

    def routed(name: str) -> bool:
        exposed = _matches(child, name, begins, (child.expose, everywhere.expose), used)
        return not denied(name) and (exposed or not (child.expose or everywhere.expose))

    def kept(offers: tuple[Offered, ...]) -> tuple[Offered, ...]:
        return tuple(offer for offer in offers if routed(offer.original))

    tools = tuple(tool for tool in snapshot.tools if routed(tool.name))
    followed = {tool.ui.get("resourceUri") for tool in tools if tool.ui is not None}
    chosen = replace(
        snapshot,
        tools=tools,
        resources=kept(snapshot.resources),
        templates=kept(snapshot.templates),
        prompts=kept(snapshot.prompts),
        views=tuple(
            view
            for view in snapshot.views
            if routed(view.original) or (view.original in followed and not denied(view.original))
        ),
    )
    expose = _own(begins, child.expose, everywhere.expose)
    nothing = (NOTHING,) if everywhere.expose and not expose else ()
    return replace(child, snapshot=chosen, expose=expose or nothing, deny=_own(begins, child.deny, everywhere.deny))


def _own(begins: tuple[str, str], patterns: tuple[str, ...], everywhere: tuple[str, ...]) -> tuple[str, ...]:
    """Return a server's patterns with those of the gateway that are about it, over its own names."""
    handed = [rest for pattern in everywhere for begin in begins for rest in remainders(pattern, begin)]
    return tuple(dict.fromkeys((*patterns, *handed)))


def _matches(
    child: Child,
    name: str,
    begins: tuple[str, str],
    patterns: tuple[tuple[str, ...], tuple[str, ...]],
    used: set[tuple[str, str]],
) -> bool:
    """Return whether a pattern is about a name: one of the server's own, or one of the gateway's."""
    own, everywhere = patterns
    found = [(child.id, pattern) for pattern in own if fnmatchcase(name, pattern)]
    texts = [begin + name for begin in begins]
    found += [("", pattern) for pattern in everywhere if any(fnmatchcase(text, pattern) for text in texts)]
    used.update(found)
    return bool(found)


def _unused(children: Iterable[Child], everywhere: Selection, used: set[tuple[str, str]]) -> Iterable[Diagnostic]:
    for owner, patterns in [("", (*everywhere.expose, *everywhere.deny))] + [
        (child.id, (*child.expose, *child.deny)) for child in children
    ]:
        for pattern in patterns:
            if (owner, pattern) not in used:
                whose = f"of `{owner}`" if owner else "of any server"
                message = f"the pattern `{pattern[:80]}` matches no tool, prompt or resource {whose}"
                yield finding("unmatched-route", owner or pattern[:80], message)
