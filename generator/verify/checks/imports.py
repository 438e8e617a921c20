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
    every = f"{plural(len(failed), 'target')} of {prepared + len(failed)} cannot be imported"
    if missing:
        names = ", ".join(f"`{name}`" for name in sorted(missing))
        action = f"Install {names} in the environment of the server, or name another with --python."
    else:
        action = "Repair the module, then build again."
    return fail(f"{every}; the first: {failed[0]}", action, failed)


def _listened(child: Child, seconds: float) -> tuple[int, list[str], set[str]]:
    """Read what the probe tells; return how many targets are fine, the causes of the others, and missing modules."""
    prepared, failed = 0, list[str]()
    missing: set[str] = set()
    current, end = "", time.monotonic() + MOST_SECONDS
    while True:
        line = child.next_line(min(time.monotonic() + seconds, end))
        if line is None:
            failed.append(_cause(child, current or "the interpreter", seconds))
            return prepared, failed, missing
        told = _told(line)
        if "begin" in told:
            current = str(told["begin"])
        elif "failed" in told:
            failed.append(f"{current}: {shown(told.get('reason', ''), 300)}")
            missing |= {told["missing"]} if isinstance(told.get("missing"), str) else set()
        elif "done" in told:
            prepared += current != "the runtime"
        elif "end" in told:
            return prepared, failed, missing


def _cause(child: Child, current: str, seconds: float) -> str:
    """Return why the probe stopped telling."""
    said = f": {child.last_words}" if child.last_words else ""
    if child.wait(0.5) is not None:
        return f"{current}: the process ended with status {child.status} while it was imported{said}"
    return f"{current}: importing it did not end within {seconds:g} s{said}"


def _told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


CHECKS = (Check(id="imports", title="Handlers can be imported", run=run, kinds=PROJECT),)
