"""Reading a registry: a bad entry costs only itself, a file that cannot be trusted or understood costs all of it.

Nothing is ever reset: a file that cannot be read is copied aside and left where it is, so that no later write loses
what a person could still mend.
"""

from __future__ import annotations

import os

from .entries import Entry, entries_of
from .file_access import read_bytes
from .file_text import MAX_BYTES, SUPPORTED, BrokenTextError, UnknownVersionError, empty, parse
from .places import registry_path
from .problems import Problem, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

MOST_COPIES = 100
"""Copies of different broken contents that are kept beside one file."""


class Registry:
    """What a file has: `entries` that can be used, by name, and `problems` of those that cannot."""

    __slots__ = ("entries", "path", "problems")

    def __init__(self, path: str, entries: dict[str, Entry], problems: tuple[Problem, ...]) -> None:
        self.path = path
        self.entries = entries
        self.problems = problems


NO_REGISTRY = "Name a registry of mcpgen or of Milo; a server of a host's settings is added with `mcpgen registry add`."
"""What to do about a file to be imported that is none."""


def read(path: str | None = None, *, allow_env: Collection[str] = ()) -> Registry:
    """Read a registry, the user's unless a path is given; a file that does not exist has no entries.

    `allow_env` names environment variables that entries may have although programs obey them. Raises RegistryError.
    """
    place = registry_path() if path is None else path
    entries, problems = entries_of(load(place), allow_env)
    return Registry(place, entries, problems)


def load(path: str, *, ours: bool = True) -> dict[str, Any]:
    """Return the document of a file, an empty one where there is none; raises RegistryError.

    Beside a file that is not `ours` nothing is written: it may be anything.
    """
    data = read_bytes(path)
    if data is None:
        return empty()
    try:
        return parse(data)
    except UnknownVersionError as version:
        known = ", ".join(map(str, SUPPORTED))
        raise failure(
            "unknown-registry-version",
            f"the registry `{path}` is of version {version}; supported: {known}",
            "Use the mcpgen that wrote it, or name another file in MCPGEN_REGISTRY.",
        ) from None
    except BrokenTextError as reason:
        if not ours:
            raise failure("broken-registry", f"`{path}` is no registry: {reason}", NO_REGISTRY) from None
        copy = set_aside(path, data) if len(data) <= MAX_BYTES else None
        kept = f"; a copy is kept in `{copy}`" if copy else ""
        raise failure(
            "broken-registry",
            f"the registry `{path}` cannot be used: {reason}{kept}",
            "Correct the file, or move it away and register the servers again.",
        ) from None


def set_aside(path: str, data: bytes) -> str | None:
    """Copy broken bytes to `PATH.corrupt-N`, once for each content; returns the copy's path, None if there is none."""
    for number in range(1, MOST_COPIES + 1):
        copy = f"{path}.corrupt-{number}"
        try:
            descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            if _holds(copy, data):
                return copy
            continue
        except OSError:
            return None  # the folder cannot be written; the file itself is still there
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        return copy
    return None


def _holds(path: str, data: bytes) -> bool:
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as stream:
            return stream.read(len(data) + 1) == data
    except OSError:
        return False
