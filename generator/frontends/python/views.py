"""Views of a module: functions under `@ui_resource`, as statements that are merged with those of the settings."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ...ir.model import Resource
from ...views.statements import OPTIONS, Statement
from .constants import Unevaluable, evaluate
from .form_parts import arms, awaited
from .forms import AnyForm, NoneForm, UnsuppliableForm
from .markers import icons_of, marker_problem, read_marker
from .offer_functions import offer_finding, read_function
from .offer_options import VIEW, limits_of
from .reading import Scope
from .tool_names import name_of, title_of
from .view_texts import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.model import Diagnostic
    from .forms import Form
    from .markers import Marker
    from .offer_functions import OfferFunction
    from .python_calls import Surroundings
    from .selection import Chosen


def read_view(
    chosen: Chosen, expression: ast.expr, around: Surroundings
) -> tuple[str | None, Statement | None, tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Read one marked function: its URI, what it states, what was found, and why it cannot be served if it cannot."""
    subject = chosen.subject
    scope = Scope(module=subject.module, owners=subject.owners)
    marker = read_marker(expression, subject.unit, scope, around.types.reading, VIEW)
    uri = _uri(expression, scope, around)
    if uri is None:
        message = "the URI of `ui_resource` must be there, as a literal or a name bound to one"
        hint = 'Write it like `@ui_resource("ui://weather/forecast")`.'
        refusal = marker_problem(message, expression, subject.unit, subject.module, hint=hint)
        return None, None, marker.diagnostics, (refusal,)
    function = read_function(chosen, "view", around)
    refused = (*function.refused, *_misfits(function, marker, around))
    if refused:
        return uri, None, marker.diagnostics, refused
    return uri, _statement(uri, function, marker, around), (*marker.diagnostics, *function.diagnostics), ()


def _uri(expression: ast.expr, scope: Scope, around: Surroundings) -> str | None:
    arguments = expression.args if isinstance(expression, ast.Call) else []
    try:
        found: Any = evaluate(arguments[0], scope, around.types.reading) if arguments else None
    except Unevaluable:
        return None
    return found if isinstance(found, str) else None


def _statement(uri: str, function: OfferFunction, marker: Marker, around: Surroundings) -> Statement:
    subject, options = function.subject, marker.options
    function.keep(())
    schemas = function.schemas(around)
    name = name_of(subject.unit)
    description = function.documentation.description
    source = subject.module.source
    folder, slash, _ = source.shown.rpartition("/")
    return Statement(
        uri=uri,
        place="the module",
        options={key: value for key, value in options.items() if key in OPTIONS},
        spans=marker.spans,
        span=subject.span,
        unit=subject.unit,
        makes=Resource(
            uri=uri,
            kind="ui",
            name=name,
            title=title_of(options.get("name", name), options.get("description", description)),
            description=description,
            icons=icons_of(options),
            call=function.call(schemas, around),
            limits=limits_of(options),
            meta=options.get("meta", {}),
            span=subject.span,
        ),
        texts=() if "file" in options else tuple(texts_of(subject, around.types.reading)),
        folder=source.path.parent,
        shown=f"{folder}{slash}",
    )


def _misfits(function: OfferFunction, marker: Marker, around: Surroundings) -> Iterator[Diagnostic]:
    """Yield why a function makes no view: it needs arguments, or returns something that is no HTML."""
    subject = function.subject
    needed = [one.name for one in function.signature.properties if one.required]
    if needed:
        message = f"`{needed[0][:60]}` of view `{subject.unit}` has no default, and nobody could give it"
        yield offer_finding("invalid-view", message, subject, hint="A view takes no arguments; a context it may have.")
    if "file" in marker.options:
        if not _is_empty(function):
            message = f"the HTML of view `{subject.unit}` is a file, but its function has a body, too"
            yield offer_finding(
                "marker-conflict", message, subject, hint="Leave the body empty (`...`), or the file out."
            )
        return
    if function.returns is not None and not all(_may_be_text(arm, around) for arm in arms(awaited(function.returns))):
        message = f"view `{subject.unit}` returns something else than a text or bytes"
        yield offer_finding("invalid-view", message, subject, hint="Return the HTML as `str` or `bytes`.")


def _may_be_text(arm: Form, around: Surroundings) -> bool:
    """Return whether a value may be a text or bytes, for all that its type says."""
    if isinstance(arm, NoneForm | UnsuppliableForm):
        return False
    if isinstance(arm, AnyForm) or any(each.level == "error" for each in around.types.findings(arm, "result")):
        return True
    schema = around.types.schemas("result").complete(arm) or {}
    return schema.get("type", "string") == "string" and "$ref" not in schema


def _is_empty(function: OfferFunction) -> bool:
    """Return whether a function only carries a marker: its body is a docstring, `...`, `pass` or a refusal."""
    body = getattr(function.written.node, "body", [])
    return isinstance(body, list) and all(
        isinstance(each, ast.Pass | ast.Raise) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in body
    )
