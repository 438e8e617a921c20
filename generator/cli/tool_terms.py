"""What surrounds a tool's calls, as `inspect` tells it: who may call it, what it needs, its limits."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ..diagnostics.plain import plain
from ..ir.model import PythonCall

if TYPE_CHECKING:
    from ..ir.model import Limits, Tool


def terms(tool: Tool) -> list[tuple[str, str]]:
    """Return pairs of a word and what is stated of it."""
    rows = [
        ("view", _view(tool)),
        ("scopes", ", ".join(tool.scopes)),
        ("config", ", ".join(tool.config)),
        ("confirm", "the person is asked before it runs" if tool.confirm else ""),
        ("asks", _asks(tool)),
        ("task", "" if tool.task == "forbidden" else tool.task),
        ("limits", _limits(tool.limits)),
        ("aliases", ", ".join(tool.aliases)),
    ]
    return [(word, plain(text)) for word, text in rows if text]


def stated(tool: Tool) -> dict[str, object]:
    """Return the same for machines, but for the view."""
    limits = {name: value for name, value in dataclasses.asdict(tool.limits).items() if value is not None}
    values = {
        "scopes": list(tool.scopes),
        "config": list(tool.config),
        "confirm": tool.confirm,
        "asks": list(tool.call.asks) if isinstance(tool.call, PythonCall) else [],
        "task": tool.task if tool.task != "forbidden" else None,
        "limits": limits,
        "aliases": list(tool.aliases),
    }
    return {name: value for name, value in values.items() if value}


ASKED = {
    "ask": "the person or the client's model",
    "elicit": "the person",
    "elicit_url": "the person, by a page of their browser",
    "roots": "the client, for the folders it works on",
    "sample": "the client's model",
}
"""Whom each method of a context asks."""


def _asks(tool: Tool) -> str:
    methods = tool.call.asks if isinstance(tool.call, PythonCall) else ()
    return "; ".join(f"{ASKED[each]} (ctx.{each})" for each in methods if each in ASKED)


def _view(tool: Tool) -> str:
    if tool.ui is None:
        return ""
    only = (
        ""
        if len(tool.ui.visibility) > 1
        else f"called by the {'view' if 'app' in tool.ui.visibility else 'model'} only"
    )
    return ", ".join(filter(None, (tool.ui.resource_uri, only)))


def _limits(limits: Limits) -> str:
    stated = (
        f"{limits.timeout:g} s" if limits.timeout is not None else "",
        f"{limits.max_concurrent} at once" if limits.max_concurrent is not None else "",
        f"{limits.max_result_bytes} bytes of result" if limits.max_result_bytes is not None else "",
    )
    return ", ".join(filter(None, stated))
