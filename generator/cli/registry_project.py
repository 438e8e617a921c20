"""Entries of projects: their packages, the interpreters that run them; and entries that are registered again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..frontends.python.environment import EnvironmentProblem, find_environment
from ..on_disk import is_file, is_folder
from ..request import OLDEST
from ..runtime.registry.contents import of_command
from ..runtime.registry.installing import named
from ..runtime.registry.making import ENTRY_FILE, Package, completed, package_entry
from ..runtime.registry.places import registry_path
from ..runtime.registry.problems import failure
from ..runtime.registry.reading import load
from ..runtime.registry.shape import problem as shape_problem
from ..runtime.registry.writing import find
from .launch import base_interpreter

if TYPE_CHECKING:
    from collections.abc import Collection


def project(place: str, name: str | None, python: str | None, allow_env: Collection[str]) -> tuple[str, dict[str, Any]]:
    """Return name and entry of the server in a folder; raises RegistryError."""
    package = found_package(place)
    wanted = named(name or package.name)
    return wanted, package_entry(package, wanted, *interpreter(package, python), allow_env)


def known(name: str, python: str | None, allow_env: Collection[str]) -> tuple[str, dict[str, Any]] | None:
    """Return the entry of a server that is registered, with the digests of today; None for a name that is not.

    A folder of the name is meant instead when it holds a server. Raises RegistryError.
    """
    record = find(load(registry_path()), name)
    if not isinstance(record, dict) or _has_package(Path(name)):
        return None
    if isinstance(record.get("package"), str):
        return name, project(record["package"], name, python, allow_env)[1]
    pinned = (
        of_command(record["command"], record.get("cwd"))
        if shape_problem(record) is None and "command" in record
        else None
    )
    return name, completed(name, {**record, **({"files": pinned} if pinned else {})}, allow_env)


def _has_package(folder: Path) -> bool:
    return is_folder(folder) and (is_file(folder / ENTRY_FILE) or any(folder.glob(f"*/{ENTRY_FILE}")))


def found_package(place: str) -> Package:
    """Return the package in a folder, or in the folder of its project; raises RegistryError."""
    folder = Path(place)
    if is_file(folder / ENTRY_FILE):
        return Package(str(folder))
    inside = sorted(path.parent for path in folder.glob(f"*/{ENTRY_FILE}")) if is_folder(folder) else []
    if len(inside) == 1:
        return Package(str(inside[0]))
    if inside:
        names = ", ".join(f"`{each}`" for each in inside[:5])
        raise failure("invalid-entry", f"`{place}` holds several servers", f"Name one of {names}.")
    what = "holds no server that was built by mcpgen" if is_folder(folder) else "is no folder"
    raise failure(
        "invalid-entry",
        f"`{place}` {what}",
        "Name the folder that `mcpgen build` wrote; any other server is added with --command or --url.",
    )


def interpreter(package: Package, environment_name: str | None) -> tuple[str, str]:
    """Return the interpreter that is to run a package, and its version; raises RegistryError.

    It is the one of the environment that is named or found beside the package where the server imports what is
    installed there; any other server gets the one that outlives virtual environments.
    """
    if environment_name is None and not package.needs_site:
        return base_interpreter(), _dotted(sys.version_info[:3])
    try:
        environment = find_environment(Path(package.folder), environment_name)
    except EnvironmentProblem as problem:
        raise failure("invalid-entry", str(problem), "Name a virtual environment or an interpreter.") from None
    if environment.executable is None or environment.version < OLDEST:
        raise failure(
            "invalid-entry",
            f"the environment has no Python {_dotted(OLDEST)} or newer",
            "Name another one with --python.",
        )
    return str(environment.executable), _dotted(environment.version)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
