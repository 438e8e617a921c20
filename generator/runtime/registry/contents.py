"""Digests of what an entry runs: of a package's files, or of the files that a command names.

A command that stays the same while its files change is how trusted servers become others. The digest is taken when a
server is registered; whoever starts it later can tell that something changed (B22).
"""

from __future__ import annotations

import hashlib
import os
import stat

from .problems import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

MOST_FILES = 20_000
MAX_BYTES = 1 << 30
"""What is read for one digest; a package with all its data is a thousandth of it."""

LARGEST_READ = 64 << 20
"""A larger file that a command names (a model, a database) is known by its size and its time, not by what is in it."""

PIECE = 1 << 20
CACHES = ("__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache")
"""Folders that come and go by themselves."""


def of_package(folder: str, changing: Collection[str] = ()) -> str:
    """Return the digest of a package's files but those that it changes itself; raises OSError or RegistryError."""
    ignored = {path.replace("\\", "/") for path in changing}
    return _digest((name, path) for name, path in _walk(folder) if name not in ignored)


def of_command(command: Sequence[str], cwd: str | None = None) -> str | None:
    """Return the digest of the files that a command names: its arguments that are files, or else its program.

    None when there is no file to be read. A program that runs another file (an interpreter) is updated often and says
    little; where it is all there is, it is the server.
    """
    named = files_named(command, cwd)
    if not named and os.path.isfile(command[0]):
        named = {command[0]: command[0]}
    try:
        lines = [f"{word}\0{_known(path)}\n".encode("utf-8", "surrogateescape") for word, path in named.items()]
    except OSError:
        return None
    return f"sha256:{hashlib.sha256(b''.join(sorted(lines))).hexdigest()}" if lines else None


def files_named(command: Sequence[str], cwd: str | None) -> dict[str, str]:
    """Return the arguments of a command that are files, seen from the folder it runs in, with their paths."""
    found: dict[str, str] = {}
    for word in command[1:]:
        path = word if os.path.isabs(word) else os.path.join(cwd, word) if cwd and word else ""
        if path and os.path.isfile(path):
            found[word] = path
    return found


def _known(path: str) -> str:
    found = os.stat(path)
    return f"large {found.st_size} {found.st_mtime_ns}" if found.st_size > LARGEST_READ else _content(path)


def _walk(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the files below a folder as their names, with `/`, and their paths."""
    for parent, folders, files in os.walk(folder, onerror=_fail):
        folders[:] = sorted(name for name in folders if name not in CACHES)
        # What a link to a folder leads to is not walked, but where it leads is a part of the digest.
        for name in (*files, *(each for each in folders if os.path.islink(os.path.join(parent, each)))):
            path = os.path.join(parent, name)
            yield os.path.relpath(path, folder).replace(os.sep, "/"), path


def _digest(files: Iterator[tuple[str, str]]) -> str:
    lines: list[bytes] = []
    left = MAX_BYTES
    for name, path in files:
        left -= os.stat(path).st_size if os.path.exists(path) else 0
        if left < 0 or len(lines) >= MOST_FILES:
            raise failure(
                "invalid-entry",
                f"there are too many files, or too large ones, to keep a digest of: `{path}` and others",
                "Register the server where it is by itself.",
            )
        lines.append(f"{name}\0{_content(path)}\n".encode("utf-8", "surrogateescape"))
    return f"sha256:{hashlib.sha256(b''.join(sorted(lines))).hexdigest()}"


def _content(path: str) -> str:
    """Return the digest of a file; what is none (a link to a folder, a socket) has a word instead."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return f"link {os.readlink(path)}" if os.path.islink(path) else "closed"
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return f"link {os.readlink(path)}" if os.path.islink(path) else "special"
        made = hashlib.sha256()
        while piece := os.read(descriptor, PIECE):
            made.update(piece)
        return made.hexdigest()
    finally:
        os.close(descriptor)


def _fail(reason: OSError) -> None:
    raise reason
