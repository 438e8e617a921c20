"""Findings about types as findings about a unit: they name its parameter or result and are shown where a user can act.

A type may be defined in somebody else's code. What is wrong with it there is told as a note; the place is then the
annotation that led to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic, Span
    from .program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotated:
    """What an annotation belongs to, in words: `` `days` of tool `forecast` ``; its unit, and where it is written."""

    words: str
    unit: str
    span: Span | None


def annotated_parameter(name: str, unit: str, span: Span | None) -> Annotated:
    """Return what findings about a parameter's annotation are about."""
    return Annotated(words=f"`{name}` of tool `{unit}`", unit=unit, span=span)


def annotated_result(unit: str, span: Span | None) -> Annotated:
    """Return what findings about the annotation of a result are about."""
    return Annotated(words=f"the result of tool `{unit}`", unit=unit, span=span)


def about(subject: Annotated, found: Diagnostic, program: Program, verb: str = "") -> Diagnostic:
    """Return a finding that names its subject and stands in the user's own code; `verb` comes between the two."""
    placed = at_annotation(found, subject.span, program)
    lead = f"{subject.words} {verb}" if verb else subject.words
    return replace(placed, message=f"{lead}: {found.message}", unit=subject.unit)


def at_annotation(found: Diagnostic, span: Span | None, program: Program) -> Diagnostic:
    """Return a finding at `span` when its own place is in code that is not the user's, which a note then tells."""
    if found.span is None:
        return replace(found, span=span)
    if span is None or not program.is_foreign(found.span.path):
        return found
    cause = f"the cause is at {found.span.path}:{found.span.line}"
    return replace(found, span=span, notes=(*found.notes, cause))
