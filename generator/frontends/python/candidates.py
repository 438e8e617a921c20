"""What a module without tools could still serve when it is asked to: said as one note, so that nobody has to guess."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from ...config import Config
    from .program import Module
    from .subjects import Subjects

MAXIMUM_LISTED = 5
"""Names in the message; the first few show what is meant."""


def candidates(module: Module, subjects: Subjects, config: Config) -> tuple[Diagnostic, ...]:
    """Return a note that names what `expose` could make a tool: imported functions, methods, at last private ones."""
    public = [name for name in _public(module, subjects) if not _hidden(name, config)]
    found = public or [name for name in subjects.names() if subjects.find(name) is not None]
    found = [name for name in found if not name.startswith("__") and not _hidden(name, config)]
    if not found:
        return ()
    listed = ", ".join(f"`{name}`" for name in found[:MAXIMUM_LISTED]) + (" …" if len(found) > MAXIMUM_LISTED else "")
    pronoun = "it" if len(found) == 1 else "them"
    return (
        Diagnostic(
            rule=rule("opt-in"),
            severity=Severity.NOTE,
            message=f"{_reason(module, config)}; {listed} can be served",
            hint=f'Name {pronoun} in the settings, for example `expose = ["{found[0]}"]`.',
            unit=module.name,
        ),
    )


def _reason(module: Module, config: Config) -> str:
    """Say why there is no tool yet: a setting that left everything out comes before what the module lacks."""
    if config.expose:
        return f"`expose` chooses nothing that `{module.name}` has"
    unhidden = " that is not hidden" if config.hide else ""
    return f"`{module.name}` has no public function of its own{unhidden}"


def _hidden(name: str, config: Config) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in config.hide)


def _public(module: Module, subjects: Subjects) -> list[str]:
    """Return public names that can be called, then the public methods of the module's classes and instances."""
    public = [name for name in subjects.names() if not name.startswith("_")]
    callables = [name for name in public if subjects.find(name) is not None]
    owners = [name for name in public if name in module.index.runtime and name not in callables]
    members = [each.unit for name in owners for each in subjects.members(name) if not each.needs_instance]
    return [*callables, *members]
