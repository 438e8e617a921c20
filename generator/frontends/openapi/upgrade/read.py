"""Read a description of any version as one `Api`: the door of this package.

What is wrong costs as little as possible. A document of no known kind is refused; a part that is no part of a request
(a description, an example, a header of an answer) is passed over; anything an operation's request is made from costs
that operation, and every such loss is one diagnostic with file, line and pointer.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from ..limits import LEAST_PARTS, PARTS_PER_BYTE
from ..load_problem import ReferenceProblem
from ..model import Api, ApiServer, Tag
from ..room import Room
from .findings import Findings, Unreadable
from .operations import OperationReader, documentation_url, every, names_of
from .requirements import Security
from .schemes import read_scheme
from .servers import read_servers
from .shared import Shared
from .sources import Documents, Reading, extensions
from .swagger_operations import SwaggerDefaults, media_types
from .swagger_schemes import read_swagger_scheme
from .swagger_servers import swagger_servers
from .values import text, texts
from .version import read_version

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ....diagnostics.model import Diagnostic
    from ..model import Requirement
    from ..place import Place
    from .operations import Wanted


def read_api(
    documents: Documents,
    report: Callable[[Diagnostic], None],
    room: Room | None = None,
    wanted: Wanted = every,
) -> Api | None:
    """Return the description, None (with the reason reported) when it is of no kind or version that can be read.

    Operations that find no room are left out; `wanted` tells which are asked for, so that the others take none of it.
    """
    findings = Findings(report)
    root, place = documents.root, documents.entry
    try:
        version = read_version(root, place, findings)
    except Unreadable as problem:
        findings.error(problem)
        return None
    else:
        reading = Reading(
            documents=documents,
            findings=findings,
            dialect=version.dialect,
            minor=version.minor,
            shared=Shared(findings),
            room=room or Room(LEAST_PARTS, PARTS_PER_BYTE),
        )
        assert isinstance(root, dict)  # noqa: S101 -- read_version refuses everything else
        return _read_document(reading, version.written, root, place, wanted)
    finally:
        findings.flush()


def _read_document(reading: Reading, version: str, root: Mapping[str, object], place: Place, wanted: Wanted) -> Api:
    # what the document says once is as large as it is written
    around = replace(reading, room=Room(sys.maxsize, 0))
    info = _section(around, root, "info", place)
    servers = _servers(around, root, place)
    security = Security(reading=around)
    if reading.dialect == "2.0":
        declared, at, read = root.get("securityDefinitions"), place.at("securityDefinitions"), read_swagger_scheme
    else:
        components = _section(around, root, "components", place)
        declared, at, read = components.get("securitySchemes"), place.at("components", "securitySchemes"), read_scheme
    try:
        security.declare(declared, at, read)
    except (Unreadable, ReferenceProblem) as problem:
        reading.findings.error(problem)
    operations = OperationReader(
        reading=reading,
        security=replace(security, reading=reading),
        default_security=_default_security(around, security, root, place),
        swagger=_swagger_defaults(around, root, place),
        wanted=wanted,
    )
    operations.read_paths(root.get("paths"), place.at("paths"))
    return Api(
        version=version,
        title=text(info.get("title")),
        api_version=text(info.get("version")),
        summary=text(info.get("summary")),
        description=text(info.get("description")),
        servers=servers,
        schemes=security.schemes,
        tags=_tags(root.get("tags")),
        operations=tuple(operations.operations),
        unreadable=tuple(operations.unreadable),
        webhooks=names_of(root.get("webhooks")) or names_of(root.get("x-webhooks")),
        external_docs=documentation_url(root.get("externalDocs")),
        extensions=extensions(root),
        place=place,
    )


def _section(reading: Reading, root: Mapping[str, object], name: str, place: Place) -> Mapping[str, object]:
    """Return an object of the document, an empty one (and a diagnostic) when it is something else."""
    try:
        return reading.optional_mapping(root.get(name), place.at(name), name)[0]
    except (Unreadable, ReferenceProblem) as problem:
        reading.findings.error(problem)
        return {}


def _servers(reading: Reading, root: Mapping[str, object], place: Place) -> tuple[ApiServer, ...]:
    if reading.dialect == "2.0":
        return swagger_servers(root, texts(root.get("schemes")), place)
    try:
        return read_servers(reading, root.get("servers"), place.at("servers"))
    except (Unreadable, ReferenceProblem) as problem:
        reading.findings.error(problem)
        return ()


def _default_security(
    reading: Reading, security: Security, root: Mapping[str, object], place: Place
) -> tuple[Requirement, ...] | Unreadable | ReferenceProblem:
    try:
        return security.alternatives(root.get("security"), place.at("security"))
    except (Unreadable, ReferenceProblem) as problem:
        if problem in security.refused.values():
            return problem
        reading.findings.error(problem)
        return ()


def _swagger_defaults(reading: Reading, root: Mapping[str, object], place: Place) -> SwaggerDefaults | None:
    if reading.dialect != "2.0":
        return None
    return SwaggerDefaults(
        root=root,
        place=place,
        consumes=media_types(reading, root, "consumes", place),
        produces=media_types(reading, root, "produces", place),
    )


def _tags(written: object) -> tuple[Tag, ...]:
    """Return the declared tags; 3.2's `summary` stands in for a missing description."""
    if not isinstance(written, list | tuple):
        return ()
    found = []
    for value in written:
        if isinstance(value, dict) and text(value.get("name")):
            description = text(value.get("description")) or text(value.get("summary"))
            found.append(Tag(name=text(value["name"]), description=description))
    return tuple(found)
