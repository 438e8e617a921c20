"""Which changes a server promises to tell of: what its code tells, unless the settings say otherwise.

A promise about something that the server does not have would never be kept, so it is not made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.model import Server

LISTS = ("tools", "prompts", "resources")
"""The lists whose changes can be told."""


def apply(server: Server, lists: Sequence[str] | None, subscribe: bool | None) -> Server:  # noqa: FBT001 # a setting
    """Return the server with its promises: `lists` and `subscribe` are the settings, None where nothing is set."""
    told: set[str] = set(server.changes)
    if lists is not None:
        told = told.difference(LISTS).union(lists)
    if subscribe is not None:
        told = told | {"resource"} if subscribe else told - {"resource"}
    there = {
        "tools": bool(server.tools),
        "prompts": bool(server.prompts),
        "resources": bool(server.resources),
        "resource": bool(server.resources),
    }
    kept = tuple(change for change, has in there.items() if has and change in told)
    return server if kept == server.changes else replace(server, changes=kept)  # type: ignore[arg-type] # keys of `there`
