"""How a result is sent: as JSON with a schema, as nothing, or as the content blocks a function built itself."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .form_parts import arms, awaited, parts
from .forms import NEVER, AnyForm, ContentForm, Form, NoneForm, UnsuppliableForm
from .placing import about, annotated_result
from .wrappers import own_statements

if TYPE_CHECKING:
    from ...diagnostics.model import Span
    from .subjects import Subject
    from .type_reader import Types


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What is known of a result: `form` is None when there is no schema; `refused` makes the tool impossible."""

    kind: Literal["json", "none", "content"]
    form: Form | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    refused: Diagnostic | None = None


def result_of(form: Form | None, subject: Subject, types: Types) -> Result:
    """Return how the result of a subject is sent; `form` is what its annotation says, None without one."""
    if form is None:
        return Result(kind="json", diagnostics=_generator_note(subject))
    sent = awaited(form)
    if isinstance(sent, NoneForm) or (isinstance(sent, UnsuppliableForm) and sent.what == NEVER):
        return Result(kind="none")
    if any(isinstance(part, ContentForm) for part in parts(sent)):
        return Result(kind="content")
    unit, program = subject.unit, types.reading.program
    result = annotated_result(unit, _place(subject))
    found = types.findings(sent, "result")
    errors = [each for each in found if each.level is Severity.ERROR]
    if errors and all(isinstance(arm, UnsuppliableForm | NoneForm) for arm in arms(sent)):
        hint = f'State an `output_schema` for it, or leave the function out: hide = ["{unit}"].'
        return Result(kind="json", refused=replace(about(result, errors[0], program), hint=hint))
    if errors:
        # What is returned may have a JSON form that its type does not show (a data frame): no schema, and a warning.
        said = about(result, errors[0], program, "has no schema")
        return Result(kind="json", diagnostics=(replace(said, severity=Severity.WARNING),))
    notes = (*(about(result, each, program) for each in found), *_generator_note(subject))
    return Result(kind="json", form=None if isinstance(sent, AnyForm) else sent, diagnostics=notes)


def _place(subject: Subject) -> Span:
    """Return where the result's annotation stands, or the definition without one (its type is then in a stub)."""
    returns = None if isinstance(subject.node, ast.Lambda) else subject.node.returns
    return subject.module.span(returns) if returns is not None else subject.span


def _generator_note(subject: Subject) -> tuple[Diagnostic, ...]:
    """Tell that the items of a generator are collected (MG127)."""
    node = subject.node
    if isinstance(node, ast.Lambda) or not _yields(node):
        return ()
    message = f"`{subject.unit}` is a generator; its items are collected into an array"
    span = subject.module.span(node.returns) if node.returns is not None else None
    found = rule("generic-result")
    return (Diagnostic(rule=found, message=message, span=span, unit=subject.unit, severity=Severity.NOTE),)


def _yields(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function's own body yields; what stands in nested functions and lambdas does not count."""
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    pending: list[ast.AST] = [each for each in own_statements(node) if not isinstance(each, nested)]
    while pending:
        current = pending.pop()
        if isinstance(current, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(current, ast.Lambda | ast.stmt):
            pending.extend(ast.iter_child_nodes(current))
        elif isinstance(current, ast.stmt):
            pending.extend(each for each in ast.iter_child_nodes(current) if isinstance(each, ast.expr))
    return False
