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


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a linked module is imported from; `needs_site` is false only for the standard library."""

    module: str
    requirements: tuple[str, ...] = ()
    needs_site: bool = True
    diagnostics: tuple[Diagnostic, ...] = ()
    resolved: Mapping[str, str] = field(default_factory=dict)


def linked_to(path: Path, module: str | None, search: Sequence[Path]) -> Link:
    """Return the link for a module file or package folder; `module` is its dotted name when the user gave one."""
    name = module or dotted_name(path, search)
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


def _is_standard(path: Path, name: str) -> bool:
    """Return whether a module is part of the standard library and not an installed namesake."""
    installed = {"site-packages", "dist-packages"} & set(path.parts)
    return name.partition(".")[0] in sys.stdlib_module_names and not installed
