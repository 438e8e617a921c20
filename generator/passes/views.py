"""Links of tools to views: each leads to a view of the same server, or the build fails (R041)."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..views.building import NEAR
from ..views.uris import uri_problem

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..ir.model import Server, Tool


UNSERVED = "Correct the view; another message says what is wrong with it."
"""What to do about a link to a view that is there and cannot be served."""


def apply(server: Server, refused: Collection[str] = ()) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server without links that lead nowhere, each with an error; a view nobody links to is told, too.

    `refused` are the URIs of views that are spoken of and cannot be served, for reasons that have been told.
    """
    views = {each.uri: each for each in server.resources if each.kind == "ui"}
    linked = {tool.ui.resource_uri for tool in server.tools if tool.ui is not None}
    found: list[Diagnostic] = []
    tools = []
    for tool in server.tools:
        if tool.ui is not None and tool.ui.resource_uri is not None and tool.ui.resource_uri not in views:
            found.append(_dangling(tool, tool.ui.resource_uri, views, refused))
            tools.append(replace(tool, ui=None))
        else:
            tools.append(tool)
    for uri, view in views.items():
        if uri not in linked:
            named = f"`{view.name}` (`{uri[:80]}`)"
            message = f"no tool is linked to the view {named}; hosts show a view with the result of a tool"
            found.append(Diagnostic(rule=rule("unlinked-view"), message=message, span=view.span, unit=view.name))
    return replace(server, tools=tuple(tools)), tuple(found)


def _dangling(tool: Tool, uri: str, views: Collection[str], refused: Collection[str]) -> Diagnostic:
    reason = uri_problem(uri)
    if reason is not None:
        message = f"tool `{tool.name}` is linked to `{uri[:80]}`, which cannot be a view: {reason}"
        return Diagnostic(rule=rule("dangling-view"), message=message, span=tool.span, unit=tool.name)
    if uri in refused:
        message = f"tool `{tool.name}` is linked to the view `{uri[:80]}`, which cannot be served (M-UI-002)"
        return Diagnostic(rule=rule("dangling-view"), message=message, span=tool.span, unit=tool.name, hint=UNSERVED)
    near = difflib.get_close_matches(uri[:200], views, n=1, cutoff=NEAR)
    message = f"tool `{tool.name}` is linked to the view `{uri[:80]}`, which this server does not have (M-UI-002)"
    hint = f"Did you mean `{near[0]}`?" if near else None
    return Diagnostic(rule=rule("dangling-view"), message=message, span=tool.span, unit=tool.name, hint=hint)
