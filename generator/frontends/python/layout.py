"""Where a module stands among its neighbours, and where it goes in the emitted package.

The carried files keep the tree they have: what is `ROOT/a/b.py` becomes `PACKAGE/a/b.py`, so relative imports and paths
built from `__file__` mean the same. ROOT is the module's folder, or, when the module is used as part of a package, the
folder above that package. Only when a name at the top of the tree is one that the emitted package needs itself does the
whole tree move down into the folder SOURCE.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from .import_statements import Import

SOURCE = "_source"
"""Folder of the emitted package that takes the carried tree when a name at its top is taken."""

TAKEN = frozenset(
    {
        "__init__",
        "__init__.py",
        "__main__",
        "__main__.py",
        "__version__",
        "__version__.py",
        "_runtime",
        "_runtime.py",
        "_views",
        "_views.py",
        "asgi",
        "asgi.py",
        "catalog.cache.jsonl",
        "catalog.json",
        "invoke",
        "py.typed",
        "registry-entry.json",
    }
)
"""Names at the top of an emitted package, in lower case: its files, and what its `__init__` defines."""

MAX_PACKAGE_DEPTH = 32
"""How many folders with an `__init__.py` may enclose a module; real packages have fewer than ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One input: `root` holds the tree, `entry` is the file or package folder, `name` the parts of its name.

    `folders` are where absolute imports of local modules are looked for, in order. `own_only` marks a root that is a
    folder of installed packages, where only the entry's own package is local.
    """

    root: Path
    entry: Path
    name: tuple[str, ...]
    folders: tuple[Path, ...]
    own_only: bool = False

    @property
    def top(self) -> str:
        """The first part of the entry's name."""
        return self.name[0]

    @property
    def is_package(self) -> bool:
        """Whether the input is a package folder."""
        return self.entry.is_dir()


def layout_of(entry: Path, imports: Iterable[Import] = ()) -> Layout:
    """Return the layout of a module file or a package folder; `imports` are those of the module.

    A file in a package folder counts as part of the package when it says so itself, by a relative import or by
    importing its own package; otherwise it is a module of its own, as `python FILE` sees it.
    """
    folder = entry.parent
    parts: tuple[str, ...] = (entry.name,) if entry.is_dir() else (entry.stem,)
    enclosing: tuple[str, ...] = ()
    root = folder
    while (root / "__init__.py").is_file() and len(enclosing) < MAX_PACKAGE_DEPTH:
        enclosing, root = (root.name, *enclosing), root.parent
    within = bool(enclosing) and (entry.is_dir() or any(one.level > 0 or one.top == enclosing[0] for one in imports))
    if not within:
        return Layout(root=folder, entry=entry, name=parts, folders=(folder,), own_only=_holds_installed(folder))
    own_only = _holds_installed(root)
    folders = (root,) if own_only or entry.is_dir() else (root, folder)
    return Layout(root=root, entry=entry, name=(*enclosing, *parts), folders=folders, own_only=own_only)


def _holds_installed(folder: Path) -> bool:
    """Return whether a folder is one of installed packages (or the standard library)."""
    if folder.name in {"site-packages", "dist-packages"} or (folder / "importlib" / "_bootstrap.py").is_file():
        return True
    return any(folder.glob("*.dist-info/METADATA"))


def importable(stem: str) -> str:
    """Return a file's stem as a module name: `my-tools` becomes `my_tools`, `2d` becomes `_2d`."""
    if stem.isidentifier() and not keyword.iskeyword(stem):
        return stem
    plain = re.sub(r"\W", "_", stem) or "module"
    return plain if plain.isidentifier() and not keyword.iskeyword(plain) else f"_{plain}"


def prefix_for(tops: Iterable[str]) -> tuple[str, ...]:
    """Return where the carried tree goes below the emitted package: at its top, or in SOURCE when a name is taken."""
    return (SOURCE,) if any(top.lower() in TAKEN for top in tops) else ()


def relative_name(place: tuple[str, ...]) -> str:
    """Return a place as an import target relative to the emitted package: `(a, b)` becomes `.a.b`."""
    return "." + ".".join(place)
