"""What of a server is routed: globs that name it or leave it out. What is not routed cannot be called (R069)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .findings import finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...diagnostics.model import Diagnostic
    from ...ir.routes import Child, Offered, OfferedTool


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Globs over `server.name` for every server of a gateway, as the command line has them."""

    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


def select(children: Iterable[Child], everywhere: Selection) -> tuple[tuple[Child, ...], tuple[Diagnostic, ...]]:
    """Return the servers with what of each is routed, and a finding for every pattern that matches nothing.

    A pattern of a server is over its own names and URIs; one of the gateway is over these with `server.` before them,
    or `server__`, so that it can be copied from a list.
    """
    used: set[tuple[str, str]] = set()
    chosen = tuple(_selected(child, everywhere, used) for child in children)
    return chosen, tuple(_unused(children, everywhere, used))


def _selected(child: Child, everywhere: Selection, used: set[tuple[str, str]]) -> Child:
    snapshot = child.snapshot

    def routed(name: str) -> bool:
        exposed = _matches(child, name, child.expose, everywhere.expose, used)
        denied = _matches(child, name, child.deny, everywhere.deny, used)
        return not denied and (exposed or not (child.expose or everywhere.expose))

    tools = tuple(tool for tool in snapshot.tools if routed(tool.name))
    offers = {
        kind: tuple(each for each in getattr(snapshot, kind) if routed(each.original))
        for kind in ("resources", "templates", "prompts")
    }
    views = tuple(view for view in snapshot.views if _followed(view, snapshot.tools, tools) or routed(view.original))
    return replace(child, snapshot=replace(snapshot, tools=tools, views=views, **offers))


def _followed(view: Offered, every: tuple[OfferedTool, ...], kept: tuple[OfferedTool, ...]) -> bool:
    """Return whether a view is shown for a tool that is routed."""
    del every
    return any(tool.ui is not None and tool.ui.get("resourceUri") == view.original for tool in kept)


def _matches(
    child: Child, name: str, own: tuple[str, ...], everywhere: tuple[str, ...], used: set[tuple[str, str]]
) -> bool:
    found = [(child.id, pattern) for pattern in own if fnmatchcase(name, pattern)]
    spelled = (f"{child.id}.{name}", f"{child.id}__{name}")
    found += [("", pattern) for pattern in everywhere if any(fnmatchcase(each, pattern) for each in spelled)]
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
