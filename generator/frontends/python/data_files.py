"""The data files a module needs: those its code names by a literal path, and those of `include`.

A path is followed only inside the tree that is carried. What lies outside, behind a link that leads out, or looks like
a secret is refused with MG136; what is read but does not exist is MG132. A path the code also writes or tests for
existence may be missing. What is written is MG141: it is carried as a beginning when it is read as well, else not.
"""

from __future__ import annotations

import ast
import fnmatch
import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity, Span
from ...diagnostics.rules import rule
from .call_names import bound_names, qualified
from .package_files import files_below
from .path_expressions import Paths, constants_of
from .secrets_guard import looks_secret
from .spans import span_of
from .written_files import Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .import_statements import Import
    from .source import SourceText

MAX_DATA_BYTES = 64 << 20
"""Bytes of one data file that are copied: 64 MiB; larger data is fetched or installed, not shipped in a wheel."""

_MOVE_HINT = "Move it below the module's folder, or install the module and use --link."

_TOLERANT = frozenset(
    {"exists", "is_file", "is_dir", "mkdir", "touch", "unlink", "write_bytes", "write_text"}
    | {"os.path.exists", "os.path.isfile", "os.path.isdir", "os.makedirs", "os.mkdir", "os.remove", "sys.path.append"}
)
_FAILURES = frozenset({"FileNotFoundError", "OSError", "IOError", "Exception"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One path that the code names; `tolerant` when the code copes with its absence, `read` when it may read it."""

    path: Path
    span: Span
    tolerant: bool
    read: bool


@dataclass(slots=True, kw_only=True)
class DataFiles:
    """Collects the data files of one input; `files` are below `root`, in the order they were found.

    `written` are files and folders that the code writes, with what is said of each.
    """

    root: Path
    files: dict[Path, None] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    written: dict[Path, Diagnostic] = field(default_factory=dict)
    _made: dict[Path, Diagnostic] = field(default_factory=dict)
    _wanted: set[Path] = field(default_factory=set)

    def add_named(
        self,
        source: SourceText,
        paths: Paths,
        shared: frozenset[str] = frozenset(),
        written_elsewhere: frozenset[str] = frozenset(),
    ) -> None:
        """Add what the code of one module names; `shared` are names that other modules use, some of them to write."""
        writes = Writes(paths=paths)
        writes.look(source.tree)
        writes.named(frozenset(writes.words) | (written_elsewhere & shared), source.tree)
        self._add_written(writes, source)
        named = list(_named(source, paths, shared, writes.unread))
        written = {Path(os.path.normpath(value)) for _, value, _ in writes.written}
        tolerant = {one.path for one in named if one.tolerant} | written
        read = {one.path for one in named if one.read} | {one.path for one in named if one.path not in written}
        made = {Path(os.path.normpath(value)) for _, value, folder in writes.written if folder}
        reported: set[Path] = set()
        for one in named:
            if one.path in reported or source.path.is_relative_to(one.path):
                continue  # the module itself, and the folders above it, are not data
            reported.add(one.path)
            # A folder that is written into must be there, unless the code makes it.
            if one.path in read or (one.path.is_dir() and one.path not in made):
                self._wanted.add(one.path)
                self._add(one, must_exist=one.path not in tolerant)

    def _add_written(self, writes: Writes, source: SourceText) -> None:
        for node, value, folder in writes.written:
            path = Path(os.path.normpath(value))
            own = source.path.is_relative_to(path)
            if own and folder:
                continue
            where = "a file" if own else f"`{_shown(path, self.root)}`"
            message = f"{where} is written beside the module: a server writes its own copy, not yours"
            hint = "Keep state outside the package, for example at a path from [tool.mcpgen.config]."
            span = span_of(node, source)
            found = Diagnostic(rule=rule("written-data-file"), message=message, span=span, hint=hint)
            (self._made if folder else self.written).setdefault(path, found)

    def settle(self, asked: frozenset[Path]) -> None:
        """Tell what is written, and leave out what is never read unless it was `asked` for."""
        # Making a folder is told by what is written into it.
        for path, found in self._made.items():
            if not any(one.is_relative_to(path) for one in self.written):
                self.written[path] = found
        self.diagnostics += self.written.values()
        for file in [file for file in self.files if file in self.written and file not in asked]:
            if self._wanted.isdisjoint((file, *file.parents)):
                del self.files[file]

    def is_written(self, file: Path) -> bool:
        """Return whether the code writes a file, or into a folder around it that is not the module's own."""
        around = (folder for folder in file.parents if folder != self.root and folder.is_relative_to(self.root))
        return file in self.written or any(folder in self.written for folder in around)

    def add_included(self, patterns: Iterable[str], folder: Path, spans: Callable[[int], Span | None]) -> None:
        """Add the files that the patterns of `include` match below `folder`."""
        for number, pattern in enumerate(patterns):
            self._include(pattern, folder, spans(number))

    def _include(self, pattern: str, folder: Path, span: Span | None) -> None:
        parts = PurePosixPath(pattern.replace("\\", "/")).parts
        if not parts or ".." in parts or PurePosixPath(pattern).is_absolute() or ":" in parts[0]:
            message = f"`include` names `{pattern[:60]}`, which is not below the module's folder"
            self._refuse(message, span, hint="Name files below the folder, without `..`.")
            return
        matches = list(_matches(folder, parts))
        if not matches:
            message = f"`include` names `{pattern[:60]}`, which matches no file"
            self.diagnostics.append(Diagnostic(rule=rule("missing-data-file"), message=message, span=span))
        for path in matches:
            self._take(path, span)

    def _add(self, one: Named, *, must_exist: bool) -> None:
        shown = _shown(one.path, self.root)
        if not one.path.is_relative_to(self.root):
            if must_exist or one.path.exists():
                self._refuse(f"the data file {shown} lies outside the module's folder", one.span)
        elif one.path.is_dir():
            if not one.path.resolve().is_relative_to(self.root.resolve()):
                self._refuse(f"the folder {shown} is a link that leads out of the module's folder", one.span)
                return
            for path in files_below(one.path, tests=True):
                self._take(path, one.span)
        elif one.path.is_file():
            self._take(one.path, one.span)
        elif must_exist:
            message = f"the data file {shown} does not exist"
            self.diagnostics.append(Diagnostic(rule=rule("missing-data-file"), message=message, span=one.span))

    def _take(self, path: Path, span: Span | None) -> None:
        """Add one existing file, unless it must not be copied."""
        shown = _shown(path, self.root)
        real = path.resolve()
        if not path.is_relative_to(self.root):
            self._refuse(f"the data file {shown} lies outside the module's folder", span)
        elif not real.is_relative_to(self.root.resolve()):
            self._refuse(f"{shown} is a link that leads out of the module's folder", span)
        elif looks_secret(path.relative_to(self.root)) or looks_secret(real):
            message = f"{shown} looks like a secret and is not copied"
            hint = "Pass the values by the environment, and declare them in [tool.mcpgen.config]."
            found = Diagnostic(
                rule=rule("withheld-file"), message=message, span=span, hint=hint, severity=Severity.WARNING
            )
            self.diagnostics.append(found)
        elif path.stat().st_size > MAX_DATA_BYTES:
            message = f"{shown} is larger than {MAX_DATA_BYTES >> 20} MiB"
            self._refuse(message, span, hint="Fetch it at run time, or install the module and use --link.")
        else:
            self.files[path] = None

    def _refuse(self, message: str, span: Span | None, *, hint: str = _MOVE_HINT) -> None:
        self.diagnostics.append(Diagnostic(rule=rule("withheld-file"), message=message, span=span, hint=hint))


def _shown(path: Path, root: Path) -> str:
    """Return a path as messages print it: below the root, or with the steps that lead out."""
    return PurePosixPath(os.path.relpath(path, root).replace(os.sep, "/")).as_posix()


def paths_of(source: SourceText, imports: tuple[Import, ...], folder: Callable[[str | None], Path | None]) -> Paths:
    """Return what evaluates the path expressions of a module; `folder` finds the folder of a local package."""
    bound = bound_names(imports)
    return Paths(
        file=Path(os.path.normpath(source.path.absolute())),
        qualify=lambda node: qualified(node, bound),
        constants=constants_of(source.tree),
        package_folder=folder,
    )


def _named(source: SourceText, paths: Paths, shared: frozenset[str], unread: set[int]) -> Iterator[Named]:
    """Yield the largest path expressions of a module that have a value; `unread` ones are written or tested for."""
    used = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    used -= shared
    pending: list[tuple[ast.AST, bool]] = [(source.tree, False)]
    while pending:
        node, tolerant = pending.pop()
        stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        value = paths.value(node) if isinstance(node, ast.expr) and not stored else None
        if value is not None:
            path, read = Path(os.path.normpath(value)), id(node) not in unread
            yield Named(path=path, span=span_of(node, source), tolerant=tolerant, read=read)
            continue
        skipped = _constant_value(node, used, paths)
        inner = _tolerates(node, paths, tolerant)
        children = [child for child in ast.iter_child_nodes(node) if child is not skipped]
        pending.extend((child, inner and _reaches(node, child)) for child in reversed(children))


def _constant_value(node: ast.AST, used: set[str], paths: Paths) -> ast.expr | None:
    """Return the path that a name is given, when the name's uses say what is meant: a folder is only a beginning."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target: ast.expr = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    else:
        return None
    if not isinstance(target, ast.Name) or target.id not in used or node.value is None:
        return None
    return node.value if paths.value(node.value) is not None else None


def _tolerates(node: ast.AST, paths: Paths, outer: bool) -> bool:  # noqa: FBT001 - the state of the walk
    """Return whether paths inside this node may be missing."""
    if isinstance(node, ast.Try | ast.TryStar):
        caught = [name for handler in node.handlers for name in _caught(handler)]
        return outer or any(name in _FAILURES for name in caught)
    if isinstance(node, ast.Call):
        name = paths.qualify(node.func)
        if name in _TOLERANT or (isinstance(node.func, ast.Attribute) and node.func.attr in _TOLERANT):
            return True
        return outer or _writes(node)
    return outer


def _reaches(node: ast.AST, child: ast.AST) -> bool:
    """Return whether a try's tolerance holds for a child: its handlers are ordinary code again."""
    return not (isinstance(node, ast.Try | ast.TryStar) and isinstance(child, ast.ExceptHandler))


def _caught(handler: ast.ExceptHandler) -> Iterator[str]:
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    for one in types:
        yield one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else "Exception"


def _writes(call: ast.Call) -> bool:
    """Return whether a call opens a file for writing: `open(p, "w")`, `p.open(mode="a")`."""
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "open"
    if not is_method and not (isinstance(call.func, ast.Name) and call.func.id == "open"):
        return False
    modes = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    modes += call.args[:1] if is_method else call.args[1:2]
    return any(isinstance(mode, ast.Constant) and str(mode.value)[:1] in {"w", "a", "x"} for mode in modes)


def _matches(folder: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files a pattern matches, in a stable order; a folder stands for all that is below it."""
    if not parts:
        if folder.is_file():
            yield folder
        elif folder.is_dir() and not folder.is_symlink():
            yield from files_below(folder, tests=True)
        return
    head, rest = parts[0], parts[1:]
    if head == "**":
        yield from _matches_anywhere(folder, rest)
        return
    if not folder.is_dir():
        return
    for name in sorted(child.name for child in folder.iterdir()):
        literal = name == head
        if literal or (not name.startswith((".", "__pycache__")) and fnmatch.fnmatchcase(name, head)):
            yield from _matches(folder / name, rest)


def _matches_anywhere(folder: Path, rest: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files below a folder whose last parts match: `**/*.csv`; `**` alone is everything."""
    if not rest:
        yield from files_below(folder, tests=True)
        return
    seen: set[Path] = set()
    for base in (folder, *_folders_below(folder)):
        for path in _matches(base, rest):
            if path not in seen:
                seen.add(path)
                yield path


def _folders_below(folder: Path) -> Iterator[Path]:
    for place, names, _ in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith((".", "__pycache__")))
        yield from (Path(place) / name for name in names if not (Path(place) / name).is_symlink())
