"""What is checked: a project folder that mcpgen wrote, a command, or the URL of a server that runs.

A folder counts as a server as soon as something in it says so (a lock, or a package with a runtime): then whatever is
broken in it is for the checks to tell, and only a folder that is none at all is refused.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..on_disk import resolved
from ..output import lock as lock_file
from ..runtime.registry.making import CATALOG_FILE, ENTRY_FILE, PACKAGE, PYTHON
from ..runtime.registry.problems import RegistryError
from ..runtime.registry.reading import read
from ..runtime.registry.secret_values import has_secret, is_secret_address
from .finding import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..output.lock import Lock
    from .finding import Kind

MAX_CATALOG_BYTES = 256 << 20
"""A catalog of an API with tens of thousands of operations has some tens of MiB."""

RUNTIME, STUB = "_runtime", "server.py"


class NoServerError(Exception):
    """There is nothing to check; the message says why, `hint` what to do."""

    def __init__(self, message: str, hint: str) -> None:
        """Keep both."""
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A folder that mcpgen wrote. What cannot be read is None, and `problems` says why, by the file's name."""

    folder: Path
    package: str
    catalog: dict[str, Any] | None
    entry: dict[str, Any] | None
    lock: Lock | None
    problems: Mapping[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """The package's folder."""
        return self.folder / self.package

    @property
    def name(self) -> str:
        """What the server calls itself."""
        server = (self.catalog or {}).get("server")
        name = server.get("name") if isinstance(server, dict) else None
        return name if isinstance(name, str) else self.folder.name

    def entries(self, kind: str) -> list[dict[str, Any]]:
        """Return the catalog's entries of a kind that have the form of entries."""
        found = (self.catalog or {}).get(kind) or []
        every = found if isinstance(found, list) else []
        return [each for each in every if isinstance(each, dict) and isinstance(each.get("definition"), dict)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One of the three kinds, with how it is started: `argv` (in `cwd`), or `url` with `headers`."""

    kind: Kind
    name: str
    argv: tuple[str, ...] = ()
    cwd: Path | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    project: Project | None = None
    python: str = ""


def of_command(argv: tuple[str, ...]) -> Subject:
    """Return the subject of `mcpgen verify -- CMD`."""
    return Subject(kind="command", name=shown(" ".join(argv), 60), argv=argv)


def of_url(url: str, headers: Mapping[str, str]) -> Subject:
    """Return the subject of `mcpgen verify --url URL`."""
    return Subject(kind="url", name=shown(url, 60), url=url, headers=headers)


def of_folder(folder: Path, python: str) -> Subject:
    """Return the subject of `mcpgen verify DIR`; raises NoServerError."""
    project = read_project(folder)
    return Subject(
        kind="project",
        name=project.name,
        argv=start_words(project, python),
        cwd=project.folder,
        project=project,
        python=python,
    )


def start_words(project: Project, python: str) -> tuple[str, ...]:
    """Return how a registry starts the server; the usual way where its entry cannot be read."""
    command = (project.entry or {}).get("command")
    usual = [PYTHON, "-I", "-S", f"{PACKAGE}/__main__.py"]
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        command = usual
    return tuple(each.replace(PYTHON, python).replace(PACKAGE, str(project.home)) for each in command)


def read_project(folder: Path) -> Project:
    """Read what a folder holds; raises NoServerError."""
    root = _root(folder)
    problems: dict[str, str] = {}
    try:
        lock = lock_file.read(root)
    except lock_file.LockProblem as problem:
        lock, problems[lock_file.LOCK_NAME] = None, problem.diagnostic.message
    package = _package(root, lock)
    if package is None:
        raise NoServerError(
            f"`{folder}` is no server that mcpgen built: no package with a {CATALOG_FILE} is in it",
            "Name the project folder that `mcpgen build` wrote, or a command after `--`.",
        )
    found = {name: _json(root / package / name, problems) for name in (CATALOG_FILE, ENTRY_FILE)}
    return Project(
        folder=root, package=package, catalog=found[CATALOG_FILE], entry=found[ENTRY_FILE], lock=lock, problems=problems
    )


def _no_folder(folder: Path, root: Path) -> tuple[str, str]:
    """Return what is wrong with a word that is no folder, and what to do."""
    if folder.parts[:1] in (("http:",), ("https:",)):
        return f"`{folder.parts[0]}…` is an address, and no folder", "Give an address with --url."
    if root.is_file():
        return f"`{folder}` is a file, and no project's folder", "Name the folder that `mcpgen build` made of it."
    return f"there is no folder `{folder}`", _registered(str(folder)) or "Look at the spelling and the working folder."


def _registered(name: str) -> str | None:
    """Return how a server is checked that the registry has under this name; None where it has none."""
    try:
        entry = read().entries.get(name)
    except RegistryError:
        return None
    if entry is None:
        return None
    words = ["--", *entry.command] if entry.url is None else ["--url", entry.url]
    words = [str(Path(entry.package).parent)] if entry.package is not None else words
    known = not has_secret(words) and not is_secret_address(entry.url or "")
    command = f": `{shlex.join(['mcpgen', 'verify', *words])}`" if known else ""
    return f"It is registered; name its folder, its command or its address{command}."


def _root(folder: Path) -> Path:
    try:
        root = resolved(folder)
        if root.name == STUB and root.is_file():
            return root.parent
        if not root.is_dir():
            raise NoServerError(*_no_folder(folder, root))
        return root.parent if (root / RUNTIME).is_dir() and (root / CATALOG_FILE).is_file() else root
    except (OSError, ValueError):
        raise NoServerError(f"`{folder}` cannot be read", "Look at the spelling and the permissions.") from None


def _package(root: Path, lock: Lock | None) -> str | None:
    """Return the package's name: the lock's, or the only folder that has a runtime or a catalog."""
    ending = f"/{CATALOG_FILE}"
    locked = [path.removesuffix(ending) for path in (lock.files if lock else ()) if path.endswith(ending)]
    plain = [path for path in locked if "/" not in path and (root / path).is_dir()]
    if plain:
        return plain[0]
    try:
        folders = sorted(each for each in root.iterdir() if each.is_dir() and each.name.isidentifier())
    except OSError:
        return None
    return next((each.name for each in folders if (each / RUNTIME).is_dir() or (each / CATALOG_FILE).is_file()), None)


def _json(path: Path, problems: dict[str, str]) -> dict[str, Any] | None:
    """Read a JSON object; None with a problem when it is none."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_CATALOG_BYTES + 1)
        if len(data) > MAX_CATALOG_BYTES:
            problems[path.name] = f"{path.name} is larger than {MAX_CATALOG_BYTES >> 20} MiB"
            return None
        value = json.loads(data)
    except FileNotFoundError:
        problems[path.name] = f"{path.name} is missing"
    except OSError as failure:
        problems[path.name] = f"{path.name} cannot be read: {failure.strerror}"
    except (ValueError, RecursionError) as failure:
        problems[path.name] = f"{path.name} is not JSON: {shown(str(failure), 120)}"
    else:
        if isinstance(value, dict):
            return value
        problems[path.name] = f"{path.name} is no JSON object"
    return None
