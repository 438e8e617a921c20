"""What a module offers besides tools: functions under `@resource`, `@prompt`, `@completer` and `@ui_resource`.

As with tools, what cannot be served gives its reasons and is left out, and the reading goes on (decision 7).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.model import Prompt, PromptArgument, Resource
from ...views.uris import is_view_uri
from .completers import Completers, complete
from .constants import Unevaluable, evaluate
from .form_parts import arms, awaited, parts
from .forms import AnyForm, ContentForm, NoneForm, ScalarForm
from .markers import icons_of, marker_problem, read_marker
from .offer_functions import choices_of, offer_finding, read_function, with_way_out
from .offer_options import PROMPT, RESOURCE, annotations_of, limits_of
from .reading import Scope
from .results import result_of
from .tool_names import name_of, title_of
from .uris import read_uri
from .views import read_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ...diagnostics.model import Diagnostic
    from ...views.statements import Statement
    from .forms import Form
    from .markers import Marker, MarkerForm
    from .offer_functions import OfferFunction
    from .python_calls import Surroundings
    from .selection import Chosen
    from .tool_schemas import Schemas

MEDIA_TYPES = {"builtins.str": "text/plain", "str": "text/plain", "builtins.bytes": None, "bytes": None}
"""What texts and bytes are; anything else that a function may return is JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """The resources and prompts of a module, what it says of views, what was found, what cannot be served."""

    resources: tuple[Resource, ...] = ()
    views: tuple[Statement, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[str, ...] = ()
    refused_views: tuple[str, ...] = ()


def build_offers(offered: Sequence[Chosen], around: Surroundings) -> Offers:
    """Build the resources and prompts of functions that are marked so; never raises for what a user may write."""
    builder = _Builder(around)
    for chosen in offered:
        for kind, expression in chosen.decorations.offers:
            try:
                builder.take(chosen, kind, expression)
            except RecursionError:
                message = f"`{chosen.subject.unit}` is nested too deeply to be read"
                builder.refuse(chosen, offer_finding("source-too-deep", message, chosen.subject))
    return builder.built(offered)


class _Builder:
    __slots__ = (
        "_around", "_completers", "_diagnostics", "_left_out", "_prompts", "_refused_views", "_resources", "_views",
    )  # fmt: skip

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._completers = Completers(around)
        self._diagnostics: list[Diagnostic] = []
        self._left_out: list[str] = []
        self._resources: dict[str, Resource] = {}
        self._views: list[Statement] = []
        self._refused_views: list[str] = []
        self._prompts: dict[str, Prompt] = {}

    def refuse(self, chosen: Chosen, *found: Diagnostic) -> None:
        self._diagnostics += with_way_out(found, chosen.subject.unit)
        self._left_out.append(chosen.subject.unit)

    def built(self, offered: Sequence[Chosen]) -> Offers:
        for chosen in offered:
            for kind, expression in chosen.decorations.offers:
                if kind == "completer":
                    self._completers.take(chosen, expression)
        resources, prompts = complete(self._completers, self._resources, self._prompts)
        return Offers(
            resources=resources,
            prompts=prompts,
            views=tuple(self._views),
            diagnostics=tuple(dict.fromkeys([*self._diagnostics, *self._completers.diagnostics])),
            left_out=tuple(dict.fromkeys([*self._left_out, *self._completers.left_out])),
            refused_views=tuple(self._refused_views),
        )

    def take(self, chosen: Chosen, kind: str, expression: ast.expr) -> None:
        """Build one resource or prompt; completers wait until all of those are known."""
        if kind == "resource":
            self._resource(chosen, expression)
        elif kind == "prompt":
            self._prompt(chosen, expression)
        elif kind == "view":
            uri, view, found, refused = read_view(chosen, expression, self._around)
            self._diagnostics += found
            if refused:
                self.refuse(chosen, *refused)
                self._refused_views += [uri] if uri is not None else []
            self._views += [view] if view is not None else []

    def _marker(self, chosen: Chosen, expression: ast.expr, form: MarkerForm) -> Marker:
        subject = chosen.subject
        scope = Scope(module=subject.module, owners=subject.owners)
        marker = read_marker(expression, subject.unit, scope, self._around.types.reading, form)
        self._diagnostics += marker.diagnostics
        return marker

    # -- resources

    def _resource(self, chosen: Chosen, expression: ast.expr) -> None:
        options = self._marker(chosen, expression, RESOURCE).options
        uri = self._uri(chosen, expression)
        if uri is None:
            return
        function = read_function(chosen, "resource", self._around)
        refused = [*function.refused, *_misfits(function, uri, expression), *self._unreadable(function)]
        if refused:
            self.refuse(chosen, *refused)
            return
        self._diagnostics += function.diagnostics
        key = f"resource:{uri}"
        while key in self._resources:
            key += "'"  # told apart here, reported by the pass that looks at names
        self._completers.know(chosen, key)
        self._resources[key] = self._made(function, uri, options)

    def _made(self, function: OfferFunction, uri: str, options: Mapping[str, Any]) -> Resource:
        variables = read_uri(uri).variables
        function.keep(variables)
        schemas = function.schemas(self._around)
        known = {each.name: each for each in _arguments(function, schemas)}
        name = options.get("name") or name_of(function.subject.unit)
        description = options.get("description") or function.documentation.description
        return Resource(
            uri=uri,
            kind="template" if variables else "computed",
            name=name,
            title=options.get("title") or title_of(name, description),
            description=description,
            mime_type=options.get("mime_type") or _media_type(function.returns),
            variables=tuple(known[each] for each in variables),
            input_schema=schemas.arguments if variables else {},
            annotations=annotations_of(options),
            icons=icons_of(options),
            call=function.call(schemas, self._around),
            limits=limits_of(options),
            scopes=tuple(options.get("scopes", ())),
            meta=options.get("meta", {}),
            span=function.subject.span,
        )

    def _unreadable(self, function: OfferFunction) -> Iterable[Diagnostic]:
        """Yield why what the function returns is nothing that can be read."""
        result = result_of(function.returns, function.written, self._around.types)
        if result.refused is not None or result.kind == "none":
            message = f"resource `{function.subject.unit}` returns nothing that can be read"
            hint = "Return a text, bytes, JSON or content; None only where there is no such resource."
            yield offer_finding("unsupported-feature", message, function.subject, hint=hint)

    def _uri(self, chosen: Chosen, expression: ast.expr) -> str | None:
        """Return the URI a marker gives, which must be known now."""
        subject = chosen.subject
        arguments = expression.args if isinstance(expression, ast.Call) else []
        scope = Scope(module=subject.module, owners=subject.owners)
        uri: Any = None
        message = "`resource` needs the URI it is read by"
        if arguments:
            message = "the URI of `resource` cannot be read; it must be a literal, or a name bound to one"
            try:
                uri = evaluate(arguments[0], scope, self._around.types.reading)
            except Unevaluable:
                uri = None
        if isinstance(uri, str):
            return uri
        hint = 'Write it like `@resource("weather://stations/{station}")`.'
        self.refuse(chosen, marker_problem(message, expression, subject.unit, subject.module, hint=hint))
        return None

    # -- prompts

    def _prompt(self, chosen: Chosen, expression: ast.expr) -> None:
        subject = chosen.subject
        options = self._marker(chosen, expression, PROMPT).options
        function = read_function(chosen, "prompt", self._around)
        if function.refused:
            self.refuse(chosen, *function.refused)
            return
        self._diagnostics += function.diagnostics
        schemas = function.schemas(self._around)
        name = options.get("name") or name_of(subject.unit)
        description = options.get("description") or function.documentation.description
        key = f"prompt:{name}"
        while key in self._prompts:
            key += "'"
        self._completers.know(chosen, key)
        self._prompts[key] = Prompt(
            name=name,
            title=options.get("title") or title_of(name, description),
            description=description,
            arguments=tuple(_arguments(function, schemas)),
            input_schema=schemas.arguments,
            icons=icons_of(options),
            call=function.call(schemas, self._around),
            limits=limits_of(options),
            scopes=tuple(options.get("scopes", ())),
            meta=options.get("meta", {}),
            span=subject.span,
        )


def _arguments(function: OfferFunction, schemas: Schemas) -> Iterable[PromptArgument]:
    """Yield what clients fill, in the order of the signature."""
    properties = schemas.arguments.get("properties", {})
    definitions = schemas.arguments.get("$defs", {})
    for one in function.signature.properties:
        yield PromptArgument(
            name=one.wire,
            description=one.description or "",
            required=one.required,
            choices=choices_of(properties[one.wire], definitions),
        )


def _misfits(function: OfferFunction, uri: str, expression: ast.expr) -> Iterable[Diagnostic]:
    """Yield what is wrong with a URI, or does not fit between its variables and the function's parameters."""
    subject = function.subject
    variables, problem, hint = read_uri(uri)
    if is_view_uri(uri):
        message = f"`{uri[:80]}` is a URI of views, and resource `{subject.unit}` is none"
        yield offer_finding("reserved-scheme", message, subject, expression)
    elif problem is not None:
        message = f"the URI `{uri[:80]}` of resource `{subject.unit}` cannot be used: {problem}"
        yield offer_finding("resource-uri", message, subject, expression, hint=hint)
    if problem is not None or is_view_uri(uri) or function.refused:  # a refused parameter is missing here
        return
    known = {one.wire for one in function.signature.properties}
    for name in variables:
        if name not in known:
            message = f"`{{{name}}}` in the URI of resource `{subject.unit}` is no parameter of the function"
            hint = f"Give the function a parameter `{name}`, or take it out of the URI."
            yield offer_finding("template-parameter", message, subject, expression, hint=hint)
    for one in function.signature.properties:
        if one.required and one.wire not in variables:
            message = f"`{one.name[:60]}` of resource `{subject.unit}` is not in its URI, so that nobody can give it"
            hint = f"Write `{{{one.wire}}}` into the URI, or give the parameter a default."
            yield offer_finding("template-parameter", message, subject, hint=hint)


def _media_type(returns: Form | None) -> str | None:
    """Return the media type that a result's annotation implies; None when the value decides."""
    if returns is None:
        return None
    stated = [arm for arm in arms(awaited(returns)) if not isinstance(arm, NoneForm)]
    if any(isinstance(part, AnyForm | ContentForm) for arm in stated for part in parts(arm)):
        return None
    kinds = {arm.kind if isinstance(arm, ScalarForm) else "" for arm in stated}
    if len(kinds) != 1:
        return None
    return MEDIA_TYPES.get(kinds.pop(), "application/json")
