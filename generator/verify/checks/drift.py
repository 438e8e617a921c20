"""`drift`: whether the project is still as it was written, of the source as it is, with the runtime of today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...output.lock import LOCK_NAME, digest
from ...runtime import VERSION
from ..finding import PROJECT, REBUILD, Check, Finding, fail, ok, plural, shown, warn

if TYPE_CHECKING:
    from pathlib import Path

    from ..context import Context

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
        return fail(f"{plural(len(missing), 'file')} of the project are missing", REBUILD, missing)
    changed, unknown = _source(context)
    outdated = []
    if project.lock.runtime != VERSION:
        outdated.append(f"the runtime is of mcpgen {shown(project.lock.runtime, 40)}; this is {VERSION}")
    found_all = [*changed, *edited, *outdated]
    if found_all:
        action = "Move edits to the source or a setting, then build again." if edited else REBUILD
        return warn(f"{plural(len(found_all), 'difference')}; the first: {found_all[0]}", action, found_all)
    count = plural(len(project.lock.files), "file")
    if unknown:
        return ok(f"{count} are as they were written; the source was not found (name its folder with --source)")
    return ok(f"{count} are as they were written, and the source as it was read")


def _source(context: Context) -> tuple[list[str], bool]:
    """Return what of the source has changed, and whether it was found at all."""
    lock = context.project.lock
    inputs = {path: sha for path, sha in (lock.inputs if lock else {}).items() if ".." not in path.split("/")}
    if context.source is None or not inputs:
        return [], True
    changed = []
    for path, sha in inputs.items():
        found = _digest(context.source / path)
        if found != sha:
            changed.append(f"the source's {path} " + ("is gone" if found is None else "was changed since the build"))
    return changed, False


def source_folder(folder: Path, inputs: tuple[str, ...]) -> Path | None:
    """Return the folder a project was built from: that above it, or one of those above that, where an input lies."""
    first = [path for path in inputs if ".." not in path.split("/")][:5]
    for candidate in folder.parents[:4]:
        if any((candidate / path).is_file() for path in first):
            return candidate
    return None


def _digest(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE:
            return None
        return digest(path.read_bytes())
    except OSError:
        return None


CHECKS = (Check(id="drift", title="It is what its source says", run=drift, kinds=PROJECT),)
