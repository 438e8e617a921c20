"""`--mcp-install` and `--mcp-uninstall` of a generated server: its entry in the registry of whoever runs it."""

from __future__ import annotations

import os
import sys

from .making import Package, package_entry
from .names import is_name, shown
from .places import registry_path
from .problems import failure
from .registering import Change, register, unregister

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = "a letter, then a-z, 0-9, `_` and `-`, 63 characters at most."
RENAME = f"Give it another one with `--name`: {NAMES}"

WORDS = {
    "added": "registered {names} in {path}",
    "replaced": "registered {names} anew in {path}",
    "unchanged": "{names} is registered in {path} as it is",
    "removed": "removed {names} from {path}",
    "absent": "{names} is not registered in {path}",
    "foreign": "{names} in {path} is another server; it stays as it is",
}


def install(folder: str, name: str | None = None) -> str:
    """Register the package in a folder, under its own name unless one is given; returns a line that says so.

    Raises RegistryError, also where another server has the name.
    """
    package = Package(folder)
    wanted = named(name or package.name)
    path = registry_path()
    done = register(path, wanted, package_entry(package, wanted, interpreter(package), python_version()))
    return told(done, wanted)


def uninstall(folder: str, name: str | None = None) -> str:
    """Remove the package's entries, or only the one of a name; returns a line that says so. Raises RegistryError."""
    package = Package(folder)
    path = registry_path()
    wanted = name or package.name
    others: list[str] = []

    def ours(entry: str, record: Any) -> bool:
        mine = isinstance(record, dict) and record.get("package") == package.folder
        if not mine and entry == wanted:
            others.append(entry)
        return mine and name in (None, entry)

    done = unregister(path, ours)
    if others and not done.names:
        done.what = "foreign"
    return told(done, wanted)


def told(done: Change, name: str) -> str:
    """Return a line that says what was changed."""
    names = ", ".join(map(shown, done.names)) or shown(name)
    return WORDS[done.what].format(names=names, path=done.path)


def named(name: str) -> str:
    """Return a name that an entry may have; raises RegistryError."""
    if is_name(name):
        return name
    raise failure(
        "invalid-entry",
        f"{shown(name)} cannot be the name of an entry",
        RENAME,
        name,
    )


def interpreter(package: Package) -> str:
    """Return the interpreter that is to run a package: this one where it needs what is installed beside it.

    Any other needs only the standard library, and its entry outlives the virtual environment that it was made in.
    """
    own = sys.executable
    kept = own if package.needs_site else getattr(sys, "_base_executable", None) or own
    if not kept or not os.path.isabs(kept):
        raise failure("invalid-entry", "this Python does not know where it is", "Run the server with another Python.")
    return str(kept)


def python_version() -> str:
    """Return the version of the running Python."""
    return ".".join(map(str, sys.version_info[:3]))
