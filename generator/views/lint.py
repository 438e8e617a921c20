"""What is said of HTML that is known at build time: is it a document, what is missing, does it hold secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic, Span
from ..diagnostics.rules import rule
from .markup import is_external, read_markup, unlisted
from .metadata import CSP_MEMBERS
from .secrets import secrets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .markup import Reference


WHOLE = "Make it a whole page: begin it with `<!doctype html>`."
"""What to do about HTML that is part of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewText:
    """HTML that is known, and where it stands: a file and the line its first one is; `whole` if it is all of a view."""

    text: str
    path: str
    first_line: int = 1
    whole: bool = True

    def span(self, line: int) -> Span:
        """Return the place of a line of the text, counted from 1."""
        at = self.first_line + line - 1
        return Span(path=self.path, line=at, column=1, end_line=at, end_column=1)


def lint(html: ViewText, view: str, meta: Mapping[str, Any], unit: str | None) -> Iterator[Diagnostic]:
    """Yield what is wrong with a view's HTML, which messages call `view`; an error says that no host can show it."""
    markup = read_markup(html.text)
    if not markup.document and html.whole:
        message = f"the view {view} is no document: it begins neither with `<!doctype html>` nor with `<html>`"
        yield Diagnostic(rule=rule("invalid-view"), message=message, span=html.span(1), hint=WHOLE, unit=unit)
    elif not markup.doctype and html.whole:
        message = f"the view {view} has no `<!doctype html>`; browsers show it as pages were in 1999"
        yield Diagnostic(rule=rule("view-markup"), message=message, span=html.span(1), unit=unit)
    for reference in unlisted(markup, meta.get("csp", {})):
        yield _unlisted(reference, html, view, unit)
    for secret in secrets(html.text):
        message = f"the view {view} seems to hold {secret.kind}; whoever opens it can read it"
        yield Diagnostic(rule=rule("view-secret"), message=message, span=html.span(secret.line), unit=unit)


def _unlisted(reference: Reference, html: ViewText, view: str, unit: str | None) -> Diagnostic:
    ours = next(name for name, theirs in CSP_MEMBERS.items() if theirs == reference.member)
    shown = reference.address[:80]
    if is_external(reference.address):
        message = f"{reference.where} of the view {view} names `{shown}`, which its policy does not let it load"
        hint = f"Put it into the page, or list its origin in `{ours}` of `csp`."
    else:
        message = f"{reference.where} of the view {view} names `{shown}`, but a view has no files beside it"
        hint = "Put it into the page."
    return Diagnostic(
        rule=rule("unlisted-origin"), message=message, span=html.span(reference.line), hint=hint, unit=unit
    )
