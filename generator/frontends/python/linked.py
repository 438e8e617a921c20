"""A link to installed code: the module's absolute name, and the distribution the server needs beside it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .distributions import Distributions
from .layout import MAX_PACKAGE_DEPTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from .environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a linked module is imported from; `needs_site` is false only for the standard library.

    `found` is false when an import would not find the file that is to be linked.
    """

    module: str
    found: bool = True
    requirements: tuple[str, ...] = ()
    needs_site: bool = True
    diagnostics: tuple[Diagnostic, ...] = ()
    resolved: Mapping[str, str] = field(default_factory=dict)


def linked_to(path: Path, module: str | None, environment: Environment, shown: str | None = None) -> Link:
    """Return the link for a module file or package folder; `module` is its dotted name when the user gave one.

    A file that an import of its name does not find cannot be linked: the server could not run, or would run another
    module. `shown` is how messages print the path (default: its name).
    """
    search = environment.paths
    name = module or dotted_name(path, search)
    if module is None and not _is_found(path, name, search):
        message = f"`{shown or path.name}` cannot be linked: it is not what an import of `{name}` finds in "
        message += environment.label
        hint = "Leave out --link to copy it, or install it and name its environment with --python."
        problem = Diagnostic(rule=rule("unimportable-link"), message=message, hint=hint)
        return Link(module=name, found=False, diagnostics=(problem,))
    if _is_standard(path, name):
        return Link(module=name, needs_site=False)
    found = Distributions(search).of(name)
    if found is None:
        message = f"`{name}` comes from no distribution that is installed here, so none is listed as a dependency"
        hint = "Install it in the environment that runs the server, or name its environment with --python."
        problem = Diagnostic(rule=rule("unknown-dependency"), message=message, hint=hint)
        return Link(module=name, diagnostics=(problem,))
    return Link(module=name, requirements=(found.name,), resolved={found.name: found.version})


def dotted_name(path: Path, search: Sequence[Path]) -> str:
    """Return the name by which a file or package folder is imported: below its package, else below a search folder."""
    folder = path.parent
    parts: tuple[str, ...] = (path.name if path.is_dir() else path.stem,)
    while (folder / "__init__.py").is_file() and len(parts) <= MAX_PACKAGE_DEPTH:
        folder, parts = folder.parent, (folder.name, *parts)
    holders = sorted((base for base in search if folder.is_relative_to(base)), key=lambda base: len(base.parts))
    if holders:
        # What lies between is a namespace package.
        parts = (*folder.relative_to(holders[-1]).parts, *parts)
    return ".".join(parts)


def _is_found(path: Path, name: str, search: Sequence[Path]) -> bool:
    """Return whether the first folder that holds a module of this name holds this one."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return False
    for base in search:
        package = base.joinpath(*parts)
        module = package.with_name(f"{parts[-1]}.py")
        found = package if (package / "__init__.py").is_file() else module if module.is_file() else None
        if found is not None:
            return found.samefile(path)
    return False


def _is_standard(path: Path, name: str) -> bool:
    """Return whether a module is part of the standard library and not an installed namesake."""
    installed = {"site-packages", "dist-packages"} & set(path.parts)
    return name.partition(".")[0] in sys.stdlib_module_names and not installed
