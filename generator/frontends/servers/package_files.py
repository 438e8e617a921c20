"""The digest of a package's files: a gateway sees by it that a server was changed, whatever its catalog says (B22)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SKIPPED = frozenset({"__pycache__"})
"""Folders whose content Python writes itself."""


def digest_of_files(package: Path) -> str:
    """Return the digest of all files of a package and their paths in it."""
    total = hashlib.sha256()
    for path in sorted(package.rglob("*"), key=lambda each: each.relative_to(package).as_posix()):
        if path.is_file() and not SKIPPED.intersection(path.parts):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{content}  {path.relative_to(package).as_posix()}\n".encode("utf-8", "surrogateescape"))
    return f"sha256:{total.hexdigest()}"
