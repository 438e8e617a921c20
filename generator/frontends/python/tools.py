"""From a chosen function to a tool of the IR: everything the other readers found, put together.

A function that cannot be served gives its reasons and no tool (decision 7); nothing stops the reading of the next one.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...ir.model import PythonCall, Tool
from ...views.links import link_of
from .documentation import documentation_of, findings
from .facts import Facts, merge
from .function_types import types_of
from .markers import Marker, read_marker
from .module_links import with_links
from .parameters import first_by_position, parameters_of
from .python_calls import Surroundings, python_call
from .question_lint import question_findings, questions_of
from .reading import Scope
from .results import Result, result_of
from .serving import serves
from .signatures import Function, Signature, read_signature
from .task_starts import starts
from .tool_names import name_of, title_of
from .tool_schemas import Schemas, schemas_of
from .verbatim import is_object, verbatim_note

if TYPE_CHECKING:
    from .docstrings import Docstring
    from .function_types import FunctionTypes
    from .selection import Chosen
    from .subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A tool, or None with the reasons; `hidden` says that the author wants none."""

    tool: Tool | None
    diagnostics: tuple[Diagnostic, ...] = ()
    hidden: bool = False


def build_tool(chosen: Chosen, around: Surroundings) -> Built:
    """Build one tool; never raises for what a user may write."""
    try:
        return _Builder(chosen, around).build()
    except RecursionError:
        subject = chosen.subject
        message = f"`{subject.unit}` is nested too deeply to be read"
        found = Diagnostic(rule=rule("source-too-deep"), message=message, span=subject.span, unit=subject.unit)
        return Built(tool=None, diagnostics=(found,))


