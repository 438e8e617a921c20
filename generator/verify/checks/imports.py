"""`imports`: every handler that is imported lazily can be, in a process of its own and in bounded time.

A broken module is found here and not by the first caller; whatever it does when it is imported (raise, exit, hang) is a
failure with its cause.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import probe
from ..conversation import Broken
from ..finding import PROJECT, Check, Finding, fail, ok, plural, shown, skip

if TYPE_CHECKING:
    from ..child import Child
    from ..context import Context

TARGET_SECONDS = 30.0
"""For one module; importing something heavy on a busy machine takes several."""

MOST_NAMED = 3
"""Targets that are named for one cause; the others are counted."""

MOST_SECONDS = 180.0
"""For all of them."""


def run(context: Context) -> Finding:
    """Prepare every target in a child."""
    project = context.project
    if project.catalog is None:
        return skip(f"the catalog cannot be read (see schemas_generate): {project.problems.get('catalog.json', '')}")
    options = [word for word in context.subject.argv[1:3] if word in ("-I", "-S")]
    argv = [context.subject.python, *options, str(Path(probe.__file__)), str(project.folder), project.package]
    try:
        with context.child(context.kept_clean(argv)) as child:
            prepared, failed, missing = _listened(child, max(context.timeout, TARGET_SECONDS))
    except Broken as broken:
        return fail(str(broken), "Name a Python that can be started with --python.")
    if not failed:
        return ok(f"{plural(prepared, 'target')} can be imported" if prepared else "there is nothing to import")
    count = sum(len(targets) for targets in failed.values())
    every = f"{plural(count, 'target')} of {prepared + count} cannot be imported"
    told = [f"{_named(targets)}: {cause}" for cause, targets in failed.items()]
    if missing:
        names = ", ".join(f"`{name}`" for name in sorted(missing))
        action = f"Install {names} in the environment of the server, or name another with --python."
    else:
        action = "Repair the module, then build again."
    first = f"; the first: {told[0]}" if len(told) > 1 else f": {told[0]}"
    return fail(f"{every}{first}", action, told)


def _named(targets: list[str]) -> str:
    """Return what one cause stops: a broken module stops all that is in it."""
    shown_targets = ", ".join(targets[:MOST_NAMED])
    more = len(targets) - MOST_NAMED
    return f"{shown_targets} and {more} more" if more > 0 else shown_targets


def _listened(child: Child, seconds: float) -> tuple[int, dict[str, list[str]], set[str]]:
    """Read what the probe tells; return how many targets are fine, the others by their causes, and missing modules."""
    prepared, failed = 0, dict[str, list[str]]()
    missing: set[str] = set()
    current, end = "", time.monotonic() + MOST_SECONDS
    while True:
        line = child.next_line(min(time.monotonic() + seconds, end))
        if line is None:
            failed.setdefault(_cause(child, seconds), []).append(current or "the interpreter")
            return prepared, failed, missing
        told = _told(line)
        if "begin" in told:
            current = str(told["begin"])
        elif "failed" in told:
            failed.setdefault(shown(told.get("reason", ""), 300), []).append(current)
            missing |= {told["missing"]} if isinstance(told.get("missing"), str) else set()
        elif "done" in told:
            prepared += current != "the runtime"
        elif "end" in told:
            return prepared, failed, missing


def _cause(child: Child, seconds: float) -> str:
    """Return why the probe stopped telling."""
    said = f": {child.last_words}" if child.last_words else ""
    if child.wait(0.5) is not None:
        return f"the process ended with status {child.status} while it was imported{said}"
    return f"importing it did not end within {seconds:g} s{said}"


def _told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


CHECKS = (Check(id="imports", title="Handlers can be imported", run=run, kinds=PROJECT),)
