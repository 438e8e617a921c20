"""Files from the disk: regular ones only, below one folder, symbolic links followed before anything is opened."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from .limits import MAX_FILE_BYTES
from .load_problem import TextProblem

if TYPE_CHECKING:
    from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FLAGS |= getattr(os, "O_BINARY", 0)


class Outside(Exception):
    """A path leads out of the folder."""


class Jail:
    """The folder below which files may be read."""

    __slots__ = ("_root",)

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)

    def real(self, path: str) -> str:
        """Return the real path of a file below the folder; raises Outside. Nothing is opened."""
        try:
            real = os.path.realpath(path)
            inside = os.path.commonpath((self._root, real)) == self._root
        except (ValueError, OSError):
            inside = False
        if not inside:
            raise Outside
        return real


def read_file(path: str, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a regular file at a real path; raises TextProblem for anything else, and over the limit."""
    try:
        before = os.lstat(path)
        _require_regular(before.st_mode)
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as stream:
            _require_regular(os.fstat(descriptor).st_mode)
            data = stream.read(limit + 1)
    except OSError as problem:
        raise TextProblem("unreadable-description", _reason(problem)) from None
    except ValueError:  # a NUL in the path
        raise TextProblem("unreadable-description", "no such file") from None
    if len(data) > limit:
        raise TextProblem("loading-limit", f"more than {limit} bytes")
    return data


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise TextProblem("unreadable-description", "a folder, not a file")
    if not stat.S_ISREG(mode):
        raise TextProblem("unreadable-description", "not a regular file")


def _reason(problem: OSError) -> str:
    if problem.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
        return "no such file"
    if problem.errno in (errno.EACCES, errno.EPERM):
        return "permission denied"
    return (problem.strerror or "cannot be read").lower()
