"""What writing a tree would do to a folder, decided before anything is touched.

For each path of the tree: nothing there is `create`, the same content is `unchanged`, a file as the lock knows it is
`update`, an edited one is kept (`edited`), one the lock does not know is kept (`foreign`), a user-owned one is kept
(`yours`). For each path only the lock knows: `delete` when unedited, else `left`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..diagnostics.model import Diagnostic, Severity
from ..diagnostics.rules import rule
from . import disk
from .lock import LOCK_NAME, Lock, LockedFile, Owner, digest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from .tree import Tree

Action = Literal["create", "update", "unchanged", "edited", "foreign", "yours", "delete", "left"]

_TOUCHING = frozenset({"create", "update", "delete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One path and what happens to it; `current` is what stands there, None for nothing that can be read."""

    path: str
    action: Action
    current: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All steps in the order of their paths, and the files the new lock will name."""

    steps: tuple[Step, ...]
    files: Mapping[str, LockedFile]

    def of(self, *actions: Action) -> tuple[Step, ...]:
        """Return the steps with one of these actions."""
        return tuple(step for step in self.steps if step.action in actions)

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that touch the disk."""
        return tuple(step for step in self.steps if step.action in _TOUCHING)


def make_plan(
    tree: Tree, root: Path, previous: Lock | None, owners: Mapping[str, Owner], begun: Collection[str] = ()
) -> Plan:
    """Compare a tree with a folder and its lock; `owners` names the files that are the user's once written.

    `begun` are those of them that are only a beginning: until one is edited it is written anew, also if it is gone.
    """
    known = previous.files if previous else {}
    steps = [
        _step(path, content, root, known, owners, begun=path in begun)
        for path, content in tree.items()
        if path != LOCK_NAME
    ]
    steps += [_leftover(path, known[path], root) for path in known if path not in tree]
    files = {}
    for step in steps:
        if (entry := _entry(step, tree, known, owners)) is not None:
            files[step.path] = entry
    return Plan(steps=tuple(sorted(steps, key=lambda step: step.path)), files=files)


def _step(
    path: str,
    content: bytes,
    root: Path,
    known: Mapping[str, LockedFile],
    owners: Mapping[str, Owner],
    *,
    begun: bool,
) -> Step:
    found = disk.look(root, path)
    mine = owners.get(path, "mcpgen") == "mcpgen"
    if found.state == "obstacle":
        return Step(path=path, action="foreign")
    if found.state == "absent":
        return Step(path=path, action="create" if mine or begun or path not in known else "yours")
    if found.content == content:
        return Step(path=path, action="unchanged", current=found.content)
    if path not in known:
        return Step(path=path, action="foreign" if mine else "yours", current=found.content)
    if begun and digest(found.content) == known[path].sha256:
        return Step(path=path, action="update", current=found.content)
    if not mine or known[path].owner == "user":
        return Step(path=path, action="yours", current=found.content)
    edited = digest(found.content) != known[path].sha256
    return Step(path=path, action="edited" if edited else "update", current=found.content)


def _leftover(path: str, entry: LockedFile, root: Path) -> Step:
    """Decide about a file an earlier run wrote and this one does not."""
    found = disk.look(root, path)
    if found.state == "file" and entry.owner == "mcpgen" and digest(found.content) == entry.sha256:
        return Step(path=path, action="delete", current=found.content)
    return Step(path=path, action="left", current=found.content if found.state == "file" else None)


def _entry(step: Step, tree: Tree, known: Mapping[str, LockedFile], owners: Mapping[str, Owner]) -> LockedFile | None:
    """Return what the new lock says of a path; an edited file keeps its old hash, so that undoing the edit is seen."""
    if step.action in ("foreign", "delete", "left"):
        return None
    if step.action in ("edited", "yours") and step.path in known:
        return known[step.path]
    return LockedFile(sha256=digest(tree[step.path]), owner=owners.get(step.path, "mcpgen"))


def refusals(plan: Plan) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for every file that was kept although a new version exists."""
    return tuple(_refusal(step) for step in plan.steps if step.action in ("edited", "foreign") or _is_left(step))


def _is_left(step: Step) -> bool:
    return step.action == "left" and step.current is not None


def _refusal(step: Step) -> Diagnostic:
    if step.action == "edited":
        return Diagnostic(
            rule=rule("edited-file"),
            message=f"`{step.path}` was edited since mcpgen wrote it; it is kept and the new version is not written",
            hint="Move the edit to the source or a setting, or delete the file; then build again.",
            unit=step.path,
        )
    if step.action == "foreign":
        return Diagnostic(
            rule=rule("foreign-file"),
            message=f"`{step.path}` is not a file that mcpgen wrote; it is not touched",
            hint="Move it away, or choose another folder with -o.",
            unit=step.path,
        )
    return Diagnostic(
        rule=rule("edited-file"),
        severity=Severity.WARNING,
        message=f"`{step.path}` is no longer generated; it was edited, so it is kept",
        hint="Delete it when you do not need it.",
        unit=step.path,
    )
