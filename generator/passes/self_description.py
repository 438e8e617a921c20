"""A resource that describes the server itself, where the settings name a URI for it (R155)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.model import Resource
from ..views.uris import is_view_uri

if TYPE_CHECKING:
    from ..ir.model import Server

NAME = "schema"
TEXT = "Everything this server offers, as JSON: its tools with their schemas, resources and prompts."


def apply(server: Server, uri: str | None) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with the resource; a resource of the author's under that URI stays, and is reported."""
    if uri is None:
        return server, ()
    if is_view_uri(uri):
        message = f"`{uri[:80]}` in `schema_resource_uri` is a URI of views, and the description is none"
        return server, (Diagnostic(rule=rule("reserved-scheme"), message=message, hint="Choose another scheme."),)
    if any(each.uri == uri for each in server.resources):
        message = f"`{uri[:80]}` in `schema_resource_uri` is the URI of another resource, which is served"
        hint = "Choose another URI for one of them."
        return server, (Diagnostic(rule=rule("offer-collision"), message=message, hint=hint),)
    made = Resource(
        uri=uri, kind="static", name=NAME, title="Schema", description=TEXT, mime_type="application/json", call=None
    )
    return replace(server, resources=(*server.resources, made)), ()
