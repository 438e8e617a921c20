"""Which modules are local to the input, and where each of them is carried.

A name is local when a module or package of that name stands in one of the layout's folders, as Python would find it
there: a local module wins over an installed one, and over one of the standard library that Python has not loaded at
start. A folder without `__init__.py` (a namespace package) is local only when nothing else has the name.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .layout import Layout, importable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .import_statements import Import

LOADED_AT_START = frozenset(sys.builtin_module_names) | {
    "_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "io", "ntpath", "os", "posixpath",
    "site", "stat", "zipimport",
}  # fmt: skip
"""Standard modules that Python has loaded before it searches a script's folder, so no neighbour stands for them."""

NEVER_LOCAL = frozenset({"mcpgen", "__future__", "__main__"})
"""`mcpgen` is provided by the runtime; the others are not files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModule:
    """A module of the carried tree: its file (None for a namespace folder) and its parts below the tree's root."""

    file: Path | None
    place: tuple[str, ...]
    is_package: bool

    @property
    def package(self) -> tuple[str, ...]:
        """The place that a single dot means inside the module."""
        return self.place if self.is_package else self.place[:-1]

    @property
    def path(self) -> str:
        """Where its file goes, below the tree's root, with forward slashes."""
        return "/".join((*self.place, "__init__.py")) if self.is_package else "/".join(self.place) + ".py"


class LocalModules:
    """Finds local modules by name; `search` are the environment's folders, looked at only for namespace packages."""

    def __init__(self, layout: Layout, search: Sequence[Path] = ()) -> None:
        self._layout = layout
        self._search = tuple(search)
        self._inside = layout.root.resolve()
        self._found: dict[tuple[str, ...], LocalModule | None] = {}
        self._tops: dict[str, LocalModule | None] = {}
        self.links_out: list[Path] = []

    @property
    def tops(self) -> dict[str, tuple[str, ...]]:
        """The top-level names met so far that are local, with their places."""
        return {name: module.place for name, module in self._tops.items() if module is not None}

    def entry(self) -> LocalModule:
        """Return the input itself."""
        layout = self._layout
        if layout.is_package:
            init = layout.entry / "__init__.py"
            return LocalModule(file=init if init.is_file() else None, place=layout.name, is_package=True)
        return LocalModule(file=layout.entry, place=(*layout.name[:-1], importable(layout.name[-1])), is_package=False)

    def top(self, name: str) -> LocalModule | None:
        """Return the local module of a top-level name, or None when the name is not local."""
        if name not in self._tops:
            self._tops[name] = self._find_top(name)
        return self._tops[name]

    def at(self, place: tuple[str, ...]) -> LocalModule | None:
        """Return the local module at a place below the root; `()` is the root itself, a namespace."""
        if not place:
            return LocalModule(file=None, place=(), is_package=True)
        if place not in self._found:
            self._found[place] = self._look(self._layout.root.joinpath(*place[:-1]), place)
        return self._found[place]

    def _find_top(self, name: str) -> LocalModule | None:
        if name in NEVER_LOCAL or name in LOADED_AT_START:
            return None
        if self._layout.own_only and name != self._layout.top:
            return None
        if (name,) == self._layout.name and name in sys.stdlib_module_names:
            return None  # a module called `statistics` that imports statistics means the standard one
        for folder in self._layout.folders:
            place = (*folder.relative_to(self._layout.root).parts, name)
            module = self.at(place)
            if module is not None and (module.file is not None or not self._elsewhere(name)):
                return module
        return None

    def _look(self, folder: Path, place: tuple[str, ...]) -> LocalModule | None:
        """Return what stands in a folder under the last part of `place`, in the order of Python's own finder."""
        name = place[-1]
        init, file = folder / name / "__init__.py", folder / f"{name}.py"
        if init.is_file():
            return self._contained(init, place, is_package=True)
        if file.is_file():
            return self._contained(file, place, is_package=False)
        if (folder / name).is_dir() and name.isidentifier() and _holds_python(folder / name):
            return LocalModule(file=None, place=place, is_package=True)
        return None

    def _contained(self, file: Path, place: tuple[str, ...], *, is_package: bool) -> LocalModule | None:
        """Return the module unless its file is reached by a link that leads out of the root."""
        if file != self._layout.entry and not file.resolve().is_relative_to(self._inside):
            self.links_out.append(file)
            return None
        return LocalModule(file=file, place=place, is_package=is_package)

    def _elsewhere(self, name: str) -> bool:
        """Return whether the standard library or the environment has a module of this name."""
        if name in sys.stdlib_module_names:
            return True
        return any(
            (folder / f"{name}.py").is_file()
            or (folder / name / "__init__.py").is_file()
            or any(folder.glob(f"{name}.*.so"))
            for folder in self._search
            if folder not in self._layout.folders
        )


def _holds_python(folder: Path) -> bool:
    """Return whether a folder has a module in it or in a folder directly below."""
    return any(folder.glob("*.py")) or any(folder.glob("*/*.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """Where one import leads: local modules in the order Python loads them, or what is missing."""

    modules: tuple[LocalModule, ...] = ()
    missing: str | None = None
    is_local: bool = False


def follow(one: Import, importer: LocalModule, modules: LocalModules) -> Followed:
    """Return the local modules an import loads; `missing` names a module that should be local and is not there."""
    start = _start(one, importer, modules)
    if isinstance(start, Followed):
        return start
    found: list[LocalModule] = []
    place = start
    steps = (one.module if one.level else one.module.partition(".")[2]).split(".")
    for part in (part for part in steps if part):
        place = (*place, part)
        module = modules.at(place)
        if module is None:
            return Followed(modules=_chain(start, found, modules), missing=".".join(place), is_local=True)
        found.append(module)
    last = modules.at(place)
    missing = None
    for name in one.names:
        member = modules.at((*place, name)) if last is not None and last.is_package and name != "*" else None
        if member is not None:
            found.append(member)
        elif last is not None and last.file is None and name != "*":
            missing = ".".join((*place, name))  # a namespace folder defines nothing, so the name must be a module
    return Followed(modules=_chain(start, found, modules), missing=missing, is_local=True)


def _start(one: Import, importer: LocalModule, modules: LocalModules) -> tuple[str, ...] | Followed:
    """Return the place an import starts from, or the outcome when it is not local or leaves the tree."""
    if not one.level:
        top = modules.top(one.top)
        return Followed() if top is None else top.place
    up = one.level - 1
    # One dot in a module at the top of the tree is its folder, which the emitted package becomes; more lead out of it.
    if up and up >= len(importer.package):
        return Followed(missing="." * one.level + one.module, is_local=True)
    return importer.package[: len(importer.package) - up]


def _chain(start: tuple[str, ...], found: list[LocalModule], modules: LocalModules) -> tuple[LocalModule, ...]:
    """Return the packages above the start, the start and what was found below it, each with a file."""
    above = (modules.at(start[:length]) for length in range(1, len(start) + 1))
    return tuple(module for module in (*above, *found) if module is not None and module.file is not None)
