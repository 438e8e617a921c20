"""Whether a folder is a place for a server: not the root, the home folder, the source's or another server's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..on_disk import is_folder, resolved
from .lock import LOCK_NAME

if TYPE_CHECKING:
    from .lock import Lock
    from .tree import Tree

CATALOG = "/catalog.json"
"""The file that tells a server's package in a lock that does not name its server."""


def place_problem(folder: Path, command: str, source: Path | None = None) -> Diagnostic | None:
    """Return why a folder cannot hold the server `command`, whatever is in it; `source` is the file or folder read."""
    root = resolved(folder)
    example = f"Choose a folder of its own with -o, for example `-o {command}`."
    if root == Path(root.anchor):
        return _unsuitable(f"`{folder}` is the root of the file system", example)
    if root == _home():
        return _unsuitable(f"`{folder}` is your home folder", example)
    if source is not None and is_folder(root) and resolved(source).is_relative_to(root):
        hint = f"Choose a folder that the source is not in, for example `-o {command}` or `-o out/{command}`."
        return _unsuitable(f"`{folder}` contains the source `{source}`", hint)
    return None


def owner_problem(folder: Path, previous: Lock | None, lock: Lock, content: Tree) -> Diagnostic | None:
    """Return whose folder it is when its lock was written for another server."""
    if previous is None or not lock.server:
        return None
    if previous.server:
        other = previous.server if previous.server != lock.server else None
    else:
        packages = sorted(path for path in previous.files if path.endswith(CATALOG) and path.count("/") == 1)
        known = packages and not any(path in content for path in packages)
        other = packages[0].removesuffix(CATALOG) if known else None
    if other is None:
        return None
    message = f"`{folder}` is the folder of another server, `{other[:60]}`, says its {LOCK_NAME}"
    hint = f"Choose another folder with -o, for example `-o {lock.server}`, or delete this one if it is not needed."
    return _unsuitable(message, hint)


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (RuntimeError, OSError):  # a user without a home
        return None


def _unsuitable(message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule("unsuitable-folder"), message=message, hint=hint, unit="-o")
