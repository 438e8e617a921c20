"""Which changes a server promises to tell of: what its code tells, unless the settings say otherwise.

A promise about something that the server does not have would never be kept, so it is not made; a setting that asks for
it is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.model import Change, Server

LISTS = ("tools", "prompts", "resources")
"""The lists whose changes can be told."""


def apply(
    server: Server,
    lists: Sequence[str] | None,
    subscribe: bool | None,  # noqa: FBT001 # a setting
) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with its promises, and what is wrong with the settings, which are None where not set."""
    told: set[str] = {*server.changes}
    if lists is not None:
        told = told.difference(LISTS).union(lists)
    if subscribe is not None:
        told = told | {"resource"} if subscribe else told - {"resource"}
    there: dict[Change, bool] = {
        "tools": bool(server.tools),
        "prompts": bool(server.prompts),
        "resources": bool(server.resources),
        "resource": bool(server.resources),
    }
    kept = tuple(change for change, has in there.items() if has and change in told)
    wrong = [_wrong("list_changed", each) for each, has in there.items() if not has and each in (lists or ())]
    if subscribe and not there["resource"]:
        wrong.append(_wrong("subscribe", "resources"))
    return (server if kept == server.changes else replace(server, changes=kept)), tuple(wrong)


def _wrong(setting: str, what: str) -> Diagnostic:
    message = f"`{setting}` is about {what}, and this server has none"
    hint = "Leave it out, or add what clients are to be told of."
    return Diagnostic(rule=rule("invalid-setting"), message=message, unit=setting, hint=hint)
