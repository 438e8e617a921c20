"""Writing a tree: stage everything beside its place, then rename, delete last, the lock at the very end.

An interrupted run leaves whole files only: the old ones or the new ones. What the user edited, and what is not ours, is
kept and reported; the rest is written all the same.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..on_disk import is_folder, is_there, resolved
from . import disk, place, tree
from . import lock as lock_file
from .plan import Plan, make_plan, refusals

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from .lock import Lock, Owner
    from .tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a run did, or would do; `refused` says that a file was kept although it should have changed (exit 3).

    `partial` says that a run without a plan failed in the middle of the renaming: some files are new already.
    """

    plan: Plan | None
    diagnostics: tuple[Diagnostic, ...] = ()
    refused: bool = False
    partial: bool = False


class _HalfWrittenError(OSError):
    """The system refused a rename or a removal after others had been made."""


def write(
    content: Tree,
    folder: Path,
    lock: Lock,
    *,
    owners: Mapping[str, Owner] | None = None,
    executable: Collection[str] = (),
    begun: Collection[str] = (),
    dry_run: bool = False,
) -> Written:
    """Bring a folder to a tree's state and record it in mcpgen.lock; `lock.files` is filled here.

    `begun` files are the user's from their first edit on.

    `dry_run` decides everything and touches nothing. Problems are diagnostics; nothing is raised for them.
    """
    if found := tree.problems(content):
        return Written(plan=None, diagnostics=found)
    try:
        root = resolved(folder)
        if not dry_run:
            root.mkdir(parents=True, exist_ok=True)
        if (taken := place.owner_problem(folder, lock_file.read(root), lock, content)) is not None:
            return Written(plan=None, diagnostics=(taken,), refused=True)
        if dry_run:
            return _result(make_plan(content, root, lock_file.read(root), owners or {}, begun))
        with disk.exclusive(root) as held:
            if held:
                disk.sweep(root, content)
            plan = make_plan(content, root, lock_file.read(root), owners or {}, begun)
            _apply(plan, content, root, dataclasses.replace(lock, files=plan.files), executable)
        return _result(plan)
    except lock_file.LockProblem as problem:
        return Written(plan=None, diagnostics=(problem.diagnostic,), refused=True)
    except OSError as failure:
        partial = isinstance(failure, _HalfWrittenError)
        return Written(plan=None, diagnostics=(_unwritable(folder, failure),), partial=partial)


def _result(plan: Plan) -> Written:
    return Written(plan=plan, diagnostics=refusals(plan), refused=bool(plan.of("edited", "foreign")))


def _apply(plan: Plan, content: Tree, root: Path, lock: Lock, executable: Collection[str]) -> None:
    staged: list[tuple[Path, str]] = []
    try:
        for step in plan.of("create", "update"):
            temporary = disk.stage(root, step.path, content[step.path], executable=step.path in executable)
            staged.append((temporary, step.path))
        encoded = lock_file.encode(lock)
        if disk.look(root, lock_file.LOCK_NAME).content != encoded:
            staged.append((disk.stage(root, lock_file.LOCK_NAME, encoded), lock_file.LOCK_NAME))
        _replace(staged, plan, root)
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)


def _replace(staged: list[tuple[Path, str]], plan: Plan, root: Path) -> None:
    """Give the staged files their names, delete what is no longer generated, and put the lock in place at the end."""
    try:
        for temporary, path in staged:
            if path != lock_file.LOCK_NAME:
                disk.put(temporary, root, path)
        for step in plan.of("delete"):
            disk.remove(root, step.path)
        if staged and staged[-1][1] == lock_file.LOCK_NAME:
            disk.put(staged[-1][0], root, lock_file.LOCK_NAME)
    except OSError as failure:
        raise _HalfWrittenError(failure.errno, failure.strerror) from failure


def _unwritable(folder: Path, failure: OSError) -> Diagnostic:
    busy = isinstance(failure, disk.FolderBusyError)
    reason = failure.strerror or str(failure)
    if isinstance(failure, FileExistsError | NotADirectoryError):
        file = next((each for each in (folder, *folder.parents) if is_there(each) and not is_folder(each)), None)
        reason = f"`{file}` is a file, and no folder" if file is not None else reason
    return Diagnostic(
        rule=rule("unwritable-output"),
        message=f"`{folder}` cannot be written: {reason}",
        hint="Wait until it is done, then build again." if busy else "Choose another folder with -o.",
        unit="-o",
    )
