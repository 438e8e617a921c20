"""mcpgen.lock: what was written, from what, and with which names.

The hash of every emitted file lets the next run tell its own files from edited and foreign ones. No date and no
absolute path is in it: two machines write the same bytes. Shape: `schemas/lock.schema.json`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from ..diagnostics.model import Diagnostic, Span
from ..diagnostics.rules import rule
from .tree import path_problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = 1
LOCK_NAME = "mcpgen.lock"

MAX_LOCK_BYTES = 32 << 20
"""A lock of more than 32 MiB is not ours."""

DIGEST_LENGTH = 64
"""Hexadecimal digits of a SHA-256."""

Owner = Literal["mcpgen", "user"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedFile:
    """One emitted file: the SHA-256 of what mcpgen wrote, and whose it is from then on."""

    sha256: str
    owner: Owner = "mcpgen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The content of mcpgen.lock; `server` is the server's command, empty in a lock that does not tell.

    `source` is the path from the lock's folder to the source, empty where that is not known.
    """

    generator: str
    runtime: str
    server: str = ""
    source: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, LockedFile] = field(default_factory=dict)


class LockProblem(Exception):
    """A lock that cannot be read; carries the diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the diagnostic."""
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def digest(content: bytes) -> str:
    """Return the SHA-256 of a content, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def encode(lock: Lock) -> bytes:
    """Return the lock's bytes: sorted keys, two spaces, ASCII, a final newline."""
    document = {
        "format": FORMAT,
        "generator": lock.generator,
        "runtime": lock.runtime,
        **({"server": lock.server} if lock.server else {}),
        **({"source": lock.source} if lock.source else {}),
        "inputs": dict(lock.inputs),
        "environment": dict(lock.environment),
        "names": dict(lock.names),
        "files": {path: {"sha256": entry.sha256, "owner": entry.owner} for path, entry in lock.files.items()},
    }
    return (json.dumps(document, indent=2, sort_keys=True) + "\n").encode("ascii")


def read(folder: Path) -> Lock | None:
    """Return the lock of an output folder, or None when there is none; raises LockProblem."""
    path = folder / LOCK_NAME
    try:
        if path.is_symlink():
            raise _problem("it is a symbolic link")
        with path.open("rb") as stream:
            data = stream.read(MAX_LOCK_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as failure:
        raise _unreadable(folder, failure) from None
    if len(data) > MAX_LOCK_BYTES:
        raise _problem(f"it is larger than {MAX_LOCK_BYTES} bytes")
    return decode(data)


def decode(data: bytes) -> Lock:
    """Return the lock that bytes stand for; raises LockProblem."""
    try:
        document = json.loads(data)
    except json.JSONDecodeError as failure:
        raise _problem(f"it is not JSON: {failure.msg}", failure.lineno, failure.colno) from None
    except (ValueError, RecursionError):
        raise _problem("it is not JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _problem(f"it is not of format {FORMAT}; a newer mcpgen may have written it")
    texts = {key: document.get(key) for key in ("generator", "runtime")}
    texts |= {key: document.get(key, "") for key in ("server", "source")}
    maps = {key: document.get(key, {}) for key in ("inputs", "environment", "names")}
    if not all(isinstance(value, str) for value in texts.values()) or not all(map(_is_text_map, maps.values())):
        raise _problem("a field has a wrong type")
    return Lock(**cast("dict[str, Any]", texts | maps), files=_files(document.get("files")))


def _files(entries: object) -> dict[str, LockedFile]:
    """Check every entry: a path of a lock decides what may be deleted, so it is never trusted."""
    if not isinstance(entries, dict):
        raise _problem("`files` is not an object")
    files = {}
    for path, entry in entries.items():
        if not isinstance(entry, dict) or entry.get("owner") not in ("mcpgen", "user"):
            raise _problem("an entry of `files` has a wrong form")
        sha256 = entry.get("sha256")
        if not isinstance(sha256, str) or len(sha256) != DIGEST_LENGTH or path_problem(path) is not None:
            raise _problem("an entry of `files` has an unacceptable path or digest")
        files[path] = LockedFile(sha256=sha256, owner=entry["owner"])
    return files


def _is_text_map(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _unreadable(folder: Path, failure: OSError) -> LockProblem:
    message = f"{LOCK_NAME} in `{folder.name or folder}` cannot be read: {failure.strerror or type(failure).__name__}"
    hint = "Look at the permissions of the folder and of the file, or choose another folder with -o."
    return LockProblem(Diagnostic(rule=rule("broken-lock"), message=message, hint=hint, unit="-o"))


def _problem(reason: str, line: int = 1, column: int = 1) -> LockProblem:
    return LockProblem(
        Diagnostic(
            rule=rule("broken-lock"),
            message=f"{LOCK_NAME} cannot be used: {reason}",
            span=Span(path=LOCK_NAME, line=line, column=column, end_line=line, end_column=column),
            hint="Restore it from version control, or delete it; then files that differ from the new ones are kept.",
        )
    )
