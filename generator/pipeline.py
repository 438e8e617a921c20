"""From a source to a tree of files: read, refine, render. This is the file to read first.

    source --frontends--> Server --passes--> Server --backends--> {path: bytes}

Reading collects diagnostics and goes on, so that one run shows everything; passes may leave out what cannot be served;
rendering is pure and cannot fail. Writing and comparing is `output`'s business, judging diagnostics the command's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import TYPE_CHECKING, cast

from .backends.server import render
from .build_values import ApiRequest, BuildRequest, BuildResult, units
from .collector import kept
from .jsonschema.subschemas import remembering
from .passes import additions, budget, defaults, descriptions, integers, names, offers, schemas, scopes, validity, views

if TYPE_CHECKING:
    from .config import Config
    from .diagnostics.model import Diagnostic
    from .frontends.openapi.settings import ReadResult as ApiReading
    from .frontends.python.read import ReadResult as PythonReading
    from .ir.model import Server

__all__ = ["ApiRequest", "BuildRequest", "BuildResult", "build", "refine", "refined"]


def build(request: BuildRequest | ApiRequest) -> BuildResult:
    """Build a server in memory; problems of the source are diagnostics, never exceptions."""
    with remembering():
        return _built(request)


def _built(request: BuildRequest | ApiRequest) -> BuildResult:
    reading = kept(_read(request))
    result = _refined(request, reading)
    server = result.server
    if server is None or reading.server is None:
        return result
    if isinstance(request, ApiRequest):
        from .frontends.openapi.typed import typed

        models, stubs, found = typed(cast("ApiReading", reading), server, request.reading)
        rendered = render(server, models=models, stubs=stubs)
        result = replace(result, diagnostics=(*result.diagnostics, *found))
    else:
        rendered = render(server)
    return kept(replace(result, **{each.name: getattr(rendered, each.name) for each in fields(rendered)}))


def refined(request: BuildRequest | ApiRequest) -> BuildResult:
    """Read a source and run the passes: what `inspect` shows and `build` renders; there is no tree yet."""
    return _refined(request, _read(request))


def refine(
    server: Server,
    found: tuple[Diagnostic, ...] = (),
    refused_views: tuple[str, ...] = (),
    config: Config | None = None,
) -> tuple[Server | None, tuple[Diagnostic, ...]]:
    """Run the passes over a server; None when nothing of it is left or its name cannot be used.

    `config` says where the settings stand that the server was made with.
    """
    server, by_offer = offers.apply(server)
    server, by_name = names.apply(server)
    server, by_link = views.apply(server, refused_views)
    server, by_text = descriptions.apply(server)
    server, by_schema = validity.apply(server)
    server, by_default = defaults.apply(server)
    server = schemas.apply(server)
    found = (*found, *by_name, *by_link, *by_text, *by_offer, *by_schema, *by_default, *integers.apply(server))
    found = (*found, *scopes.apply(server, config))
    fatal = names.unusable(server, found)
    return (None if fatal else server), (*found, *fatal)


def _read(request: BuildRequest | ApiRequest) -> ApiReading | PythonReading:
    """Read a source with the front end of its kind."""
    if isinstance(request, ApiRequest):
        from .frontends.openapi.read import read as read_api

        return read_api(request.reading)
    from .frontends.python.read import read

    return read(request.source, _settled(request), request.environment, link=request.link)


def _refined(request: BuildRequest | ApiRequest, reading: ApiReading | PythonReading) -> BuildResult:
    if reading.server is None:
        return BuildResult(server=None, diagnostics=reading.diagnostics)
    server, found = refine(reading.server, reading.diagnostics, reading.refused_views, request.config)
    if server is not None:
        server, by_setting = additions.apply(server, request.config)
        found = (*found, *by_setting)
    if server is not None and isinstance(request, ApiRequest):
        server, chosen = budget.apply(server, exposure=request.exposure, budget=request.budget)
        found = (*found, *chosen)
    dropped = Counter(units(reading.server)) - Counter(units(server) if server is not None else ())
    api = getattr(reading, "api", None)
    known = {each.key: each.operation_id for each in api.operations if each.operation_id} if api is not None else {}
    return BuildResult(
        server=server, diagnostics=found, left_out=(*reading.left_out, *dropped.elements()), identifiers=known
    )


def _settled(request: BuildRequest) -> Config:
    """Return the settings under the names that were asked for: copied files may contain them, so reading needs them."""
    config = request.config
    return replace(config, name=request.name or config.name, package=request.package or config.package)
