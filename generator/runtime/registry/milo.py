"""Entries of Milo's registry: to and from the form in which both are kept, without what the other side lacks."""

from __future__ import annotations

import os
import shutil

from .contents import of_command
from .entries import Entry, altered, fingerprint
from .names import shown
from .problems import RegistryError, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MEMBERS = ("command", "description", "version", "project_root", "fingerprint", "installed_at")
"""What an entry of Milo's has, in its order."""


def exported(entry: Entry) -> dict[str, Any] | None:
    """Return the entry for Milo, None for a server it cannot start: it knows no URLs."""
    if entry.url is not None:
        return None
    record = {"description": "", "version": "", **entry.record}
    if not record.get("project_root") and entry.cwd:
        record["project_root"] = entry.cwd
    if record.get("project_root"):
        record["fingerprint"] = fingerprint(record["command"], record["project_root"])
    return {member: record[member] for member in MEMBERS if member in record}


def imported(name: str, record: object, search: str | None = None) -> dict[str, Any]:
    """Return an entry with an absolute command and a working folder, if it has a command; raises RegistryError.

    Milo starts a command wherever the gateway happens to run. `search` has the folders of programs; unless given, PATH.
    """
    if not isinstance(record, dict):
        raise failure("invalid-entry", f"{shown(name)} cannot be used: it is no object", "Correct the file.", name)
    if "url" in record:
        return record
    command = record.get("command")
    root = record.get("project_root")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise failure("invalid-entry", f"{shown(name)} has no list of texts as its command", "Correct the file.", name)
    exchanged = altered(name, record)
    if exchanged is not None:
        raise RegistryError(exchanged)
    folder = root if isinstance(root, str) and os.path.isabs(root) else None
    made = {**record, "command": [absolute(name, command[0], folder, search), *command[1:]], "transport": "stdio"}
    made.pop("fingerprint", None)  # of the command as it stood there
    if folder and "cwd" not in made:
        made["cwd"] = folder
    runs_in = made.get("cwd")
    pinned = of_command(made["command"], runs_in if isinstance(runs_in, str) else None) if "files" not in made else None
    return {**made, "files": pinned} if pinned else made


def absolute(name: str, program: str, folder: str | None, search: str | None = None) -> str:
    """Return the absolute path of a program as a shell in `folder` would find it; raises RegistryError."""
    found: str | None
    if os.path.isabs(program):
        return program
    if os.path.dirname(program):
        found = os.path.join(folder, program) if folder else None
        found = os.path.normpath(found) if found and os.path.isfile(found) else None
    else:
        found = shutil.which(program, path=search)
    if found is None:
        raise failure(
            "missing-program",
            f"{shown(name)} cannot be registered: its program {shown(program)} is not found",
            "Name the program by its absolute path.",
            name,
        )
    return os.path.abspath(found)
