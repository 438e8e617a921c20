"""A tree of files as a value, and the rule for its paths.

A path is relative, POSIX, and names the same file on every system: no drive, no backslash, no dot segment, no name that
Windows keeps for itself, and no two paths that differ in letter case or Unicode form only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.names import WINDOWS_RESERVED

Tree = Mapping[str, bytes]
"""File contents by relative POSIX path."""

MAX_PATH = 240
"""Characters of a path: with a short folder in front it stays below what Windows accepts by default (260)."""

MAX_PART = 240
"""Bytes of one part: below the 255 that file systems accept, with room for a temporary name."""

_FORBIDDEN = frozenset('\\:*?"<>|')


def path_problem(path: str) -> str | None:
    """Return why a path cannot be in a tree, or None when it can."""
    if not path or path.startswith("/"):
        return "it is empty or absolute"
    if len(path) > MAX_PATH:
        return f"it is longer than {MAX_PATH} characters"
    return next(filter(None, map(_part_problem, path.split("/"))), None)


def _part_problem(part: str) -> str | None:
    if part in ("", ".", ".."):
        return "it has an empty or dot segment"
    if any(character in _FORBIDDEN or unicodedata.category(character) in ("Cc", "Cs") for character in part):
        return "it has a character that some file system refuses"
    if len(part.encode("utf-8")) > MAX_PART:
        return f"a part of it is longer than {MAX_PART} bytes"
    if part.endswith((" ", ".")) or part.partition(".")[0].rstrip(" ").lower() in WINDOWS_RESERVED:
        return "Windows cannot hold a file of that name"
    return None


def problems(paths: Iterable[str]) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for every path that cannot be written, and for paths that would meet on some system."""
    found = []
    seen: dict[str, str] = {}
    for path in sorted(paths):
        if reason := path_problem(path):
            found.append(_refused(path, reason))
        for above in _above(_folded(path)):
            if seen.get(above, "folder") != "folder":
                found.append(_refused(path, "another path of the output is a file there"))
            seen.setdefault(above, "folder")
        folded = _folded(path)
        if folded in seen:
            found.append(_refused(path, "another path of the output differs from it in letter case only"))
        seen[folded] = path
    return tuple(found)


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


def _refused(path: str, reason: str) -> Diagnostic:
    return Diagnostic(
        rule=rule("unwritable-output"),
        message=f"`{path[:120]}` cannot be written: {reason}",
        hint="Rename the file in the source, or leave it out of `include`.",
        unit=path[:120],
    )


def folder_problem(folder: str) -> str | None:
    """Return why an output folder's name cannot be used; it may be absolute or lead upwards, as the user wishes."""
    parts = [part for part in folder.split("/") if part not in ("", ".", "..")]
    if not folder or "\0" in folder:
        return "it is empty or has a null character"
    return next(filter(None, map(_part_problem, parts)), None)
