"""What the verbs of the registry share: reading it, and problems of the runtime as diagnostics."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic, Severity
from ..diagnostics.rules import rule
from ..runtime.registry.names import shown
from ..runtime.registry.problems import RegistryError
from ..runtime.registry.reading import Registry, read
from . import exits
from .console import Console

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..runtime.registry.problems import Problem


def diagnostic(problem: Problem) -> Diagnostic:
    """Return a problem as the diagnostic of its rule."""
    return Diagnostic(rule=rule(problem.rule), message=problem.message, hint=problem.hint, unit=problem.entry)


def warned(problem: Problem) -> Diagnostic:
    """Return a problem that hinders nothing yet, as a warning."""
    return replace(diagnostic(problem), severity=Severity.WARNING)


def reported(form: str, allow_env: Sequence[str] | None, *, quiet: bool) -> tuple[Console, Registry | None]:
    """Read the registry and report what is wrong with it; returns None for one that cannot be used."""
    console = Console(form, quiet=quiet, verbose=True)
    try:
        found = read(allow_env=allow_env or ())
    except RegistryError as error:
        refused(console, error)
        return console, None
    console.report(diagnostic(problem) for problem in found.problems)
    return console, found


def refused(console: Console, error: RegistryError) -> int:
    """Report an error and return its exit code."""
    console.report([diagnostic(error.problem)])
    return exits.REFUSED if error.is_refusal else exits.INPUT


def unknown(name: str, names: Iterable[str]) -> Diagnostic:
    """Return the diagnostic about a name that no entry has."""
    near = get_close_matches(name, list(names), n=1)
    return Diagnostic(
        rule=rule("unknown-entry"),
        message=f"no server is registered as {shown(name)}",
        hint=f"Did you mean {shown(near[0])}?" if near else None,
        unit=name,
    )
