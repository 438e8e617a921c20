"""How much of a model's context a server's list takes, and what is shown so that it fits (decision 32).

A token is taken for four bytes of the compact definitions. Without a budget every tool is shown whole; with one, the
fullest of three exposures that fits: every tool, every tool in few words, or three tools that find, describe and call
the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ..definitions import definition
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..digests import compact
from . import shortening

if TYPE_CHECKING:
    from ..ir.model import Server, Tool

BYTES_PER_TOKEN = 4

Exposure = Literal["full", "short", "discovery"]
"""How an API's tools are shown: as they are, with short texts, or by three tools that find and call the others."""


def apply(
    server: Server, *, exposure: Exposure | None = None, budget: int | None = None
) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server as it is to be shown; `budget` is in tokens, `exposure` wins over it."""
    if exposure is not None:
        return _as(server, exposure), ()
    if budget is None:
        return server, ()
    whole = tokens(server)
    if whole <= budget:
        return server, (_chosen(server, budget, f"every tool is shown whole, about {whole:,} tokens"),)
    short = shortening.apply(server)
    fewer = tokens(short)
    if fewer <= budget:
        said = f"every tool is shown in few words, about {fewer:,} tokens instead of {whole:,}"
        return short, (_chosen(server, budget, said),)
    said = f"three tools that find, describe and call the others are shown; all would take about {whole:,} tokens"
    return _as(server, "discovery"), (_chosen(server, budget, f"{said}, {fewer:,} in few words"),)


def tokens(server: Server) -> int:
    """Return about how many tokens the list of a server's tools takes."""
    return sum(map(tool_tokens, server.tools))


def tool_tokens(tool: Tool) -> int:
    """Return about how many tokens one tool's definition takes."""
    return -(-len(compact(definition(tool))) // BYTES_PER_TOKEN)


def _as(server: Server, exposure: Exposure) -> Server:
    return shortening.apply(server) if exposure == "short" else replace(server, exposure=exposure)


def _chosen(server: Server, budget: int, said: str) -> Diagnostic:
    message = f"with a budget of {budget:,} tokens {said}"
    return Diagnostic(rule=rule("budget-exposure"), message=message, unit=server.id)
