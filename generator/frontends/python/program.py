"""All modules read so far: a module is located and parsed once, when its name is first followed."""

from __future__ import annotations

import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .branches import Target
from .index import Index, build_index
from .locate import is_installed
from .source import SourceProblem, SourceText, read_source
from .spans import span_of

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from ...diagnostics.model import Diagnostic, Span
    from .locate import Locator

_STANDARD_LIBRARY = sysconfig.get_path("stdlib")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Module:
    """A parsed module and what its names are bound to."""

    source: SourceText
    index: Index
    is_package: bool

    @property
    def name(self) -> str:
        """The module's absolute name."""
        return self.source.module

    def span(self, node: ast.AST) -> Span:
        """Return the node's place in this module's file."""
        return span_of(node, self.source)


@dataclass(slots=True, kw_only=True)
class Program:
    """The modules read for one server, the folders others are found in, and the Python they are read for.

    `shown` maps a file's path to the path that diagnostics print. `problems` holds, by module name, why a module that
    was found could not be read.
    """

    locator: Locator
    target: Target = field(default_factory=Target)
    shown: Callable[[Path], str] = str
    modules: dict[str, Module | None] = field(default_factory=dict)
    problems: dict[str, Diagnostic] = field(default_factory=dict)
    _own: set[str] = field(default_factory=set)
    _foreign: set[str] = field(default_factory=set)
    _class_indexes: dict[int, tuple[ast.ClassDef, Index]] = field(default_factory=dict)

    def add(self, source: SourceText) -> Module:
        """Take a source that was read already, the one that is served; `source.module` is its name."""
        self._own.add(source.module.partition(".")[0])
        module = self._module(source)
        self.modules[source.module] = module
        return module

    def module(self, name: str) -> Module | None:
        """Return the module of this absolute name, read now if need be; None when there is no source to read."""
        if name not in self.modules:
            self.modules[name] = None  # a module that names itself while it is read finds nothing
            self.modules[name] = self._load(name)
        return self.modules[name]

    def importable(self, name: str) -> bool:
        """Whether the module exists, as far as files tell."""
        return self.modules.get(name) is not None or self.locator.importable(name)

    def is_standard(self, name: str) -> bool:
        """Whether a module is the standard library's: by its name, and by its file when it has one."""
        if name.partition(".")[0] not in sys.stdlib_module_names:
            return False
        location = self.locator.find(name)
        return location is None or location.path is None or self._is_standard_file(location.path)

    def is_foreign(self, shown: str) -> bool:
        """Whether the file that is shown under this path is another's: the standard library's or an installed one.

        The package that is served is never foreign, be it installed or not.
        """
        return shown in self._foreign

    def _is_standard_file(self, path: str) -> bool:
        return path.startswith(_STANDARD_LIBRARY) or self.locator.is_standard(path)

    def class_index(self, node: ast.ClassDef, module: Module) -> Index:
        """Return what the names in a class body are bound to."""
        kept = self._class_indexes.get(id(node))
        if kept is None:
            index = build_index(
                node.body,
                module=module.name,
                is_package=module.is_package,
                target=self.target,
                importable=self.importable,
            )
            kept = self._class_indexes[id(node)] = (node, index)  # the node is kept so that its id stays its own
        return kept[1]

    def stub_of(self, module: Module) -> Module | None:
        """Return the `.pyi` beside a source module, read as a module of the same name, or None."""
        path = module.source.path.with_suffix(".pyi")
        if module.source.is_stub or not path.is_file():
            return None
        return self._read(path, module.name, is_package=module.is_package)

    def _load(self, name: str) -> Module | None:
        location = self.locator.find(name)
        if location is None or location.path is None:
            return None
        return self._read(Path(location.path), name, is_package=location.is_package)

    def _read(self, path: Path, name: str, *, is_package: bool) -> Module | None:
        shown = self.shown(path)
        if name.partition(".")[0] not in self._own and (is_installed(str(path)) or self._is_standard_file(str(path))):
            self._foreign.add(shown)
        try:
            source = read_source(path, shown=shown, module=name)
        except SourceProblem as problem:
            self.problems[name] = problem.diagnostic
            return None
        return self._module(source, is_package=is_package)

    def _module(self, source: SourceText, *, is_package: bool | None = None) -> Module:
        package = source.is_package if is_package is None else is_package
        index = build_index(
            source.tree.body,
            module=source.module,
            is_package=package,
            target=self.target,
            importable=self._importable_for(source.module),
        )
        return Module(source=source, index=index, is_package=package)

    def _importable_for(self, module: str) -> Callable[[str], bool]:
        from .known import assumed_present

        return lambda name: name == module or assumed_present(name) or self.importable(name)
