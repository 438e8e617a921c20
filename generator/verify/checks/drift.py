"""`drift`: whether the project is still as it was written, of the source as it is, with the runtime of today."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...on_disk import resolved
from ...output.lock import LOCK_NAME, digest
from ...runtime import VERSION
from ..finding import PROJECT, REBUILD, Check, Finding, fail, ok, plural, shown, skip, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...output.lock import Lock
    from ..context import Context

MAX_ABOVE = 4
"""Folders above a project, and above where its lock says that the source is, in which the source is looked for."""

MAX_TRIED = 5
"""Files that were read by which a folder is known."""

BASE = "${base}/"
"""Stands for the project's folder in the table of a gateway."""

MAX_FILE = 256 << 20
"""Bytes of a file that is hashed."""


def drift(context: Context) -> Finding:
    """Compare hashes: files with the lock, the source with the lock, the runtime with ours."""
    project = context.project
    if project.lock is None:
        reason = project.problems.get(LOCK_NAME, f"{LOCK_NAME} is missing")
        return warn(f"nothing can be compared: {reason}", REBUILD)
    missing, edited = [], []
    for path, entry in project.lock.files.items():
        found = _digest(project.folder / path)
        if found is None:
            missing.append(f"{path} is missing")
        elif found != entry.sha256 and entry.owner == "mcpgen":
            edited.append(f"{path} was edited since it was written")
    if missing:
        return fail(
            f"{plural(len(missing), 'file')} of the project {'is' if len(missing) == 1 else 'are'} missing",
            REBUILD,
            missing,
        )
    places = _places(context)
    changed = _changed(context, places)
    outdated = []
    if project.lock.runtime != VERSION:
        outdated.append(f"the runtime is of mcpgen {shown(project.lock.runtime, 40)}; this is {VERSION}")
    found_all = [*changed, *edited, *outdated]
    if found_all:
        action = "Move edits to the source or a setting, then build again." if edited else REBUILD
        return warn(f"{plural(len(found_all), 'difference')}; the first: {found_all[0]}", action, found_all)
    count = plural(len(project.lock.files), "file")
    if not places:
        return skip(f"{count} are as they were written, but nothing could be compared with the source: {_why(context)}")
    return ok(f"{count} are as they were written, and the source as it was read")


def _places(context: Context) -> dict[str, Path]:
    """Return where what was read for the project lies now; empty when the source was not found."""
    lock = context.project.lock
    packages = {(each.parent.name, each.name): each.parent.parent for each in _packages(context)}
    places = {}
    for path in _inputs(lock):
        project, _, rest = path.partition("/")
        folder = packages.get((project, rest.partition("/")[0]), context.source)
        if folder is not None:
            places[path] = folder / path
    return places


def _packages(context: Context) -> Iterator[Path]:
    """Yield the packages behind a gateway, as its table says where they are."""
    servers = ((context.project.catalog or {}).get("gateway") or {}).get("servers") or {}
    for row in servers.values():
        for word in row.get("command") or ():
            if word.endswith("/__main__.py"):
                place = context.project.folder / word.removeprefix(BASE)
                yield Path(os.path.normpath(place.parent))


def _changed(context: Context, places: dict[str, Path]) -> list[str]:
    """Return what of the source is not as it was read."""
    inputs, changed = _inputs(context.project.lock), []
    for path, place in places.items():
        found = _digest(place)
        if found != inputs[path]:
            changed.append(f"the source's {path} " + ("is gone" if found is None else "was changed since the build"))
    return changed


def _inputs(lock: Lock | None) -> dict[str, str]:
    return {path: sha for path, sha in (lock.inputs if lock else {}).items() if ".." not in path.split("/")}


def _why(context: Context) -> str:
    """Say why there is nothing to compare with."""
    lock = context.project.lock
    if not _inputs(lock):
        return "the lock names no file that was read, as it is for an installed module"
    told = lock.source if lock is not None else ""
    named = f", nor is it at `{shown(told, 120)}`, where the lock says" if told else ""
    return f"it is in no folder above the project{named} (name its folder with --source)"


def source_folder(folder: Path, lock: Lock) -> Path | None:
    """Return the folder a project was built from, where something that was read for it lies.

    That is where the lock says that the source is, or a folder above that; or else one above the project.
    """
    project = resolved(folder)
    candidates = project.parents[:MAX_ABOVE]
    if lock.source:
        told = Path(os.path.normpath(project / lock.source))
        candidates = (told, *told.parents[:MAX_ABOVE], *candidates)
    first = [*_inputs(lock)][:MAX_TRIED]
    return next((each for each in candidates if any((each / path).is_file() for path in first)), None)


def _digest(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE:
            return None
        return digest(path.read_bytes())
    except OSError:
        return None


CHECKS = (Check(id="drift", title="It is what its source says", run=drift, kinds=PROJECT),)
