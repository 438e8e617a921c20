"""What the readers of annotations, classes and constants share: the program, the resolver, the definitions so far.

The readers are functions in files of their own, each of one idea; a `Reading` is handed from one to the next, which is
also what lets a class refer to annotations that refer to classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity, Span
from ...diagnostics.rules import rule
from .forms import Definition, DefinitionKey, Form, RefusedForm

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from .program import Module, Program
    from .resolve import Resolution, Resolver


MAX_DEPTH = 60
"""Annotations nested deeper than this are refused: people write up to 10, an endlessly growing generic stops here."""

MAX_ARGUMENT_DEPTH = 10
"""Nesting in the arguments of a generic; a class that refers to itself with ever larger arguments passes it."""

MAX_SIZE = 10_000
"""Forms in one alias when every alias in it is written out; a chain of aliases that double passes any other limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where an annotation stands: its module, the classes around it, what type variables mean there, and `Self`.

    `variables` maps a type variable (`name` for PEP 695, `module:name` for a TypeVar) to a form; `parameters` are the
    PEP 695 parameters that are in scope and have no argument. `depth` counts nesting.
    """

    module: Module
    owners: tuple[ast.ClassDef, ...] = ()
    variables: Mapping[str, Form] = field(default_factory=dict)
    parameters: Mapping[str, ast.AST] = field(default_factory=dict)
    self_form: Form | None = None
    depth: int = 0

    def deeper(self) -> Scope:
        """Return the same scope, one level further in."""
        return replace(self, depth=self.depth + 1)


def type_parameters(node: ast.AST) -> dict[str, ast.AST]:
    """Return the PEP 695 parameters of a def, class or `type` statement, by name."""
    return {parameter.name: parameter for parameter in getattr(node, "type_params", ())}


@dataclass(slots=True, kw_only=True)
class Reading:
    """The state of reading types for one program."""

    program: Program
    resolver: Resolver
    builders: dict[DefinitionKey, Callable[[], Definition]] = field(default_factory=dict)
    definitions: dict[DefinitionKey, Definition] = field(default_factory=dict)
    aliases: list[DefinitionKey] = field(default_factory=list)
    building: set[DefinitionKey] = field(default_factory=set)
    recursive: set[DefinitionKey] = field(default_factory=set)
    alias_forms: dict[DefinitionKey, Form] = field(default_factory=dict)

    def resolve(self, expression: ast.expr, scope: Scope) -> Resolution | None:
        """Return what a name or attribute path stands for in a scope."""
        return self.resolver.expression(expression, scope.module, scope.owners)

    def form(self, expression: ast.expr, scope: Scope) -> Form:
        """Return the form of an annotation; never raises for what a user may write."""
        from .annotations import read_annotation

        return read_annotation(expression, scope, self)

    def definition(self, key: DefinitionKey) -> Definition:
        """Return the definition of a named form; built when it is first asked for."""
        if key not in self.definitions:
            self.definitions[key] = self.builders[key]()
        return self.definitions[key]

    def refuse(
        self, name: str, message: str, expression: ast.AST, scope: Scope, *, hint: str | None = None
    ) -> RefusedForm:
        """Return a form for a type that cannot be served, with its diagnostic."""
        span = scope.module.span(expression)
        diagnostic = Diagnostic(rule=rule(name), message=message, span=span, hint=hint)
        return RefusedForm(diagnostic=diagnostic, text=message, span=span)


def note(
    name: str, message: str, span: Span | None, *, severity: Severity | None = None, hint: str | None = None
) -> Diagnostic:
    """Return a diagnostic that does not refuse anything."""
    return Diagnostic(rule=rule(name), message=message, span=span, severity=severity, hint=hint)
