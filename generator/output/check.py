"""`build --check`: is the folder what a build would write, and can the result be imported? Writes nothing."""

from __future__ import annotations

import dataclasses
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..on_disk import is_folder, is_there, resolved
from . import diff, disk, place, tree
from . import lock as lock_file
from .plan import make_plan

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from .lock import Lock, Owner
    from .tree import Tree

IMPORT_SECONDS = 30.0
"""Bound of the child process that imports the package; an import takes well below a second."""

MAX_REASON = 200
"""Characters of the child's last line that a message shows."""

MAX_VALUES = 5
"""Values of the environment that a note shows; a server may look up dozens of distributions."""

MAX_VALUE = 80
"""Characters of one of them."""

_DRIFTS = {
    "create": ("drift", "is missing", "Build again without --check to write it."),
    "update": ("drift", "is not what a build writes now", "Build again without --check, and review the change."),
    "delete": ("drift", "is no longer generated", "Build again without --check; it is then deleted."),
    "edited": (
        "edited-file",
        "was edited since mcpgen wrote it",
        "Move the edit to the source or a setting, or undo it; a build would keep the file as it is (exit 3).",
    ),
    "foreign": (
        "foreign-file",
        "is not a file that mcpgen wrote",
        "Move it away, or build into another folder with -o; a build would not touch it (exit 3).",
    ),
}
"""The rule of each kind of difference, what is said, and what to do: building again mends only a drift."""

_PROBE = """
import importlib, json, pathlib, sys
root, package = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, root)
for path in sorted(pathlib.Path(root).rglob("*.py")):
    compile(path.read_bytes(), str(path.relative_to(root)), "exec", dont_inherit=True)
importlib.import_module(package)
importlib.import_module(package + ".__main__")
json.loads(pathlib.Path(root, package, "catalog.json").read_bytes())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The outcome: the differences as text (empty: none) and diagnostics; any diagnostic means drift (exit 4).

    `refused` says that the folder is another server's, so that there is nothing to compare (exit 3).
    """

    difference: str
    diagnostics: tuple[Diagnostic, ...]
    refused: bool = False


def check(
    content: Tree,
    folder: Path,
    lock: Lock,
    *,
    owners: Mapping[str, Owner] | None = None,
    begun: Collection[str] = (),
) -> Checked:
    """Compare a folder, its lock included, with what a build would write.

    The environment that the lock records is no drift: another machine may well build the same files with another one.
    Neither is where the source is: the same project may be built in another place.
    """
    if found := tree.problems(content):
        return Checked(difference="", diagnostics=found)
    root = resolved(folder)
    if is_there(root) and not is_folder(root):
        return Checked(difference="", diagnostics=(_unbuilt(folder),))
    try:
        previous = lock_file.read(root)
        if (taken := place.owner_problem(folder, previous, lock, content)) is not None:
            return Checked(difference="", diagnostics=(taken,), refused=True)
        plan = make_plan(content, root, previous, owners or {}, begun)
        present = disk.look(root, lock_file.LOCK_NAME)
    except lock_file.LockProblem as problem:
        return Checked(difference="", diagnostics=(problem.diagnostic,))
    except OSError as failure:
        return Checked(difference="", diagnostics=(_unlooked(folder, failure),))
    if previous is None:
        foreign = [_drift(step.path, step.action) for step in plan.of("foreign")]
        return Checked(difference="", diagnostics=(_unbuilt(folder), *foreign))
    recorded = dataclasses.replace(lock, files=plan.files, environment=previous.environment, source=previous.source)
    expected = lock_file.encode(recorded)
    current = present.content if present.state == "file" else None
    changed = plan.of("create", "update", "delete", "edited", "foreign")
    difference = diff.unified(plan, content) + diff.lock_difference(current, expected, lock_file.LOCK_NAME)
    drifts = [_drift(step.path, step.action) for step in changed]
    if not drifts and current != expected:
        drifts.append(_drift(lock_file.LOCK_NAME, "update"))
    return Checked(difference=difference, diagnostics=_explained(drifts, previous.environment, lock.environment))


def _unlooked(folder: Path, failure: OSError) -> Diagnostic:
    message = f"`{folder}` cannot be compared: {failure.strerror or failure}"
    hint = "Look at the permissions of the folder and of what is in it."
    return Diagnostic(rule=rule("drift"), message=message, hint=hint, unit="-o")


def _unbuilt(folder: Path) -> Diagnostic:
    lacks = f"has no {lock_file.LOCK_NAME}" if is_folder(folder) else "does not exist"
    if is_there(folder) and not is_folder(folder):
        lacks = "is a file, and no folder"
    hint = "Build without --check, or name the folder that was built with -o."
    return Diagnostic(rule=rule("drift"), message=f"`{folder}` {lacks}; build it first", hint=hint, unit="-o")


def _explained(drifts: list[Diagnostic], before: Mapping[str, str], now: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Tell with the first drift in which values the environments differ: they may be why the files do."""
    names = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
    ordered = sorted(drifts, key=lambda each: (each.rule.code, each.message))
    first = next((index for index, each in enumerate(ordered) if each.rule.name == "drift"), None)
    if not names or first is None:
        return tuple(ordered)
    pairs = [f"{name} {before.get(name, 'none')} -> {now.get(name, 'none')}"[:MAX_VALUE] for name in names]
    more = f" and {len(pairs) - MAX_VALUES} more" if len(pairs) > MAX_VALUES else ""
    drift = ordered[first]
    ordered[first] = dataclasses.replace(
        drift,
        notes=(*drift.notes, f"the lock was written with another environment: {', '.join(pairs[:MAX_VALUES])}{more}"),
        hint="Name the environment of the lock with --python; or build again without --check, and review the change.",
    )
    return tuple(ordered)


def _drift(path: str, action: str) -> Diagnostic:
    name, said, hint = _DRIFTS[action]
    return Diagnostic(rule=rule(name), message=f"`{path}` {said}", hint=hint, unit=path)


def import_problem(content: Tree, package: str, interpreter: str) -> Diagnostic | None:
    """Import the package in a bounded child process; returns what is wrong, or None.

    The child gets its own folder, no environment of ours and no user site (`-I`). It compiles every file and imports
    the package's own modules; the user's module is compiled only, since importing it would run it.
    """
    with tempfile.TemporaryDirectory(prefix="mcpgen-check-") as scratch:
        for path, data in content.items():
            target = Path(scratch, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        command = [interpreter, "-I", "-B", "-c", _PROBE, scratch, package]
        try:
            ended = subprocess.run(  # noqa: S603 - our own program, arguments as a list, no shell
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=IMPORT_SECONDS,
                cwd=scratch,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _broken(package, f"importing it did not end within {IMPORT_SECONDS:g} s")
        except OSError as failure:
            return _broken(package, f"the interpreter cannot be started: {failure.strerror}")
    if ended.returncode == 0:
        return None
    lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    return _broken(package, (lines[-1] if lines else f"exit {ended.returncode}")[:MAX_REASON])


def _broken(package: str, reason: str) -> Diagnostic:
    return Diagnostic(rule=rule("broken-package"), message=f"`{package}` cannot be imported: {reason}", unit=package)
