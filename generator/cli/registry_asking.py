"""`mcpgen registry doctor --ask`: whether servers that are reached over HTTP answer, all of them asked at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..runtime.registry.entries import Entry
    from ..runtime.registry.problems import Problem

ASK_SECONDS = 10.0
"""For reaching a server and shaking hands: one that takes longer keeps whoever calls it waiting as well."""

AskOption = Annotated[
    bool, typer.Option("--ask", help="Ask servers behind a URL whether they answer, too; nothing is started.")
]


class Answer(NamedTuple):
    """What a server said, in words, or what is wrong."""

    words: str
    problems: tuple[Problem, ...] = ()


def ask_all(entries: Mapping[str, Entry]) -> dict[str, Answer]:
    """Return what each server behind a URL answers."""
    from ..frontends.servers.read import MAX_AT_ONCE

    wanted = [entry for entry in entries.values() if entry.url is not None]
    if not wanted:
        return {}
    with ThreadPoolExecutor(min(len(wanted), MAX_AT_ONCE)) as threads:
        return dict(zip([each.name for each in wanted], threads.map(_asked, wanted), strict=True))


def _asked(entry: Entry) -> Answer:
    from ..frontends.servers.findings import MAX_REASON, shown
    from ..frontends.servers.probe import ProbeProblem, probe
    from ..ir.routes import Start
    from ..runtime.registry.problems import Problem

    start = Start(url=entry.url, headers=dict(entry.headers), env=entry.env)
    try:
        listing = probe(entry.name, start, Path(), seconds=ASK_SECONDS)
    except ProbeProblem as problem:
        message = f"`{entry.name}` did not answer: {shown(problem, MAX_REASON)}"
        hint = "Look at its address and at the variables that its headers name, and whether the server runs."
        return Answer("", (Problem("unreachable-server", message, hint, entry.name),))
    counts = [f"{len(found)} {kind if len(found) > 1 else kind[:-1]}" for kind, found in listing.lists.items() if found]
    return Answer(f"answers: {', '.join(counts) or 'nothing in its lists'}")
