"""The function behind a resource, a prompt or a completer: its parameters and texts, as they are read for a tool."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .documentation import documentation_of, findings
from .function_types import types_of
from .parameters import parameters_of
from .python_calls import python_call
from .question_lint import question_findings
from .reading import Scope
from .results import Result
from .signatures import Function, Signature, read_signature
from .tool_schemas import Schemas, schemas_of
from .wrappers import makes_functions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...ir.model import PythonCall
    from .decorators import OfferKind
    from .docstrings import Docstring
    from .forms import Form
    from .python_calls import Surroundings
    from .selection import Chosen
    from .subjects import Subject

NO_SCHEMA = Result(kind="json")
"""Results of offers have no schema in the protocol."""


@dataclass(slots=True, kw_only=True)
class OfferFunction:
    """What was read of one function; `refused` says why it cannot be called with what clients send."""

    subject: Subject
    written: Subject
    signature: Signature
    documentation: Docstring
    returns: Form | None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refused: list[Diagnostic] = field(default_factory=list)

    def schemas(self, around: Surroundings) -> Schemas:
        """Return the schema of the arguments and how they are converted."""
        return schemas_of(self.signature, NO_SCHEMA, around.types, around.module_targets)

    def call(self, schemas: Schemas, around: Surroundings) -> PythonCall:
        """Return how it is called. Numbers are read from texts, which have all their digits anyway."""
        return replace(python_call(self.subject, self.written, self.signature, schemas, around), exact_numbers=False)

    def keep(self, names: Iterable[str]) -> None:
        """Leave only these properties for clients; the others keep their defaults."""
        kept = frozenset(names)
        self.signature.properties = [one for one in self.signature.properties if one.wire in kept]
        self.signature.extra = False


def read_function(chosen: Chosen, kind: OfferKind, around: Surroundings) -> OfferFunction:
    """Read the function of a resource, a prompt or a completer."""
    subject, types = chosen.subject, around.types
    function_types, written = types_of(subject, types)
    documentation = documentation_of(written)
    parameters = parameters_of(replace(written, given=written.given + chosen.decorations.supplied))
    target = types.reading.program.module(subject.target[0])
    function = Function(
        unit=subject.unit,
        is_async=isinstance(written.node, ast.AsyncFunctionDef),
        texts=documentation.parameters,
        scope=Scope(module=written.module, owners=written.owners),
        bound_scope=Scope(module=target or written.module),
        types=function_types,
    )
    signature = read_signature(parameters, function, types)
    found = OfferFunction(
        subject=subject,
        written=written,
        signature=signature,
        documentation=documentation,
        returns=function_types.returns(types.reading),
    )
    said = [*chosen.decorations.diagnostics, *signature.diagnostics]
    names = [each.name for each in parameters]
    said += findings(
        written, documentation, signature, description=documentation.description, parameters=names, must_tell=False
    )
    said += question_findings(written.node, signature.inject, written.module, subject.unit)
    # A text is what a client sends in any case, so a parameter that states no type just takes it.
    found.diagnostics = [_worded(each, kind, subject) for each in said if each.rule.name != "untyped-parameter"]
    found.refused = [_worded(each, kind, subject) for each in signature.refused]
    reason = chosen.decorations.excluded
    if reason is None and not isinstance(subject.node, ast.Lambda) and makes_functions(subject.node):
        reason = "it returns a function (a decorator, or a maker of functions)"
    if reason is not None:
        message = f"`{subject.unit}` cannot be a {kind}: {reason}"
        found.refused.append(offer_finding("unsupported-feature", message, subject))
    return found


def offer_finding(
    name: str, message: str, subject: Subject, node: ast.AST | None = None, *, hint: str | None = None
) -> Diagnostic:
    """Return a finding about an offer, at a node of its module or at its function's name."""
    span = subject.module.span(node) if node is not None else subject.span
    return Diagnostic(rule=rule(name), message=message, span=span, hint=hint, unit=subject.unit)


def with_way_out(found: Iterable[Diagnostic], unit: str) -> list[Diagnostic]:
    """Return findings that leave something out, each with the setting that says so."""
    return [replace(each, paste=each.paste or f'hide = ["{unit}"]') for each in found]


def choices_of(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts a client may send for a property with a few fixed values; empty for any other."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return choices_of(definitions.get(reference.rpartition("/")[2], {}), {})
    arms = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(arms, list):
        stated = [choices_of(arm, definitions) for arm in arms if arm.get("type") != "null"]
        return tuple(dict.fromkeys(each for one in stated for each in one)) if all(stated) else ()
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if not all(isinstance(each, str | int) and not isinstance(each, bool) for each in values if each is not None):
        return ()
    return tuple(str(each) for each in values if each is not None)


def _worded(diagnostic: Diagnostic, kind: OfferKind, subject: Subject) -> Diagnostic:
    """Return a finding of the readers, which speak of tools, with the kind of thing this is."""
    message = diagnostic.message.replace(f"tool `{subject.unit}`", f"{kind} `{subject.unit}`")
    hint = diagnostic.hint
    if hint is not None and "[tool.mcpgen.tools" in hint:
        hint = "Annotate it with a type that can be written as a text, or give it a default (it is then left out)."
    return replace(diagnostic, message=message, hint=hint, unit=subject.unit)
