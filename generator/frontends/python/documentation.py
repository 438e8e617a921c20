"""What a tool's docstring gives it, and what is missing or wrong there (MG105, MG106, MG107, MG115)."""

from __future__ import annotations

import ast
import difflib
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .docstrings import Docstring, parse_docstring, raw_docstring

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...diagnostics.model import Span
    from .signatures import Signature
    from .subjects import Subject


MAXIMUM_LISTED = 5
"""Names in one message; the first few show what is meant."""


def documentation_of(subject: Subject) -> Docstring:
    """Return a subject's docstring; a lambda has none."""
    return Docstring() if isinstance(subject.node, ast.Lambda) else parse_docstring(raw_docstring(subject.node))


def findings(
    subject: Subject,
    documentation: Docstring,
    signature: Signature,
    *,
    description: str,
    parameters: Iterable[str],
    must_tell: bool = True,
) -> list[Diagnostic]:
    """Return what is to be said about the texts of a tool; `parameters` are all names of the function's own.

    `must_tell`: a model chooses it by what is said here, so that silence is worth a word.
    """
    unit, span = subject.unit, _span(subject)
    found: list[Diagnostic] = []

    def report(name: str, message: str, *, hint: str | None = None) -> None:
        found.append(Diagnostic(rule=rule(name), message=message, span=span, hint=hint, unit=unit))

    if documentation.hidden:
        removed = ", ".join(documentation.hidden[:5])
        message = f"invisible or direction-changing characters were removed from the docstring of `{unit}`: {removed}"
        report("hidden-characters", message, hint="Delete them from the source.")
    if not description and must_tell:
        hint = "Give it a docstring: what it does, and when to use it."
        report("undocumented-tool", f"tool `{unit}` has no description", hint=hint)
    silent = [f"`{one.wire[:60]}`" for one in signature.properties if one.description is None]
    if silent and description and must_tell:  # a tool without any description was told so already
        listed = ", ".join(silent[:MAXIMUM_LISTED]) + (" …" if len(silent) > MAXIMUM_LISTED else "")
        message = f"{listed} of tool `{unit}` {'has' if len(silent) == 1 else 'have'} no description"
        hint = "Add an entry to an `Args:` section, or annotate it with a text."
        report("undocumented-parameter", message, hint=hint)
    if signature.extra is False:
        known = {*parameters, *(one.name for one in signature.properties), *(one.wire for one in signature.properties)}
        for name in documentation.parameters:
            if name not in known:
                message = f"the docstring of `{unit}` describes `{name[:60]}`, which is no parameter"
                near = difflib.get_close_matches(name, sorted(known), n=1)
                hint = f"Rename it to `{near[0]}`." if near else "Delete the entry, or give it the parameter's name."
                report("docstring-unknown-parameter", message, hint=hint)
    return found


def _span(subject: Subject) -> Span:
    """Return the place of the docstring, or of the definition when there is none."""
    node = subject.node
    if isinstance(node, ast.Lambda) or ast.get_docstring(node, clean=False) is None:
        return subject.module.span(node) if isinstance(node, ast.Lambda) else subject.span
    return subject.module.span(node.body[0])