class _Builder:
    __slots__ = ("_around", "_chosen", "_diagnostics", "_subject")

    def __init__(self, chosen: Chosen, around: Surroundings) -> None:
        self._chosen = chosen
        self._around = around
        self._subject = chosen.subject
        self._diagnostics: list[Diagnostic] = list(chosen.decorations.diagnostics)

    def build(self) -> Built:
        facts = self._facts()
        if facts.hidden:
            return Built(tool=None, diagnostics=tuple(self._diagnostics), hidden=True)
        if self._subject.needs_instance:
            owner = self._subject.unit.rpartition(".")[0]
            hint = f"Bind an instance in the module, for example `tools = {owner}()`, and expose `tools.*`."
            self._report("unsupported-feature", f"`{self._subject.unit}` needs an instance of its class", hint=hint)
            return self._built(None)
        types, written = types_of(self._subject, self._around.types)
        documentation = documentation_of(written)
        supplied = written.given + self._chosen.decorations.supplied
        parameters = parameters_of(replace(written, given=supplied))
        if self._chosen.decorations.dispatches:
            parameters = first_by_position(parameters)
        function = self._function(written, types, documentation, lenient=facts.input_schema is not None)
        signature = read_signature(parameters, function, self._around.types)
        self._diagnostics += signature.diagnostics
        result = self._result(types.returns(self._around.types.reading), written, facts)
        refused = [*signature.refused, *([result.refused] if result.refused is not None else [])]
        if refused:
            self._diagnostics += [self._refusal(each) for each in refused]
            return self._built(None)
        self._diagnostics += result.diagnostics
        self._notes()
        schemas = schemas_of(signature, result, self._around.types, self._around.module_targets)
        tool = self._tool(facts, documentation, signature, result, schemas, written)
        if isinstance(tool.call, PythonCall) and (asks := questions_of(written.node, signature.inject)):
            tool = replace(tool, call=replace(tool.call, asks=asks))
        names = [each.name for each in parameters]
        said = facts.description or documentation.description
        self._diagnostics += findings(written, documentation, signature, description=said, parameters=names)
        unit = self._subject.unit
        self._diagnostics += question_findings(written.node, signature.inject, written.module, unit)
        return self._built(tool)

    def _function(self, written: Subject, types: FunctionTypes, documentation: Docstring, *, lenient: bool) -> Function:
        """Say what a signature is read with; `lenient` when the author gave the schema."""
        target = self._around.types.reading.program.module(self._subject.target[0])
        return Function(
            unit=self._subject.unit,
            is_async=isinstance(written.node, ast.AsyncFunctionDef),
            texts=documentation.parameters,
            scope=Scope(module=written.module, owners=written.owners),
            bound_scope=Scope(module=target or written.module),
            types=types,
            lenient=lenient,
        )

    def _built(self, tool: Tool | None) -> Built:
        return Built(tool=tool, diagnostics=tuple(dict.fromkeys(self._diagnostics)))

    def _report(self, name: str, message: str, *, hint: str | None = None) -> None:
        span, unit = self._subject.span, self._subject.unit
        self._diagnostics.append(Diagnostic(rule=rule(name), message=message, span=span, hint=hint, unit=unit))

    def _refusal(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a reason with the setting that leaves the function out."""
        unit = self._subject.unit
        return replace(diagnostic, unit=unit, paste=diagnostic.paste or f'hide = ["{unit}"]')

    def _facts(self) -> Facts:
        expression = self._chosen.decorations.marker
        marker = Marker()
        if expression is not None:
            scope = Scope(module=self._subject.module, owners=self._subject.owners)
            marker = read_marker(expression, self._subject.unit, scope, self._around.types.reading)
        marker, differing = with_links(marker, self._around.links.get(self._subject.unit, {}), self._subject)
        self._diagnostics += differing
        facts, conflicts = merge(marker, self._subject.unit, self._around.config)
        self._diagnostics += [*marker.diagnostics, *conflicts]
        for which in ("input_schema", "output_schema"):
            schema = getattr(facts, which)
            if schema is not None:
                span = marker.spans.get(which) or self._around.config.span("tools", self._subject.unit, which)
                self._diagnostics.append(verbatim_note(schema, which, self._subject.unit, span))
        return facts

    def _result(self, form: Any, written: Subject, facts: Facts) -> Result:
        if facts.output_schema is not None:
            return Result(kind="json")
        return result_of(form, written, self._around.types)

    def _notes(self) -> None:
        """Tell what kind of object became a tool, and that it may never return."""
        subject = self._subject
        if subject.kind in ("lambda", "partial"):
            what = "a lambda" if subject.kind == "lambda" else "a `functools.partial`"
            self._report_note(f"`{subject.unit}` is {what}; it is a tool because `expose` names it")
        if subject.binding is not None and subject.binding.undecided:
            message = f"`{subject.unit}` is defined in several branches that only a run decides; the last one is read"
            self._report("undecidable-definition", message)
        reason = serves(subject)
        if reason is not None and not self._chosen.named:
            hint = f'Leave it out with hide = ["{subject.unit}"], or name it in `expose` to keep it.'
            self._report("serving-function", f"`{subject.unit}` may never return: {reason}", hint=hint)

    def _report_note(self, message: str) -> None:
        from ...diagnostics.model import Severity

        span, unit = self._subject.span, self._subject.unit
        self._diagnostics.append(
            Diagnostic(rule=rule("opt-in"), severity=Severity.NOTE, message=message, span=span, unit=unit)
        )

    def _tool(
        self,
        facts: Facts,
        documentation: Docstring,
        signature: Signature,
        result: Result,
        schemas: Schemas,
        written: Subject,
    ) -> Tool:
        name = facts.name or name_of(self._subject.unit)
        deprecated = self._chosen.decorations.deprecated or documentation.deprecated
        title = facts.title or title_of(name, facts.description or documentation.description)
        description = _description(facts, documentation, schemas, deprecated)
        result_schema: Any = facts.output_schema if facts.output_schema is not None else schemas.result
        if documentation.returns and isinstance(result_schema, dict) and facts.output_schema is None:
            result_schema = {**result_schema, "description": documentation.returns}
        return Tool(
            name=name,
            title=title,
            description=description,
            input_schema=facts.input_schema if facts.input_schema is not None else schemas.arguments,
            result_schema=result_schema,
            wrap=result_schema is not None and not is_object(result_schema),
            result=result.kind,
            result_description=documentation.returns,
            verbatim=facts.input_schema is not None or facts.output_schema is not None,
            annotations=facts.annotations,
            call=python_call(self._subject, written, signature, schemas, self._around),
            limits=facts.limits,
            scopes=facts.scopes,
            config=facts.config,
            ui=link_of(facts.ui, facts.visibility),
            icons=facts.icons,
            aliases=facts.aliases,
            tags=facts.tags,
            meta=facts.meta,
            capture_output=bool(facts.capture_output),
            task=facts.task or "forbidden",
            task_starts=starts(written.node, signature.inject),
            coerce=facts.coerce,
            confirm=bool(facts.confirm),
            deprecated=deprecated,
            raises=documentation.raises,
            examples=documentation.examples,
            span=self._subject.span,
        )


def _description(facts: Facts, documentation: Docstring, schemas: Schemas, deprecated: str | None) -> str:
    """Return what the model reads of a tool: what is stated, or the docstring and what values mean."""
    description = facts.description or documentation.description
    if facts.description is None and schemas.value_texts:
        description = "\n\n".join([*([description] if description else []), "\n".join(schemas.value_texts)])
    if deprecated is not None:
        description = f"Deprecated: {deprecated}\n\n{description}".rstrip()
    return description
