"""The only functions that touch an output folder; none of them follows a symbolic link below its root."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LOCK_WAIT_SECONDS = 30.0
"""How long a run waits for another run that writes to the same folder."""

LOCK_POLL_SECONDS = 0.05

TEMPORARY = ".mcpgen-{}.tmp"
TEMPORARY_DIGITS = 16
"""Name of a temporary file and the random digits in it: nobody else's file is called so."""

State = Literal["absent", "file", "obstacle"]


class FolderBusyError(OSError):
    """Another run is writing to the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What stands at a path: nothing, a regular file with its content, or something that must not be touched."""

    state: State
    content: bytes = b""


def look(root: Path, path: str) -> Found:
    """Return what stands at a path of the tree below `root`; a link or a non-folder on the way is an obstacle."""
    current = os.fspath(root)
    *folders, name = path.split("/")
    for part in folders:
        current = os.path.join(current, part)  # noqa: PTH118 - of hundreds of files: a text is joined in a tenth of the time
        mode = _mode(current)
        if mode is None:
            return Found(state="absent")
        if not stat.S_ISDIR(mode):
            return Found(state="obstacle")
    current = os.path.join(current, name)  # noqa: PTH118 - the same
    mode = _mode(current)
    if mode is None:
        return Found(state="absent")
    if not stat.S_ISREG(mode):
        return Found(state="obstacle")
    with open(current, "rb") as file:  # noqa: PTH123 - the same
        return Found(state="file", content=file.read())


def _mode(path: str | Path) -> int | None:
    try:
        return os.lstat(path).st_mode
    except FileNotFoundError:
        return None


def stage(root: Path, path: str, content: bytes, *, executable: bool = False) -> Path:
    """Write a content to a new temporary file in the folder where it will go; returns the temporary file.

    A file that is replaced keeps its permissions; a new one gets what the process's umask leaves.
    """
    target = root / path
    _make_folders(root, path)
    temporary = target.parent / TEMPORARY.format(secrets.token_hex(TEMPORARY_DIGITS // 2))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o777 if executable else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        if (mode := _mode(target)) is not None and stat.S_ISREG(mode):
            temporary.chmod(stat.S_IMODE(mode))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _make_folders(root: Path, path: str) -> None:
    """Make the folders of a path, refusing links on the way."""
    current = root
    for part in path.split("/")[:-1]:
        current = current / part
        with contextlib.suppress(FileExistsError):
            current.mkdir()
        if not stat.S_ISDIR(current.lstat().st_mode):
            raise NotADirectoryError(f"{part} is not a folder")


def put(temporary: Path, root: Path, path: str) -> None:
    """Give a staged file its name, replacing what was there in one step."""
    temporary.replace(root / path)


def sweep(root: Path, paths: Iterable[str]) -> None:
    """Remove temporary files that a killed run left beside these paths; only for a caller that holds the folder."""
    folders = {path.rpartition("/")[0] for path in paths}
    for folder in sorted(folders):
        if look(root, f"{folder}/x" if folder else "x").state == "obstacle":
            continue
        for entry in (root / folder).glob(TEMPORARY.format("?" * TEMPORARY_DIGITS)):
            entry.unlink(missing_ok=True)


def remove(root: Path, path: str) -> None:
    """Delete a file and the folders that are empty afterwards, never the root."""
    (root / path).unlink(missing_ok=True)
    parts = path.split("/")[:-1]
    while parts:
        try:
            root.joinpath(*parts).rmdir()
        except OSError:
            return
        parts.pop()


@contextlib.contextmanager
def exclusive(root: Path, wait: float = LOCK_WAIT_SECONDS) -> Iterator[bool]:
    """Hold the folder against other runs and yield whether it is held; raises FolderBusyError after `wait` seconds.

    The lock is on the folder itself, so it leaves nothing behind and ends with the process. Where the system has no
    such lock (Windows) two runs at once are only kept from tearing single files, by the atomic replace.
    """
    try:
        import fcntl
    except ImportError:
        yield False
        return
    descriptor = os.open(root, os.O_RDONLY)
    try:
        deadline = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise FolderBusyError("another mcpgen is writing there") from None
                time.sleep(LOCK_POLL_SECONDS)
        yield True
    finally:
        os.close(descriptor)
