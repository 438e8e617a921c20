"""What the user named: a module file, a package folder, the dotted name of something installed; never imported."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...on_disk import is_file, is_folder, is_link, is_there
from .import_statements import imports_of
from .layout import layout_of
from .locate import Locator
from .source import SourceProblem, SourceText, read_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from .environment import Environment
    from .layout import Layout

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The module to serve: its source, its dotted name, where else modules are looked up, how paths are shown.

    `path` is the file or package folder; `linked` says that it was named as something installed.
    """

    source: SourceText
    path: Path
    module: str
    search: tuple[str, ...]
    shown: Callable[[Path], str]
    linked: bool = False


def find_entry(source: str, environment: Environment) -> Entry:
    """Find and read what the user named; raise SourceProblem."""
    path = Path(source)
    if is_there(path):
        return _from_path(path, environment)
    if not is_link(path) and _DOTTED.fullmatch(source) and path.suffix != ".py":
        return _from_name(source, environment)
    if is_link(path):
        hint = "Name the file itself, or mend the link."
        raise _unreadable(f"`{source[:200]}` is a link that leads to nothing", hint=hint)
    raise _unreadable(f"there is no file `{source[:200]}`", hint=_near_hint(path))


def _from_path(given: Path, environment: Environment) -> Entry:
    """Read a file, or the `__init__.py` of a folder."""
    if given.name in {"__init__.py", "__init__.pyi"}:
        given = given.parent if given.parent.name else Path(os.path.relpath(given.resolve().parent))
    file = given / "__init__.py" if is_folder(given) else given
    if is_folder(given) and not os.access(given, os.X_OK):
        raise _unreadable(f"the folder `{given}` cannot be looked into: permission denied")
    if is_folder(given) and not is_file(file):
        hint = "Name a module file in it, or give the folder an `__init__.py`."
        raise _unreadable(f"the folder `{given}` is not a package: it has no `__init__.py`", hint=hint)
    path = Path(os.path.abspath(given))  # noqa: PTH100 - links are kept: the module is what the user named
    text = read_source(file, shown=file.as_posix(), module=path.stem)
    layout = layout_of(path, imports_of(text.tree))
    name = ".".join(layout.name)
    located = _named(text, name)
    folders = [str(folder) for folder in layout.folders]
    search = tuple(dict.fromkeys([*folders, *(str(folder) for folder in environment.paths)]))
    base = _shown_base(given, path, layout)
    return Entry(source=located, path=path, module=name, search=search, shown=_shower(layout.root, base, environment))


def _shown_base(given: Path, path: Path, layout: Layout) -> str:
    """Return how the root of the layout is written, seen from where the user named the source."""
    above = len(path.relative_to(layout.root).parts)
    base = given
    for _ in range(above):
        base = base.parent if base.name not in ("", "..") else base / ".."
    return base.as_posix()


def _from_name(name: str, environment: Environment) -> Entry:
    """Read an installed module."""
    search = tuple(str(folder) for folder in environment.paths)
    location = Locator(search).find(name)
    if location is None:
        near = f"{name.replace('.', '/')}.py"
        hint = f"Name a file (`{near[:200]}`), or with --python the environment in which it is installed."
        message = f"there is no file and no module called `{name[:200]}` in {environment.label}"
        raise _unreadable(message, hint=hint)
    file = Path(location.path).with_suffix(".py") if location.path is not None else None
    if file is None or not file.is_file():
        file = next((found for found in (_beside(folder, name) for folder in search) if found is not None), None)
    if file is None:
        hint = "Serve it by settings: [tool.mcpgen.tools.NAME] with `target` and `input_schema`."
        raise _unreadable(f"the module `{name[:200]}` has no Python source that can be read", hint=hint)
    shown = _shower(None, ".", environment)
    path = file.parent if file.stem == "__init__" else file
    text = read_source(file, shown=shown(file), module=name)
    return Entry(source=text, path=path, module=name, search=search, shown=shown, linked=True)


def _beside(folder: str, name: str) -> Path | None:
    """Return the source of a module whose types are in a stub package elsewhere."""
    base = Path(folder, *name.split("."))
    return next((each for each in (base / "__init__.py", base.with_suffix(".py")) if each.is_file()), None)


def _named(text: SourceText, name: str) -> SourceText:
    from dataclasses import replace

    return text if text.module == name else replace(text, module=name)


def _shower(root: Path | None, base: str, environment: Environment) -> Callable[[Path], str]:
    """Return how paths are shown: below the source as the user wrote it, else below the folder it is installed in."""

    def shown(path: Path) -> str:
        if root is not None and path.is_relative_to(root):
            below = path.relative_to(root).as_posix()
            return below if base in (".", "") else f"{base}/{below}"
        holders = [folder for folder in environment.paths if path.is_relative_to(folder)]
        deepest = max(holders, key=lambda folder: len(folder.parts), default=None)
        return path.relative_to(deepest).as_posix() if deepest is not None else path.as_posix()

    return shown


def _near_hint(path: Path) -> str | None:
    """Return the name that was probably meant: a file of nearly this name in the same folder."""
    try:
        beside = sorted(each.name for each in path.parent.iterdir() if each.suffix == ".py" and each.name != path.name)
    except (OSError, ValueError):
        return None
    near = [each for each in beside if each == f"{path.name}.py"] or difflib.get_close_matches(path.name, beside, n=1)
    return f"Did you mean `{path.parent / near[0]}`?" if near else None


def _unreadable(message: str, *, hint: str | None = None) -> SourceProblem:
    return SourceProblem(Diagnostic(rule=rule("source-unreadable"), message=message, hint=hint))
