"""Where running gateways tell what they do: a small file for each process, locked for as long as it lives.

It is in a folder that belongs to the user alone (`XDG_RUNTIME_DIR`, else below the system's folder for temporary files,
or where `MCPGEN_RUNTIME_DIR` says). The lock ends with the process, however that ends, so a file without one is stale.
Where there are no such locks (Windows), nothing is told.
"""

from __future__ import annotations

import os

from ..wire import jsonrpc

try:
    import fcntl
except ImportError:  # pragma: no cover # Windows
    fcntl = None  # type: ignore[assignment]

AVAILABLE = fcntl is not None
"""Whether there are such locks."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MAX_BYTES = 1 << 20
"""What is read of a file: a thousand children have less."""

DIGEST_BYTES = 4
"""Bytes of a digest that tell folders apart."""


def folder(variables: Mapping[str, str]) -> str | None:
    """Return the folder, made if need be; None when there is none that is ours alone."""
    below = variables.get("MCPGEN_RUNTIME_DIR")
    if not below and variables.get("XDG_RUNTIME_DIR"):
        below = os.path.join(variables["XDG_RUNTIME_DIR"], "mcpgen")
    if not below:
        from tempfile import gettempdir

        below = os.path.join(gettempdir(), f"mcpgen-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    try:
        os.makedirs(below, mode=0o700, exist_ok=True)
        about = os.lstat(below)
    except OSError:
        return None
    ours = not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o022)
    return below if ours and os.path.isdir(below) and not os.path.islink(below) else None


def stem(identity: str, project: str) -> str:
    """Return what the files of one gateway begin with."""
    from hashlib import sha256

    name = "".join(char if char.isalnum() and char.isascii() else "-" for char in identity)[:60]
    place = sha256(os.path.realpath(project).encode("utf-8", "surrogateescape"))
    return f"{name}-{place.digest()[:DIGEST_BYTES].hex()}"


class StateFile:
    """The file of this process."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self, below: str, begins: str) -> None:
        """Make it and lock it; raises OSError."""
        self._path = os.path.join(below, f"{begins}-{os.getpid()}.json")
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def write(self, state: dict[str, Any]) -> None:
        """Replace what it says; a disk that is full is no reason to stop. Never raises."""
        data = jsonrpc.encode(state) + b"\n"
        try:
            os.pwrite(self._descriptor, data, 0)
            os.ftruncate(self._descriptor, len(data))
        except OSError:
            pass

    def remove(self) -> None:
        """Remove it, at the end."""
        try:
            os.unlink(self._path)
            os.close(self._descriptor)
        except OSError:
            pass


def read_all(below: str, begins: str) -> list[dict[str, Any]]:
    """Return what the gateways that run say; files of processes that are gone are removed."""
    found = []
    for name in sorted(os.listdir(below)):
        if not name.startswith(f"{begins}-") or not name.endswith(".json"):
            continue
        state = _read(os.path.join(below, name))
        if state is not None:
            found.append(state)
    return found


def _read(path: str) -> dict[str, Any] | None:
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # whoever wrote it lives
            state = jsonrpc.parse(os.pread(descriptor, MAX_BYTES, 0))
            return state if type(state) is dict else None
        os.unlink(path)
    except (OSError, jsonrpc.ParseFailure):
        pass
    finally:
        os.close(descriptor)
    return None
