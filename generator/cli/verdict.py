"""Whether what was found lets a build go on (decision 7), and what is said at the end about what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..diagnostics.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..diagnostics.model import Diagnostic

FATAL_PREFIX = "MG7"
"""Errors about settings always fail: a setting without effect is never passed over."""

GATEWAY_PREFIX = "MG5"
"""Errors about a gateway's servers always fail: which of two equal names is called must not depend on their order."""

VIEW_PREFIX = "MG4"
"""Errors about views always fail: hosts would show a tool without what it is made for (R041)."""

FATAL_RULES = frozenset({"marker-argument"})
"""Errors that would fail the whole module when the server imports it."""

NOTHING_WRITTEN = "nothing was written"


def failure(
    diagnostics: Iterable[Diagnostic], *, strict: bool, named: frozenset[str], left_out: Iterable[str] = ()
) -> str | None:
    """Return why a build with something left to serve still has to fail, or None when it may go on.

    Under `strict` every error and warning counts; otherwise an error about the settings, or about a unit that the user
    named. `left_out` are units by their names in the source, whatever the tools would have been called.
    """
    for diagnostic in diagnostics:
        if strict and diagnostic.level is not Severity.NOTE:
            return "--strict lets no error and no warning pass"
        if diagnostic.level is Severity.ERROR:
            if diagnostic.rule.code.startswith(FATAL_PREFIX):
                return "a setting is wrong"
            if diagnostic.rule.code.startswith(VIEW_PREFIX):
                return "a view is wrong"
            if diagnostic.rule.code.startswith(GATEWAY_PREFIX):
                return "the servers cannot be put together"
            if diagnostic.rule.name in FATAL_RULES:
                return "a marker is used wrongly, which fails when the module is imported"
            if diagnostic.unit is not None and named & {diagnostic.unit, diagnostic.unit.partition("(")[0]}:
                return f"`{diagnostic.unit}` was asked for by name"
    missing = next((unit for unit in left_out if unit in named), None)
    return f"`{missing}` was asked for by name" if missing is not None else None


def left_out(units: Sequence[str], kind: Literal["python", "openapi", "servers"] = "python") -> str:
    """Return what is said of what a successful build had to leave out; empty for nothing."""
    if not units:
        return ""
    noun = "operation" if kind == "openapi" else "function"
    number = f"1 {noun} was" if len(units) == 1 else f"{len(units)} {noun}s were"
    return f"{number} left out, the rest is served (--strict makes that fail)"


def refused(reason: str | None) -> str:
    """Return what is said when a build fails."""
    return f"{NOTHING_WRITTEN}: {reason}" if reason else NOTHING_WRITTEN
