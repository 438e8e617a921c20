"""What an emitted package carries of its source: the module, its local imports and its data files, or a link to them.

Nothing is imported. Copied files keep their bytes, except for imports of one another, which become relative to the
package (`rewrite`). See `layout` for where files go, `local_imports` for what counts as local, `data_files` and
`dependencies` for the rest.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from .assemble import Carried, assemble
from .data_files import DataFiles, paths_of
from .gather import Gatherer
from .import_statements import imports_of
from .layout import layout_of
from .linked import linked_to
from .local_imports import LocalModules
from .package_files import files_below
from .path_expressions import constants_of, may_name_files
from .source import SourceProblem, read_source
from .target_needs import local_ones
from .written_files import Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...diagnostics.model import Diagnostic, Span
    from .environment import Environment
    from .gather import Gathered
    from .layout import Layout
    from .local_imports import LocalModule
    from .source import SourceText

__all__ = ["Carried", "carry"]


def carry(
    entry: Path,
    *,
    package: str,
    environment: Environment,
    include: tuple[str, ...] = (),
    include_folder: Path | None = None,
    include_spans: Callable[[int], Span | None] = lambda _: None,
    named: tuple[str, ...] = (),
    link: bool = False,
    module: str | None = None,
    shown: Callable[[Path], str] | None = None,
) -> Carried:
    """Return what the emitted package `package` carries of a module file or package folder.

    `include` are patterns of further data files below `include_folder` (default: the source's folder), `include_spans`
    gives the place of each pattern, `named` are modules that nothing imports. With `link` nothing is copied and targets
    are absolute; `module` is then the dotted name, if the user gave one. `shown` gives the path that diagnostics print
    for an absolute one (default: from where `entry` points). Problems are diagnostics, never raised.
    """
    given = entry.parent if entry.name in {"__init__.py", "__init__.pyi"} else entry
    path = Path(os.path.normpath(given.absolute()))
    if link:
        return _linked(path, module, environment, shown(path) if shown else str(entry))
    print_as = shown or (lambda file: _seen_from(given, path, file))
    source, problem = _entry_source(path, print_as)
    if problem is not None:
        return Carried(diagnostics=(problem,))
    layout = layout_of(path, imports_of(source.tree) if source is not None else ())
    modules = LocalModules(layout, environment.paths)
    gatherer = Gatherer(layout=layout, modules=modules, shown=print_as)
    if source is not None:
        gatherer.known[path] = source
    data = DataFiles(root=layout.root)
    data.add_included(include, _include_folder(layout, include_folder), include_spans)
    asked = frozenset(data.files)
    gatherer.gather([*_start(layout, modules, data), *local_ones(named, modules)])
    _add_data(gatherer, data)
    data.settle(asked)
    return assemble(gatherer, data, package=package, environment=environment, entry=source)


def _linked(path: Path, module: str | None, environment: Environment, shown: str) -> Carried:
    link = linked_to(path, module, environment, shown)
    return Carried(
        module_targets={link.module: link.module} if link.found else {},
        dependencies=link.requirements,
        needs_site=link.needs_site,
        diagnostics=link.diagnostics,
        resolved=link.resolved,
    )


def _seen_from(given: Path, path: Path, file: Path) -> str:
    """Return a file's path as it is written from where the user pointed."""
    return Path(os.path.normpath(given.parent / os.path.relpath(file, path.parent))).as_posix()


def _entry_source(path: Path, shown: Callable[[Path], str]) -> tuple[SourceText | None, Diagnostic | None]:
    """Read the module itself; a package folder is read with the rest."""
    if path.is_dir():
        return None, None
    try:
        return read_source(path, shown=shown(path), module=path.stem), None
    except SourceProblem as problem:
        return None, problem.diagnostic


def _include_folder(layout: Layout, folder: Path | None) -> Path:
    if folder is not None:
        return Path(os.path.normpath(folder.absolute()))
    return layout.entry if layout.is_package else layout.entry.parent


def _start(layout: Layout, modules: LocalModules, data: DataFiles) -> Iterator[LocalModule]:
    """Yield the modules that are carried for themselves: the input, all of a package, Python files of `include`."""
    yield modules.entry()
    named = [file for file in data.files if file.suffix == ".py"]
    below = list(files_below(layout.entry)) if layout.is_package else []
    for file in below:
        if file.suffix != ".py":
            data.files[file] = None
    for file in [*below, *named]:
        place = file.relative_to(layout.root).with_suffix("").parts
        if file.suffix == ".py" and all(part.isidentifier() for part in place):
            found = modules.at(place[:-1] if place[-1] == "__init__" else place)
            if found is not None and found.file == file:
                data.files.pop(file, None)
                yield found


def _add_data(gatherer: Gatherer, data: DataFiles) -> None:
    """Add the data files that the code of the gathered modules names."""
    naming = {file: one for file, one in gatherer.found.items() if may_name_files(one.source.text)}
    own = {file: one.used_names for file, one in gatherer.found.items()} if naming else {}
    users = Counter(name for names in own.values() for name in names)
    written = _written_words(gatherer) if naming else frozenset()
    for file, one in naming.items():
        shared = frozenset(name for name in constants_of(one.source.tree) if users[name] > (name in own[file]))
        paths = paths_of(one.source, one.imports, _package_folder(gatherer, one))
        data.add_named(one.source, paths, shared, written)


def _written_words(gatherer: Gatherer) -> frozenset[str]:
    """Return the names that modules write without binding them: those of other modules are among them."""
    words: set[str] = set()
    for one in gatherer.found.values():
        writes = Writes(paths=paths_of(one.source, one.imports, _package_folder(gatherer, one)))
        writes.look(one.source.tree)
        words |= writes.words
    return frozenset(words)


def _package_folder(gatherer: Gatherer, one: Gathered) -> Callable[[str | None], Path | None]:
    def folder(name: str | None) -> Path | None:
        if name is None:
            return gatherer.layout.root.joinpath(*one.module.package)
        return gatherer.folder_of(name)

    return folder
