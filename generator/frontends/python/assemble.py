"""Puts what was gathered in its place: files, targets, digests, dependencies."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...ir.model import SourceFile
from .dependencies import dependencies_of
from .distributions import Distributions
from .layout import prefix_for, relative_name
from .rewrite import Rewriting, rewrite
from .source import MAXIMUM_BYTES, SourceProblem
from .standard_library import needs_installing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from .data_files import DataFiles
    from .environment import Environment
    from .gather import Gathered, Gatherer
    from .source import SourceText

MAX_FILES = 5_000
"""Files of one emitted package; wheels in use have fewer, and a larger folder was named by mistake."""

MAX_TOTAL_BYTES = 256 << 20
"""Bytes of all carried files together: 256 MiB."""

_FOLDER_NOTE = b'"""The files of the author, in the layout they came with."""\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """The carried files and what follows from them.

    `module_targets` maps a module's name in the source to its import target: `.weather`, relative to the emitted
    package, or an absolute name when linked. `needs_site` says that something installed is imported at run time.
    `inputs` are digests by path below the source's folder; `resolved` the versions of the distributions that imports
    were mapped to.
    """

    files: tuple[SourceFile, ...] = ()
    module_targets: Mapping[str, str] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()
    needs_site: bool = False
    inputs: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    requires_python: str | None = None
    resolved: Mapping[str, str] = field(default_factory=dict)


def assemble(
    gatherer: Gatherer, data: DataFiles, *, package: str, environment: Environment, entry: SourceText | None
) -> Carried:
    """Put everything in its place."""
    layout, root = gatherer.layout, gatherer.layout.root
    diagnostics = [*gatherer.diagnostics, *data.diagnostics]
    for file in gatherer.modules.links_out:
        message = f"{gatherer.shown(file)} is a link that leads out of the module's folder"
        diagnostics.append(
            Diagnostic(
                rule=rule("withheld-file"), message=message, hint="Copy the file, or install the module and use --link."
            )
        )
    contents, inputs = _data_contents(root, data, gatherer.found, diagnostics)
    tops = {one.module.path.partition("/")[0] for one in gatherer.found.values()}
    tops |= {one.module.place[0] for one in gatherer.found.values()} | {path.partition("/")[0] for path in contents}
    prefix = prefix_for(tops)
    for one in gatherer.found.values():
        inputs |= _read_for(one.source, root)
        try:
            contents[one.module.path] = rewrite(one.source, one.imports, _rewriting(gatherer, one, package, prefix))
        except SourceProblem as problem:
            diagnostics.append(problem.diagnostic)
    needed = dependencies_of(gatherer.externals, entry=entry, layout=layout, installed=Distributions(environment.paths))
    return Carried(
        files=tuple(_files(contents, prefix, _written(data))),
        module_targets=_targets(gatherer, prefix),
        dependencies=needed.requirements,
        needs_site=bool(needed.requirements) or gatherer.dynamic or _imports_installed(gatherer),
        inputs=dict(sorted({**inputs, **needed.inputs}.items())),
        diagnostics=(*diagnostics, *needed.diagnostics),
        requires_python=needed.requires_python,
        resolved=needed.resolved,
    )


def _data_contents(
    root: Path, data: DataFiles, modules: Mapping[Path, Gathered], diagnostics: list[Diagnostic]
) -> tuple[dict[str, bytes], dict[str, str]]:
    """Read the data files: contents and digests by path below the root; what the code changes has no digest."""
    contents: dict[str, bytes] = {}
    total = 0
    for file in data.files:
        if file in modules:
            continue
        total += file.stat().st_size
        if len(contents) >= MAX_FILES or total > MAX_TOTAL_BYTES:
            message = f"more than {MAX_FILES:,} data files, or {MAX_TOTAL_BYTES >> 20} MiB of them"
            hint = "Name fewer files in `include`, or install the module and use --link."
            diagnostics.append(Diagnostic(rule=rule("too-many-files"), message=message, hint=hint))
            break
        shown = file.relative_to(root).as_posix()
        try:
            contents[shown] = file.read_bytes()
        except OSError as error:
            message = f"{shown} cannot be read: {error.strerror}"
            diagnostics.append(Diagnostic(rule=rule("source-unreadable"), message=message))
    kept = {path: content for path, content in contents.items() if not data.is_written(root / path)}
    return contents, {path: hashlib.sha256(content).hexdigest() for path, content in kept.items()}


def _read_for(source: SourceText, root: Path) -> dict[str, str]:
    """Return the digests of a module and of the stub beside it, whose types count in its place."""
    stub = source.path.with_suffix(".pyi")
    digests = {source.path.relative_to(root).as_posix(): source.digest}
    if stub.is_file() and stub.stat().st_size <= MAXIMUM_BYTES:
        digests[stub.relative_to(root).as_posix()] = hashlib.sha256(stub.read_bytes()).hexdigest()
    return digests


def _rewriting(gatherer: Gatherer, one: Gathered, package: str, prefix: tuple[str, ...]) -> Rewriting:
    named = ((literal, gatherer.emitted(str(literal.value), package, prefix)) for literal in one.named)
    rewriting = Rewriting(
        tops=gatherer.modules.tops,
        package=one.module.package,
        names=[(literal, name) for literal, name in named if name is not None],
    )
    packages = {each.module.place: each for each in gatherer.found.values() if each.module.is_package}
    places = {rewriting.place(each.module) for each in one.imports if isinstance(each.node, ast.Import)} - {None}
    shadowed = (place for place in places if place and place[:-1] in packages)
    return replace(rewriting, shadowed=frozenset(p for p in shadowed if packages[p[:-1]].may_bind(p[-1])))


def _written(data: DataFiles) -> frozenset[str]:
    """Return the carried data files that the code writes, by path below the root."""
    return frozenset(file.relative_to(data.root).as_posix() for file in data.files if data.is_written(file))


def _files(contents: Mapping[str, bytes], prefix: tuple[str, ...], written: frozenset[str]) -> Iterator[SourceFile]:
    """Yield the files in the order of their paths; a folder that we add says what it is."""
    changing = {"/".join((*prefix, path)) for path in written}
    placed = {"/".join((*prefix, path)): content for path, content in contents.items()}
    if prefix:
        placed.setdefault("/".join((*prefix, "__init__.py")), _FOLDER_NOTE)
    for path in sorted(placed):
        yield SourceFile(path=path, content=placed[path], written=path in changing)


def _targets(gatherer: Gatherer, prefix: tuple[str, ...]) -> dict[str, str]:
    """Return the target of each module by every name it goes by in the source."""
    targets: dict[str, str] = {}
    aliases = [(name, place) for name, place in gatherer.modules.tops.items()]
    for one in gatherer.found.values():
        place = one.module.place
        target = relative_name((*prefix, *place))
        targets[".".join(place)] = target
        for name, start in aliases:
            if place[: len(start)] == start:
                targets.setdefault(".".join((name, *place[len(start) :])), target)
        if one.source.path == gatherer.layout.entry:
            targets.setdefault(gatherer.layout.entry.stem, target)
            targets.setdefault(".".join(gatherer.layout.name), target)
    return dict(sorted(targets.items()))


def _imports_installed(gatherer: Gatherer) -> bool:
    """Return whether anything outside the standard library is imported at run time, be it optionally."""
    return any(not one.imported.typing_only and needs_installing(one.imported.top) for one in gatherer.externals)
