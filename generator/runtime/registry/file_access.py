"""Opening a registry file: it names commands that are run, so nobody else may be able to write it."""

from __future__ import annotations

import os
import stat

from .file_text import MAX_BYTES
from .problems import failure

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
CHECKS_OWNERS = hasattr(os, "geteuid")
"""Windows has no such bits: there the folder below LOCALAPPDATA is the user's alone."""


def read_bytes(path: str) -> bytes | None:
    """Return a file's bytes, at most one more than are allowed, or None where there is none; raises RegistryError."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as reason:
        raise _unreadable(path, _told(reason)) from None
    try:
        _check_file(path, os.fstat(descriptor))
        check_link(path)
        check_folder(path)
        return _all(descriptor)
    except OSError as reason:
        raise _unreadable(path, _told(reason)) from None
    finally:
        os.close(descriptor)


def check_folder(path: str, what: str = "the folder of the registry") -> None:
    """Refuse a folder in which somebody else can replace the file; raises RegistryError or OSError."""
    folder = os.path.dirname(os.path.realpath(path))
    found = os.stat(folder)
    if not CHECKS_OWNERS:
        return
    if found.st_uid not in (os.geteuid(), 0):
        raise _unsafe(f"{what}, `{folder}`, belongs to another user", "Keep it in your own folder.")
    if found.st_mode & OTHERS_WRITE and not found.st_mode & stat.S_ISVTX:
        advice = f"Take the right away: `chmod go-w {folder}`."
        raise _unsafe(f"others may write to {what}, `{folder}`", advice)


def check_link(path: str) -> None:
    """Refuse a link that somebody else made, or can exchange for one to another file; raises as `check_folder`."""
    if not os.path.islink(path) or not CHECKS_OWNERS:
        return
    folder = os.path.dirname(os.path.abspath(path))
    if os.lstat(path).st_uid not in (os.geteuid(), 0):
        raise _unsafe(f"the link `{path}` to the registry belongs to another user", "Remove it, or make your own.")
    check_folder(os.path.join(os.path.realpath(folder), "any"))


def _check_file(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise _unreadable(path, "it is no ordinary file")
    if not CHECKS_OWNERS:
        return
    if found.st_uid not in (os.geteuid(), 0):
        raise _unsafe(f"the registry `{path}` belongs to another user", "Look at what it runs, then make it your own.")
    if found.st_mode & OTHERS_WRITE:
        advice = f"Look at what it runs, then take the right away: `chmod go-w {path}`."
        raise _unsafe(f"others may write to the registry `{path}`", advice)


def _all(descriptor: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while size <= MAX_BYTES:
        piece = os.read(descriptor, MAX_BYTES + 1 - size)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _told(reason: Exception) -> str:
    return (reason.strerror if isinstance(reason, OSError) else None) or "it cannot be opened"


def _unreadable(path: str, reason: str) -> Exception:
    advice = "Correct that, or name another file in MCPGEN_REGISTRY."
    return failure("broken-registry", f"the registry `{path}` cannot be read: {reason}", advice)


def _unsafe(message: str, advice: str) -> Exception:
    return failure("unsafe-registry", message, advice)
