"""Reading the servers of a gateway: each in the way its kind is read, those that have to be asked all at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...interrupts import patiently
from ...ir.routes import Start
from .advice import advice
from .findings import MAX_REASON, finding, shown
from .foreign import snapshot_of
from .probe import START_SECONDS, ProbeProblem, Probes, probe
from .project_folder import read_folder
from .reading import Reading, from_base

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .sources import ServerSource

MAX_AT_ONCE = 16
"""Servers that are asked at the same time: each is a process of its own for as long."""


def read_servers(sources: Sequence[ServerSource], base: Path) -> list[Reading]:
    """Return what reading each server gives, in their order; `base` is the folder of the gateway's project."""
    if not sources:
        return []
    probes = Probes()
    with ThreadPoolExecutor(min(len(sources), MAX_AT_ONCE)) as threads:
        try:
            return patiently([threads.submit(_read, source, base, probes) for source in sources])
        except BaseException:
            probes.give_up()  # Ctrl-C is not to wait for servers that never answer
            raise


def _read(source: ServerSource, base: Path, probes: Probes) -> Reading:
    if source.folder is not None:
        return read_folder(source.folder, base, source.python)
    if source.way == "registered":
        from .registered import read_registered

        return read_registered(source, lambda name, start: asked(name, start, source, base, probes))
    name = source.name or ""
    if source.url is not None:
        return asked(name, Start(url=source.url, headers=dict(source.headers), env=source.env), source, base, probes)
    cwd = None if source.cwd is None else source.cwd.as_posix()
    return asked(name, Start(command=source.words, cwd=cwd, env=source.env, values=source.values), source, base, probes)


def asked(name: str, start: Start, source: ServerSource, base: Path, probes: Probes) -> Reading:
    """Return the snapshot of a server that is asked for what it has."""
    try:
        listing = probe(name, start, base, seconds=source.start_timeout or START_SECONDS, probes=probes)
    except ProbeProblem as problem:
        message = f"`{name}` did not say what it offers: {shown(problem, MAX_REASON)}"
        notes, hint = advice(name, start, registered=source.way == "registered", environ=os.environ)
        told = finding("unreachable-server", name, message, hint=hint)
        return Reading(snapshot=None, diagnostics=(replace(told, notes=notes),))
    snapshot, found = snapshot_of(name, _portable(start, source, base), listing)
    return Reading(snapshot=snapshot, diagnostics=found)


def _portable(start: Start, source: ServerSource, base: Path) -> Start:
    """Return a start whose places are seen from the gateway's folder, as far as they go where the project goes."""
    if source.way != "command" or source.cwd is None:
        return start
    program = from_base(Path(start.command[0]), base) if source.beside else start.command[0]
    return replace(start, command=(program, *start.command[1:]), cwd=from_base(source.cwd, base))
