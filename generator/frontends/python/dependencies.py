"""What the carried modules need installed: what their author declares, else where their imports come from.

In this order: the `# /// script` block of the module (PEP 723), as it is; `[project.dependencies]` of the project the
module belongs to, with imported distributions it does not list; imports mapped to installed distributions, by name
alone. An import that nothing declares or provides is MG133: a distribution's name is never guessed from an import's,
since anybody may have registered it. Imports that only type checkers read are left out; optional ones too, with a note.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity, Span
from ...diagnostics.rules import rule
from .requirement_text import normalised, requirement, requirement_name, sorted_requirements
from .spans import span_of
from .standard_library import PROVIDED, REMOVED, STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from .distributions import Distributions, Installed
    from .import_statements import Import
    from .layout import Layout
    from .source import SourceText

MAX_PROJECT_BYTES = 1 << 20
"""A pyproject.toml of more than 1 MiB is a mistake; it is not read."""

OURS = frozenset({"mcpgen"})
"""Provided by the runtime that every emitted package carries."""

_BLOCK = re.compile(r"(?m)^# /// script[ \t]*\r?\n(?P<content>(?:^#(?:| .*)\r?\n)+?)^# ///[ \t]*\r?$")
_PYTHONS = re.compile(r"[0-9.,<>=!~* ]{1,80}")
_SOURCE_FOLDERS = frozenset({"src", "lib", "python"})


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """An import of something that is not local, with the file it stands in."""

    imported: Import
    source: SourceText

    @property
    def span(self) -> Span:
        """The import statement's place."""
        return span_of(self.imported.node, self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What an author declares: requirements, Python versions, whether the list is complete, files that were read."""

    requirements: tuple[str, ...] = ()
    requires_python: str | None = None
    complete: bool = False
    found: bool = False
    own_name: str | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """The requirements of an emitted package; `resolved` are the versions found of distributions that were mapped."""

    requirements: tuple[str, ...] = ()
    requires_python: str | None = None
    resolved: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


def dependencies_of(
    externals: Iterable[External], *, entry: SourceText | None, layout: Layout, installed: Distributions
) -> Dependencies:
    """Return what the imports need; `entry` is the module whose script block counts, None for a package."""
    declared = _script_block(entry) if entry is not None else Declared()
    if not declared.found:
        declared = _project(layout, before=declared.diagnostics)
    left_out = OURS | ({declared.own_name} if declared.own_name else set())
    listed = [text for text in declared.requirements if requirement_name(text) not in left_out]
    names = {requirement_name(text) for text in listed}
    resolved: dict[str, str] = {}
    diagnostics = list(declared.diagnostics)
    reported: set[str] = set()
    for one in externals:
        top = one.imported.top
        if one.imported.typing_only or top in STANDARD | PROVIDED:
            continue
        found = _provider(one.imported, installed)
        if found is None and top in REMOVED:
            continue
        name = found.name if found is not None else normalised(top)
        if name in names | left_out:
            if found is not None and found.name in names:
                resolved[found.name] = found.version
            continue
        problem = _unlisted(one, found, declared)
        if problem is None and found is not None:
            names.add(found.name)
            listed.append(found.name)
            resolved[found.name] = found.version
        elif problem is not None and top not in reported:
            reported.add(top)
            diagnostics.append(problem)
    return Dependencies(
        requirements=sorted_requirements(listed),
        requires_python=declared.requires_python,
        resolved=dict(sorted(resolved.items())),
        inputs=declared.inputs,
        diagnostics=tuple(diagnostics),
    )


def _provider(one: Import, installed: Distributions) -> Installed | None:
    """Return the distribution of an import; a name imported from a namespace package may be the module that tells."""
    if one.names and "*" not in one.names:
        return installed.of(f"{one.module}.{one.names[0]}")
    return installed.of(one.module)


def _unlisted(one: External, found: Installed | None, declared: Declared) -> Diagnostic | None:
    """Return what to say about an import that no requirement covers; None when its distribution is simply added."""
    top = one.imported.top
    if one.imported.optional:
        named = f" (distribution {found.name})" if found is not None else ""
        message = f"`{top}`{named} is imported only if it is there, so it is not listed as a dependency"
        return Diagnostic(rule=rule("unknown-dependency"), message=message, span=one.span, severity=Severity.NOTE)
    if found is not None:
        if not declared.complete:
            return None
        message = f"`{top}` comes from {found.name}, which the script block does not list"
        return Diagnostic(rule=rule("unknown-dependency"), message=message, span=one.span, severity=Severity.NOTE)
    if declared.found and declared.requirements:
        severity = Severity.NOTE
        message = f"`{top}` could not be matched with a declared dependency, because it is not installed here"
    else:
        severity = Severity.WARNING
        message = f"`{top}` comes from no distribution that is installed here"
    hint = (
        "Name its environment with --python, or declare its distribution in a `# /// script` block or pyproject.toml."
    )
    return Diagnostic(rule=rule("unknown-dependency"), message=message, span=one.span, hint=hint, severity=severity)


def _script_block(entry: SourceText) -> Declared:
    """Read the module's PEP 723 block; a broken one is a diagnostic."""
    blocks = list(_BLOCK.finditer(entry.text.removeprefix("\ufeff") + "\n"))
    if not blocks:
        return Declared()
    line = entry.text.count("\n", 0, blocks[0].start()) + 1
    span = Span(path=entry.shown, line=line, column=1, end_line=line, end_column=13)
    if len(blocks) > 1:
        return Declared(diagnostics=(_broken("the module has more than one `# /// script` block", span),))
    content = "\n".join(text[2:] for text in blocks[0]["content"].splitlines())
    try:
        table = tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        return Declared(diagnostics=(_broken(f"the `# /// script` block is not TOML: {error}", span),))
    return _declared(table, span, complete=True)


def _broken(message: str, span: Span | None) -> Diagnostic:
    return Diagnostic(rule=rule("broken-configuration"), message=message, span=span)


def _project(layout: Layout, *, before: tuple[Diagnostic, ...]) -> Declared:
    """Read the pyproject.toml whose project has the module at its import root; elsewhere it is not part of it."""
    folders = [layout.root, *([layout.root.parent] if layout.root.name in _SOURCE_FOLDERS else [])]
    file = next((folder / "pyproject.toml" for folder in folders if (folder / "pyproject.toml").is_file()), None)
    if file is None or layout.own_only:
        return Declared(diagnostics=before)
    table = _project_table(file)
    if table is None or "dependencies" in _texts(table.get("dynamic")):
        return Declared(diagnostics=before)
    span = Span(path=file.name, line=1, column=1, end_line=1, end_column=1)
    declared = _declared(table, span, complete=False)
    own = table.get("name")
    return Declared(
        requirements=declared.requirements,
        requires_python=declared.requires_python,
        found=True,
        own_name=normalised(own) if isinstance(own, str) else None,
        inputs={file.name: hashlib.sha256(file.read_bytes()).hexdigest()},
        diagnostics=(*before, *declared.diagnostics),
    )


def _project_table(file: Path) -> Mapping[str, object] | None:
    """Return the `[project]` table; None when there is none or the file is broken, which the configuration reports."""
    try:
        with file.open("rb") as stream:
            document = tomllib.loads(stream.read(MAX_PROJECT_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    table = document.get("project")
    return table if isinstance(table, dict) else None


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _declared(table: Mapping[str, object], span: Span, *, complete: bool) -> Declared:
    """Return the requirements and Python versions of a table, with a diagnostic for each that cannot be listed."""
    requirements, diagnostics = [], []
    for text in _texts(table.get("dependencies")):
        plain = requirement(text)
        name = requirement_name(text)
        if plain is not None:
            requirements.append(plain)
            continue
        message = f"the requirement `{text[:60]}` cannot be listed as it is"
        if name is not None:
            requirements.append(name)
            message += f"; `{name}` is listed without its source"
        diagnostics.append(Diagnostic(rule=rule("unknown-dependency"), message=message, span=span))
    pythons = table.get("requires-python")
    return Declared(
        requirements=tuple(requirements),
        requires_python=pythons if isinstance(pythons, str) and _PYTHONS.fullmatch(pythons) else None,
        complete=complete,
        found=True,
        diagnostics=tuple(diagnostics),
    )
