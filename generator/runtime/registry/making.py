"""Making an entry of a generated package, a command or a URL: everything absolute, with the digests of today (B15)."""

from __future__ import annotations

import json
import os
import stat
import time

from . import contents
from .entries import fingerprint, problem
from .problems import RegistryError, failure
from .shape import MAX_NAMED, is_absolute, is_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

MAX_BYTES = 64 << 20
"""A catalog of more than 64 MiB is not ours: the largest API known makes 12."""

ENTRY_FILE = "registry-entry.json"
CATALOG_FILE = "catalog.json"
PYTHON = "${python}"
"""Stands in an entry for the interpreter that the package is installed in."""

PACKAGE = "${package}"
"""Stands in an entry for the folder of the package."""

BROKEN = "Build the server again: `mcpgen build`."


class Package:
    """A generated package on disk: its folder, what its registry entry says and what its catalog says."""

    __slots__ = ("catalog", "entry", "folder")

    def __init__(self, folder: str) -> None:
        """Read a package; raises RegistryError when the folder holds none."""
        self.folder = os.path.abspath(folder)
        self.entry = _read(os.path.join(self.folder, ENTRY_FILE))
        self.catalog = _read(os.path.join(self.folder, CATALOG_FILE))
        if self.entry.get("format") != 1 or not _starts(self.entry.get("command")):
            raise _broken(os.path.join(self.folder, ENTRY_FILE), "it is of another version")

    @property
    def name(self) -> str:
        """The server's own name."""
        return str(self.entry.get("name"))

    @property
    def needs_site(self) -> bool:
        """Whether it imports what has to be installed."""
        return bool(self.catalog.get("needs_site"))

    @property
    def project(self) -> str:
        """The project's folder where the package is in one, else the package's own."""
        above = os.path.dirname(self.folder)
        return above if os.path.isfile(os.path.join(above, "mcpgen.lock")) else self.folder

    def files(self) -> str:
        """Return the digest of its files as they are now; raises OSError or RegistryError."""
        written = self.entry.get("written")
        return contents.of_package(self.folder, [str(each) for each in written] if isinstance(written, list) else ())


def package_entry(
    package: Package, name: str, python: str, version: str, allow_env: Collection[str] = ()
) -> dict[str, Any]:
    """Return the entry of a package that `python`, of this version, is to run; raises RegistryError."""
    said = package.entry
    places = {PYTHON: python, PACKAGE: package.folder}
    try:
        files = package.files()
    except OSError as reason:
        raise _broken(package.folder, reason.strerror or "it cannot be read") from None
    record = {
        "command": [_placed(str(word), places) for word in said["command"]],
        "description": said.get("description", ""),
        "version": said.get("version", ""),
        "cwd": package.project,
        "transport": "stdio",
        "env": said.get("env", []),
        "package": package.folder,
        "digest": said.get("digest"),
        "files": files,
        "tools": tools_of(package.catalog, said.get("tools", 0)),
        "python": version,
        "runtime": str(package.catalog.get("runtime", "")),
        "project_root": package.project,
    }
    return completed(name, record, allow_env)


def command_entry(
    name: str, words: Sequence[str], cwd: str, env: list[str] | dict[str, str | None], allow_env: Collection[str] = ()
) -> dict[str, Any]:
    """Return the entry of a command whose first word is an absolute path; raises RegistryError."""
    record: dict[str, Any] = {
        "command": list(words),
        "description": "",
        "version": "",
        "cwd": cwd,
        "transport": "stdio",
        "env": env,
        "project_root": cwd,
    }
    pinned = contents.of_command(words, cwd) if is_absolute(words[0]) else None
    return completed(name, {**record, **({"files": pinned} if pinned else {})}, allow_env)


def url_entry(name: str, url: str, headers: dict[str, str]) -> dict[str, Any]:
    """Return the entry of a server that is reached by a URL; raises RegistryError."""
    record: dict[str, Any] = {"url": url, "description": "", "version": "", "transport": "http"}
    return completed(name, {**record, **({"headers": headers} if headers else {})})


def completed(name: str, record: dict[str, Any], allow_env: Collection[str] = ()) -> dict[str, Any]:
    """Return an entry with what every new one has; raises RegistryError for one that could not be used."""
    made = dict(record)
    if "command" in made and made.get("project_root"):
        made["fingerprint"] = fingerprint(made["command"], made["project_root"])
    made["installed_at"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    found = problem(name, made, allow_env)
    if found is not None:
        raise RegistryError(found)
    return made


def _starts(command: object) -> bool:
    """Tell whether a command runs the package, and nothing else that the file might name."""
    if not isinstance(command, list) or len(command) < 2 or not all(is_text(word) for word in command):
        return False
    return command[0] == PYTHON and f"{PACKAGE}/__main__.py" in command


def _placed(word: str, places: dict[str, str]) -> str:
    for placeholder, path in places.items():
        if word == placeholder:
            return path
        if word.startswith(f"{placeholder}/"):
            return os.path.join(path, *word.split("/")[1:])
    return word


def tools_of(catalog: dict[str, Any], count: object) -> dict[str, Any]:
    """Return what an entry says of a package's tools: how many, and the names of the first."""
    try:
        names = [str(tool["definition"]["name"]) for tool in catalog.get("tools", ())]
    except (TypeError, KeyError):
        names = []
    return {"count": count if isinstance(count, int) else len(names), "names": names[:MAX_NAMED]}


def _read(path: str) -> dict[str, Any]:
    try:
        found = json.loads(_bytes(path))
    except FileNotFoundError:
        raise _broken(path, "there is no such file") from None
    except OSError as reason:
        raise _broken(path, reason.strerror or "it cannot be read") from None
    except (ValueError, RecursionError):
        raise _broken(path, "it is not JSON") from None
    if not isinstance(found, dict):
        raise _broken(path, "it is no object")
    return found


def _bytes(path: str) -> bytes:
    """Return a file's bytes; raises RegistryError for what is no file, or is too large to be ours."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _broken(path, "it is no ordinary file")
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _broken(path, f"it is larger than {MAX_BYTES >> 20} MiB")
    return data


def _broken(path: str, reason: str) -> RegistryError:
    return failure("invalid-entry", f"`{path}` is not of a generated server: {reason}", BROKEN)
