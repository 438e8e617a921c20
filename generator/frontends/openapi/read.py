"""Reading an API description into the IR: the front end's door.

    documents --overlays--> Api --names, selection--> operations --schemas--> Tool …  + servers, credentials -> Server

The network is asked for a source that is an address, and for references where remote ones are allowed. Every problem is
a diagnostic; an operation that cannot be served is left out and the reading goes on (decision 7). Whether that is
acceptable is the caller's decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ...ir.model import Server, Source
from ...views.building import build_views
from ...views.statements import of_settings
from .application import report_middleware, with_application
from .building import Builder
from .candidates import candidates_of, report_taken
from .descriptions import instructions_of
from .documents import LoadOptions, LoadProblem, open_description
from .exposed_credentials import report_exposed
from .findings import Findings, shown
from .identity import identity_of, website_of
from .limits import LEAST_PARTS, LEAST_SCHEMAS, PARTS_PER_BYTE, SCHEMAS_PER_BYTE
from .notes import report_kept_back, report_writing
from .plain_text import plain
from .room import Room
from .schemas import Schemas
from .scopes import declared_scopes, settings_of
from .security import credentials
from .selection import chosen, is_selective, may_be_wanted, wants
from .servers import NEEDED, Refused, Servers
from .service import service_of
from .settings import OpenApiRequest, ReadResult
from .tool_names import report_renamed
from .upgrade import read_api

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...config import ToolSetting
    from ...views.building import Views
    from .building import Built
    from .documents import Documents
    from .model import Api


def read(request: OpenApiRequest) -> ReadResult:
    """Read a description; what is wrong with it is in the result, never an exception."""
    findings = Findings()
    try:
        documents = _loaded(request, findings)
    except LoadProblem as problem:
        return ReadResult(server=None, diagnostics=(*findings.all(), *problem.diagnostics))
    if findings.has_error():
        return ReadResult(server=None, diagnostics=findings.all())  # an overlay that does not say what it is to do
    room = Room(LEAST_PARTS, PARTS_PER_BYTE, lambda: documents.size)
    api = read_api(documents, findings, room, partial(may_be_wanted, request))
    if api is None:
        return ReadResult(server=None, diagnostics=findings.all())
    schemas = Schemas(documents, findings, Room(LEAST_SCHEMAS, SCHEMAS_PER_BYTE, lambda: documents.size))
    reading = _Reading(request=request, api=api, documents=documents, schemas=schemas, findings=findings)
    try:
        return reading.result()
    except Refused:
        return ReadResult(server=None, diagnostics=findings.all(), api=api, schemas=schemas)


def _loaded(request: OpenApiRequest, findings: Findings) -> Documents:
    """Return the description with its overlays applied; raises LoadProblem."""
    options = LoadOptions(
        ref_root=request.ref_root,
        allow_remote_refs=request.allow_remote_refs,
        allow_private_hosts=request.allow_private_hosts,
    )
    documents = open_description(request.source, options=options)
    if request.overlays:
        from .overlay import apply_overlays

        apply_overlays(documents, request.overlays, findings)
    return documents


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One reading, once the description is loaded."""

    request: OpenApiRequest
    api: Api
    documents: Documents
    schemas: Schemas
    findings: Findings

    def result(self) -> ReadResult:
        """Return the server; raises Refused when no server of the description may be asked."""
        api, request, findings = self.api, self.request, self.findings
        found = candidates_of(api, request, findings)
        selected = chosen(found.candidates, api, request, findings)
        if findings.has_error("unmatched-selection"):
            # What was asked for by name is missing: to serve the rest would not be what was asked for.
            return ReadResult(server=None, diagnostics=findings.all(), api=api, schemas=self.schemas)
        for each in selected:
            if each.rule.name is None:
                known = request.known_names.get(each.operation.key) == each.name
                report_renamed(each.operation, each.name, findings, known=known)
        report_taken(selected, found.named, request.known_names, findings)
        if findings.has_error("taken-name"):
            return ReadResult(server=None, diagnostics=findings.all(), api=api, schemas=self.schemas)
        resolver = Servers(
            findings,
            document_url=request.source if "://" in request.source else None,
            pinned=request.base_url is not None,
            allow_private_hosts=request.allow_private_hosts,
        )
        urls = resolver.base_urls(api.servers)
        self._report_missing(urls)
        built = self._builder(resolver, found.settings, urls).build(selected, listed=request.listed)
        views = build_views(of_settings(request.config))
        server = self._server(built, urls, views)
        if not is_selective(request):
            report_writing(server.tools, findings)
        report_exposed(api, built.served, findings)
        report_kept_back(api, [each.operation for each in built.served], findings)
        self.schemas.finish()
        lost = (key for key in api.unreadable if wants(key, request))
        return ReadResult(
            server=server,
            diagnostics=(*self.documents.notices, *findings.all()),
            left_out=(*lost, *built.left_out),
            refused_views=tuple(views.refused),
            api=api,
            schemas=self.schemas,
        )

    def _builder(self, resolver: Servers, settings: Mapping[str, ToolSetting], urls: Sequence[str]) -> Builder:
        return Builder(
            documents=self.documents,
            schemas=self.schemas,
            findings=self.findings,
            resolver=resolver,
            settings=settings,
            base=urls[0] if urls else "",
        )

    def _report_missing(self, urls: Sequence[str]) -> None:
        if not urls and not self.api.servers and self.request.base_url is None:
            place = self.api.place
            self.findings.tell("missing-server", "the description names no server", place=place, hint=NEEDED)

    def _server(self, built: Built, urls: Sequence[str], views: Views) -> Server:
        api, request, config = self.api, self.request, self.request.config
        identity = identity_of(api, request)
        operations = [each.operation for each in built.served]
        base = request.base_url or (urls[0] if urls else "")
        report_middleware(config, self.findings)
        for each in views.diagnostics:
            self.findings(each)
        needed = credentials(api, operations, identity.id, config, base, self.findings)
        return Server(
            id=identity.id,
            package=identity.package,
            command=identity.command,
            version=identity.version,
            title=config.title or shown(api.title) or None,
            description=config.description or api.summary.strip() or _first_paragraph(api.description),
            documentation=_documentation(api.description),
            instructions=config.instructions or instructions_of(api),
            website=config.website or website_of(api),
            tools=built.tools,
            config=with_application(needed.entries, config, built.tools, api.operations, self.findings),
            scopes=declared_scopes(api, config, built.tools),
            resources=tuple(views.resources),
            settings=settings_of(config),
            http=service_of(request, urls, request.base_url, needed),
            source=Source(
                kind="openapi",
                name=_source_name(request.source),
                inputs={**self.documents.inputs, **views.inputs},
                files=tuple(views.files),
            ),
        )


def _documentation(text: str) -> str:
    """Return what a description says at length, if that is more than a paragraph."""
    whole = text.strip()
    return whole if "\n\n" in whole else ""


def _first_paragraph(text: str) -> str:
    return plain(text).strip().split("\n\n", 1)[0].strip()


def _source_name(source: str) -> str:
    """Return the source as the user gave it, without the folder of a file."""
    return source if "://" in source else source.replace("\\", "/").rpartition("/")[2]
