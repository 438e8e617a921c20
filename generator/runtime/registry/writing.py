"""Changing a registry: under a lock, and in one step that either happened or did not, whenever the power goes."""

from __future__ import annotations

import errno
import os

from .file_access import check_folder, check_link
from .file_text import MAX_BYTES, MEMBERS, MOST_ENTRIES, encode
from .locking import WAIT_SECONDS, Lock
from .problems import failure
from .reading import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FILE_MODE = 0o600
FOLDER_MODE = 0o700


def change(path: str, edit: Callable[[dict[str, Any]], None], *, wait: float = WAIT_SECONDS) -> bool:
    """Let `edit` change the document of a file, and write it if it did; returns whether. Raises RegistryError.

    What `edit` raises ends the change. Entries that cannot be used, and members that are not known, are kept.
    """
    real = os.path.realpath(path)
    try:
        check_link(path)
        os.makedirs(os.path.dirname(real), FOLDER_MODE, exist_ok=True)
        check_folder(real)
        with Lock(real, wait):
            document = load(real)
            before = encode(document)
            edit(document)
            after = encode(document)
            if after == before:
                return False
            _check_size(document, after, path)
            _sweep(real)
            _replace(real, after)
    except OSError as reason:
        raise failure(
            "unwritable-registry",
            f"the registry `{path}` cannot be written: {reason.strerror or 'no reason is known'}",
            "Correct that, or name another file in MCPGEN_REGISTRY.",
        ) from None
    return True


def put(document: dict[str, Any], name: str, record: dict[str, Any]) -> None:
    """Write an entry into a document; it goes where entries are written, wherever one of its name was."""
    for member in MEMBERS[1:]:
        document.get(member, {}).pop(name, None)
    document.setdefault(MEMBERS[0], {})[name] = record


def take(document: dict[str, Any], name: str) -> bool:
    """Remove the entry of a name, usable or not; returns whether there was one."""
    found = [document[member].pop(name) for member in MEMBERS if name in document.get(member, {})]
    return bool(found)


def find(document: dict[str, Any], name: str) -> Any:
    """Return the entry of a name as it is written, or None."""
    return next((document[member][name] for member in MEMBERS if name in document.get(member, {})), None)


def _check_size(document: dict[str, Any], data: bytes, path: str) -> None:
    if len(data) > MAX_BYTES or any(len(document.get(member, {})) > MOST_ENTRIES for member in MEMBERS):
        raise failure(
            "unwritable-registry",
            f"the registry `{path}` would be too large to be read again",
            "Remove entries that are not needed: `mcpgen registry remove NAME`.",
        )


def _replace(path: str, data: bytes) -> None:
    """Give the file its new content: written and flushed beside it, then renamed, then the folder flushed."""
    temporary = f"{_prefix(path)}{os.urandom(8).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise
    _flush_folder(os.path.dirname(path))


def _flush_folder(folder: str) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # Windows keeps names by itself
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as reason:
        if reason.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise  # some file systems cannot do that for a folder; the new name is there all the same
    finally:
        os.close(descriptor)


def _sweep(path: str) -> None:
    """Remove what a writer left that was killed; only for the holder of the lock."""
    folder, prefix = os.path.split(_prefix(path))
    for name in os.listdir(folder):
        if name.startswith(prefix) and name.endswith(".tmp"):
            _remove(os.path.join(folder, name))


def _prefix(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.")


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
