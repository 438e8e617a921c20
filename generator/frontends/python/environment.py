"""The Python installation in which a source's imports are looked up (decision 5), found without running it.

A virtual environment says in `pyvenv.cfg` where it comes from, so its folders are computed. Only an interpreter that
the user names and that is no virtual environment is asked, once, in a bounded child process.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from ...on_disk import is_file, is_folder, is_there
from .interpreter import InterpreterProblem, ask
from .search_paths import search_paths, site_packages

MAX_PARENTS = 8
"""How many folders above the source are searched for a `.venv`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Where modules are found: folders in order, the version and platform to read for, a name for messages.

    `executable` is the interpreter that imports from these folders; None when there is none at hand. It is never
    resolved: a virtual environment's interpreter is a link, and where it stands is what makes it one. `own` says that
    nobody named or activated the environment: it is the one mcpgen was installed in.
    """

    paths: tuple[Path, ...]
    version: tuple[int, int, int] = sys.version_info[:3]
    platform: str = sys.platform
    label: str = "mcpgen's own environment"
    executable: Path | None = None
    own: bool = False

    def recorded(self) -> dict[str, str]:
        """Return what the lock keeps of it: nothing that differs between two machines with the same installation."""
        return {"python": f"{self.version[0]}.{self.version[1]}", "platform": self.platform}


class EnvironmentProblem(Exception):
    """The environment named by the user cannot be used; the message says why."""


def find_environment(source: Path, named: str | None = None) -> Environment:
    """Return the environment for a source: `named`, else VIRTUAL_ENV, else a `.venv` near the source, else our own.

    Raises EnvironmentProblem for a `named` one that cannot be read; the others are passed over.
    """
    if named is not None:
        return _named(Path(named).expanduser())
    active = os.environ.get("VIRTUAL_ENV")
    folders = [(Path(active), "VIRTUAL_ENV")] if active else []
    start = source.absolute()
    folders += [(folder / ".venv", ".venv") for folder in (start, *start.parents)[: MAX_PARENTS + 1]]
    for folder, label in folders:
        found = _virtual(folder, label)
        if found is not None:
            return found
    return own_environment()


def own_environment() -> Environment:
    """Return the installation that runs mcpgen; folders that come from the working directory or a variable stay out."""
    installed = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    installed += [entry for entry in sys.path if Path(entry).name in {"site-packages", "dist-packages"}]
    paths = [*search_paths((), Path(sys.prefix)), *installed]
    folders = tuple(Path(path) for path in dict.fromkeys(paths) if Path(path).is_dir())
    return Environment(paths=folders, executable=Path(sys.executable) if sys.executable else None, own=True)


def _named(path: Path) -> Environment:
    """Read the environment or interpreter the user named."""
    if not is_there(path):
        message = f"there is no environment or interpreter at {path}"
        raise EnvironmentProblem(message)
    if is_folder(path):
        found = _virtual(path, path.name) or _virtual(path / ".venv", ".venv")
        if found is not None:
            return found
        path = next((path / part for part in ("bin/python3", "bin/python", "python.exe") if is_file(path / part)), path)
    elif is_file(path.parent.parent / "pyvenv.cfg"):
        found = _virtual(path.parent.parent, path.parent.parent.name)
        if found is not None:
            return found
    try:
        answer = ask(path)
    except InterpreterProblem as problem:
        raise EnvironmentProblem(str(problem)) from None
    return Environment(
        paths=answer.paths,
        version=answer.version,
        platform=answer.platform,
        label=path.name,
        executable=_absolute(path),
    )


def _virtual(folder: Path, label: str) -> Environment | None:
    """Return a virtual environment from its `pyvenv.cfg`; None when it is none or has no standard library."""
    settings = _settings(folder / "pyvenv.cfg")
    version = _version(settings)
    if version is None:
        return None
    library = _standard_library(Path(settings.get("home", "")), version)
    if library is None or not site_packages(folder):
        return None
    base = [library, library / "lib-dynload"]
    if settings.get("include-system-site-packages", "").lower() == "true":
        base.append(library / "site-packages")
    ours = set(search_paths(()))  # the standard library of this interpreter, which may be of another version
    paths = [*base, *(Path(path) for path in search_paths((), folder) if path not in ours)]
    return Environment(
        paths=tuple(path for path in dict.fromkeys(paths) if is_folder(path)),
        version=version,
        label=label,
        executable=_interpreter(folder),
    )


def _interpreter(folder: Path) -> Path | None:
    """Return the interpreter of a virtual environment."""
    candidates = (folder / part for part in ("bin/python", "bin/python3", "Scripts/python.exe"))
    return next((_absolute(each) for each in candidates if is_file(each)), None)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - links are kept, see Environment


def _settings(path: Path) -> dict[str, str]:
    """Read `key = value` lines; an absent file has none."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _version(settings: dict[str, str]) -> tuple[int, int, int] | None:
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", settings.get("version") or settings.get("version_info") or "")
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def _standard_library(home: Path, version: tuple[int, int, int]) -> Path | None:
    """Return the standard library of the installation with executables in `home`; ours for the same version."""
    name = f"python{version[0]}.{version[1]}"
    candidates = [home.parent / "lib" / name, home.parent / "lib64" / name, home.parent / "Lib", home / "Lib"]
    if version[:2] == sys.version_info[:2]:
        candidates.append(Path(sysconfig.get_path("stdlib")))
    return next((each for each in candidates if (each / "os.py").is_file()), None)
