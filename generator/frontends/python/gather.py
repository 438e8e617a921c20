"""Reads the input's module and, in turn, every local module it imports."""

from __future__ import annotations

import ast
import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .call_names import bound_names, qualified
from .dependencies import External
from .dynamic_imports import dynamic_imports
from .import_statements import Import, imports_of
from .local_imports import LocalModule, LocalModules, follow
from .path_expressions import PACKAGE_CALLS, may_name_files
from .source import SourceProblem, SourceText, read_source
from .spans import span_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from .layout import Layout

MAX_MODULES = 1_000
"""Local modules that are carried: an input that needs more is installed and linked, not copied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """One module that is carried: its place, text and imports, and the packages it names as text in resource calls."""

    module: LocalModule
    source: SourceText
    imports: tuple[Import, ...]
    named: tuple[ast.Constant, ...] = ()

    def may_bind(self, name: str) -> bool:
        """Return whether the module's code may bind a name, judged by its text alone."""
        return re.search(rf"\b{re.escape(name)}\b|\bimport\s*\*", self.source.text) is not None

    @property
    def used_names(self) -> frozenset[str]:
        """Names this module takes from others, by import or as attributes."""
        taken = {name for one in self.imports for name in one.names}
        return frozenset(taken | {node.attr for node in ast.walk(self.source.tree) if isinstance(node, ast.Attribute)})


@dataclass(slots=True, kw_only=True)
class Gatherer:
    """Follows imports from module to module; what it found is in `found`, `externals` and `diagnostics`."""

    layout: Layout
    modules: LocalModules
    shown: Callable[[Path], str]
    known: dict[Path, SourceText] = field(default_factory=dict)
    found: dict[Path, Gathered] = field(default_factory=dict)
    externals: list[External] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    dynamic: bool = False

    def gather(self, start: Iterable[LocalModule]) -> None:
        """Read these modules and all that they import."""
        pending = deque(start)
        while pending:
            module = pending.popleft()
            if module.file is None or module.file in self.found:
                continue
            if len(self.found) >= MAX_MODULES:
                message = f"the module needs more than {MAX_MODULES:,} local modules"
                hint = "Install them as a package, and build with --link."
                self.diagnostics.append(Diagnostic(rule=rule("too-many-files"), message=message, hint=hint))
                return
            source = self._read(module.file, module)
            if source is not None:
                pending.extend(self._enter(module, source))

    def _read(self, file: Path, module: LocalModule) -> SourceText | None:
        if file in self.known:
            return self.known[file]
        try:
            return read_source(file, shown=self.shown(file), module=".".join(module.place))
        except SourceProblem as problem:
            self.diagnostics.append(problem.diagnostic)
            return None

    def _enter(self, module: LocalModule, source: SourceText) -> list[LocalModule]:
        """Record one module and return the local modules it leads to."""
        imports = imports_of(source.tree)
        dynamic = dynamic_imports(source, imports)
        self.dynamic = self.dynamic or bool(dynamic)
        self.diagnostics.extend(dynamic)
        named = self._named_packages(source, imports)
        self.found[source.path] = Gathered(module=module, source=source, imports=imports, named=named)
        # Python runs the packages above a module first, so they are carried with it.
        leads = [one for one in self._above(module) if one.file is not None]
        for one in imports:
            followed = follow(one, module, self.modules)
            leads.extend(followed.modules)
            if followed.missing is not None and not one.optional:
                self.diagnostics.append(self._missing(one, followed.missing, source))
            elif not followed.is_local and not one.level:
                self.externals.append(External(imported=one, source=source))
        for literal in named:
            place = self._place(str(literal.value))
            target = self.modules.at(place) if place else None
            leads.extend([target] if target is not None and target.file is not None else [])
        return leads

    def _above(self, module: LocalModule) -> list[LocalModule]:
        above = (self.modules.at(module.place[:length]) for length in range(1, len(module.place)))
        return [one for one in above if one is not None]

    def _place(self, name: str) -> tuple[str, ...] | None:
        """Return the place of a local package by its dotted name."""
        top, _, rest = name.partition(".")
        found = self.modules.top(top)
        return None if found is None else (*found.place, *(rest.split(".") if rest else ()))

    def folder_of(self, name: str) -> Path | None:
        """Return the folder of a local package by its dotted name, None for any other."""
        place = self._place(name)
        folder = self.layout.root.joinpath(*place) if place else None
        return folder if folder is not None and folder.is_dir() else None

    def emitted(self, name: str, package: str, prefix: tuple[str, ...]) -> str | None:
        """Return the absolute name that a local package has in the emitted one."""
        place = self._place(name)
        return None if place is None else ".".join((package, *prefix, *place))

    def _named_packages(self, source: SourceText, imports: tuple[Import, ...]) -> tuple[ast.Constant, ...]:
        """Return the string literals that name a local package in calls such as `resources.files("pkg")`."""
        named: list[ast.Constant] = []
        if not may_name_files(source.text):
            return ()
        bound = bound_names(imports)
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.Call) or not node.args or qualified(node.func, bound) not in PACKAGE_CALLS:
                continue
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and self._place(first.value):
                named.append(first)
        return tuple(named)

    def _missing(self, one: Import, missing: str, source: SourceText) -> Diagnostic:
        """Return MG131 with what may have happened to the file."""
        last = missing.strip(".").split(".")
        compiled = [
            *self.layout.root.joinpath(*last[:-1]).glob(f"{last[-1]}.*.so"),
            *self.layout.root.glob("/".join(last) + ".pyd"),
        ]
        if compiled:
            message = f"`{missing}` is compiled and cannot be copied"
            hint = "Install the package, and build with --link."
        elif missing.startswith("."):
            message = f"`{missing}` leads out of the folder of {source.shown}"
            hint = "Build the package's folder instead of the file, or install the module and use --link."
        else:
            message = f"the local module `{missing}` imported by {source.shown} cannot be found"
            hint = "Add the file beside the module, or build an installed package with --link."
        span = span_of(one.node, source)
        # In a branch for another system or version the module may be missing without harm where the server is built.
        severity = Severity.WARNING if one.conditional else None
        return Diagnostic(rule=rule("missing-local-import"), message=message, span=span, hint=hint, severity=severity)
