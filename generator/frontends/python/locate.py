"""Finding the file of a module by name, importing nothing: a walk over folders, part by part.

Stubs come first: a `.pyi` beside the source, then a `<package>-stubs` folder, then the source itself. Each folder is
listed once. `importlib.util.find_spec("a.b")` is not used because it imports `a`.
"""

from __future__ import annotations

import importlib.machinery
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STANDARD_FILES = frozenset({"abc.py", "os.py", "site.py"})
_INSTALLED = frozenset({"dist-packages", "site-packages"})
_EXTENSIONS = (*importlib.machinery.EXTENSION_SUFFIXES, ".pyd", ".so")


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where a module is: `path` is None for namespace packages and extensions, `folders` is where its parts are."""

    name: str
    path: str | None
    is_package: bool = False
    is_stub: bool = False
    is_extension: bool = False
    folders: tuple[str, ...] = ()


def is_installed(path: str) -> bool:
    """Whether a file was installed into an environment."""
    return not _INSTALLED.isdisjoint(path.replace("\\", "/").split("/"))


class Locator:
    """Looks modules up in a fixed list of folders."""

    __slots__ = ("_found", "_listings", "_paths")

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = tuple(paths)
        self._listings: dict[str, frozenset[str]] = {}
        self._found: dict[str, Location | None] = {}

    def is_standard(self, path: str) -> bool:
        """Whether a file is the standard library's: it lies below the folder that has these files, no installation."""
        folders = (folder for folder in self._paths if self._listing(folder) >= _STANDARD_FILES)
        below = any(path.startswith(_join(folder, "")) for folder in folders)
        return below and not is_installed(path)

    def find(self, name: str) -> Location | None:
        """Where the module of this absolute name is, or None."""
        if name not in self._found:
            parent, _, part = name.rpartition(".")
            if parent:
                above = self.find(parent)
                self._found[name] = self._in_folders(name, part, above.folders) if above else None
            else:
                self._found[name] = self._top(part)
        return self._found[name]

    def importable(self, name: str) -> bool:
        """Whether an import of this module would find it: in the folders or inside the interpreter."""
        top = name.partition(".")[0]
        return self.find(name) is not None or (top in sys.stdlib_module_names and top == name)

    def _top(self, part: str) -> Location | None:
        found = self._in_folders(part, part, self._paths)
        if found is None or not found.is_stub:
            stubs = self._in_folders(part, f"{part}-stubs", self._paths)
            if stubs is not None and stubs.is_package:
                folders = stubs.folders + (found.folders if found else ())
                return Location(name=part, path=stubs.path, is_package=True, is_stub=True, folders=folders)
        return found

    def _in_folders(self, name: str, part: str, folders: Sequence[str]) -> Location | None:
        portions: list[str] = []
        for folder in folders:
            entries = self._listing(folder)
            if part in entries:
                inner = _join(folder, part)  # strings: this runs for every part of every import
                package = self._package(name, inner)
                if package is not None:
                    return package
                if self._listing(inner):
                    portions.append(inner)
            module = self._file(name, part, folder, entries)
            if module is not None:
                return module
        return Location(name=name, path=None, is_package=True, folders=tuple(portions)) if portions else None

    def _package(self, name: str, folder: str) -> Location | None:
        entries = self._listing(folder)
        for file, is_stub in (("__init__.pyi", True), ("__init__.py", False)):
            if file in entries:
                path = _join(folder, file)  # as above
                return Location(name=name, path=path, is_package=True, is_stub=is_stub, folders=(folder,))
        return None

    def _file(self, name: str, part: str, folder: str, entries: frozenset[str]) -> Location | None:
        for suffix, is_stub in ((".pyi", True), (".py", False)):
            if part + suffix in entries:
                return Location(name=name, path=_join(folder, part + suffix), is_stub=is_stub)  # as above
        if any(part + suffix in entries for suffix in _EXTENSIONS):
            return Location(name=name, path=None, is_extension=True)
        return None

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))  # noqa: PTH208 # strings all the way, see _join  # as above
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, name)  # noqa: PTH118 # Path objects would cost more than the look-ups: this runs for every import
