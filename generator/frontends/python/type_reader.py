"""The door to reading types: annotations in, forms, schemas, conversions and diagnostics out.

program = Program(locator=Locator(paths), target=Target(version=(3, 12, 0)))
module = program.add(read_source(path, shown="weather.py", module="weather"))
types = Types(program)
form = types.form(argument.annotation, module)
types.findings(form, "input")                      # an error among them: the unit cannot be served
schemas = types.schemas("input")                   # one writer for all parameters of a tool
properties[name] = schemas.schema(form)            # "$defs": schemas.definitions
conversions = types.conversions(schemas, target)
conversions.conversion(form); conversions.definitions()
types.schemas("result").complete(result_form)      # with its own "$defs", None without a schema
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from .constants import json_default
from .conversion import ConversionWriter, Target
from .findings import findings
from .forms import AnyForm, Direction, Form
from .reading import Reading, Scope, type_parameters
from .resolve import Resolver
from .schema import SchemaWriter

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic
    from .program import Module, Program

__all__ = ["Types"]


class Types:
    """Reads the types of one program; everything read is kept for the next question."""

    __slots__ = ("reading",)

    def __init__(self, program: Program) -> None:
        self.reading = Reading(program=program, resolver=Resolver(program))

    def scope(self, module: Module, function: ast.AST | None = None, owners: tuple[ast.ClassDef, ...] = ()) -> Scope:
        """Where the annotations of a function stand: its PEP 695 parameters, and `Self` when it is a method."""
        parameters: dict[str, ast.AST] = {}
        for owner in owners:
            parameters.update(type_parameters(owner))
        if function is not None:
            parameters.update(type_parameters(function))
        scope = Scope(module=module, owners=owners, parameters=parameters)
        if not owners:
            return scope
        return Scope(module=module, owners=owners, parameters=parameters, self_form=self._self_form(module, owners))

    def form(self, annotation: ast.expr | None, module: Module, *, scope: Scope | None = None) -> Form:
        """Return the form of an annotation (None: anything); never raises for what a user may write."""
        if annotation is None:
            return AnyForm()
        return self.reading.form(annotation, scope or Scope(module=module))

    def findings(self, form: Form, direction: Direction) -> tuple[Diagnostic, ...]:
        """Return what is to be said about a form; an error means that it cannot be served in this direction."""
        return findings(form, direction, self.reading)

    def schemas(self, direction: Direction) -> SchemaWriter:
        """Return a writer for the schemas of one tool in one direction."""
        return SchemaWriter(self.reading, direction)

    def conversions(self, schemas: SchemaWriter, target: Target) -> ConversionWriter:
        """Return a writer for the conversions of one tool; `target` names definitions at run time."""
        return ConversionWriter(self.reading, schemas, target)

    def default(self, expression: ast.expr, module: Module, *, scope: Scope | None = None) -> Any:
        """Return the JSON form of a default, `forms.MISSING` when it is not known statically."""
        return json_default(expression, scope or Scope(module=module), self.reading)

    def _self_form(self, module: Module, owners: tuple[ast.ClassDef, ...]) -> Form | None:
        path = ".".join(owner.name for owner in owners)
        expression = ast.parse(path, mode="eval").body
        ast.copy_location(expression, owners[-1])
        for part in ast.walk(expression):
            ast.copy_location(part, owners[-1])
        return self.reading.form(expression, Scope(module=module))
