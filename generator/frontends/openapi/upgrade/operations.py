"""Read the operations of `paths`: one that cannot be read is left out and reported, the others are kept."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..limits import OPERATION_PARTS, PROBLEM_PARTS
from ..load_problem import ReferenceProblem
from ..model import ApiServer, Operation, operation_key
from ..room import ALONE, OUTGROWN, Full, hint_for
from ..room import RULE as OUTGROWN_RULE
from .answers import read_responses
from .attempts import Attempts, Several
from .bodies import read_body
from .findings import Unreadable
from .fitting import fit
from .gathering import gather
from .header_names import is_token
from .parameters import read_parameter
from .path_items import operations_of, read_path_item
from .servers import read_servers
from .sources import extensions
from .strangers import report_shared_ids, report_strangers
from .swagger_operations import swagger_parts, swagger_servers_of
from .templates import PathTemplate, read_template
from .values import MAX_KEY, flag, optional_text, shown, text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..model import Body, Parameter, Requirement, Response
    from ..place import Place
    from .path_items import PathItem
    from .requirements import Security
    from .sources import Reading
    from .swagger_operations import SwaggerDefaults

    Wanted = Callable[[str, str | None, object], bool]
    Parts = tuple[list[Parameter], Body | None, tuple[Response, ...]]

COPIED = ("tags", "callbacks", "consumes", "produces", "schemes")
"""Lists that are taken over as they are."""

UNSENDABLE_METHODS = frozenset({"CONNECT"})
"""Methods whose request has another form (RFC 9110, section 9.3.6)."""


def every(_path: str, _method: str | None, _value: object) -> bool:
    """Tell that any operation is wanted."""
    return True


@dataclass(slots=True, kw_only=True)
class OperationReader:
    """Reads operations with what the document says for all of them; results are in document order.

    `wanted` tells of a path, perhaps with a method and the operation as written, whether anybody asked for it.
    `default_security` is an exception when the document's own alternatives are all refused.
    """

    reading: Reading
    security: Security
    default_security: tuple[Requirement, ...] | Unreadable | ReferenceProblem = ()
    swagger: SwaggerDefaults | None = None
    wanted: Wanted = every
    operations: list[Operation] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    _keys: set[str] = field(default_factory=set)
    _identities: dict[str, dict[str, Place]] = field(default_factory=dict)

    def read_paths(self, written: object, where: Place) -> None:
        """Read every path; never raises for what the document contains."""
        try:
            paths, place = self.reading.optional_mapping(written, where, "paths")
        except (Unreadable, ReferenceProblem) as problem:
            self._refuse(problem, None)
            return
        for path in paths:
            if not str(path).startswith("x-"):
                self._read_path(str(path), paths[path], place.at(path))
        report_shared_ids(self.reading, self._identities)

    def _refuse(self, problem: Unreadable | ReferenceProblem | Several | Full, unit: str | None) -> None:
        if isinstance(problem, Full):
            self._outgrown(unit or "", alone=problem.alone)
            return
        problems = problem.problems if isinstance(problem, Several) else (problem,)
        with suppress(Full):  # the next one finds no room
            self.reading.room.take(PROBLEM_PARTS * len(problems))
        for each in problems:
            self.reading.findings.error(each, unit)
        if unit is not None:
            self.unreadable.append(unit)

    def _outgrown(self, unit: str, *, alone: bool) -> None:
        """Leave out what finds no room; it is reported where somebody asked for it."""
        self.unreadable.append(unit)
        if self.reading.room.wanted:
            hint = hint_for(unit.rpartition(" ")[2], alone=alone)
            message = ALONE if alone else OUTGROWN
            self.reading.findings.error(Unreadable(OUTGROWN_RULE, message, self.reading.documents.entry, hint), unit)

    def _read_path(self, path: str, written: object, place: Place) -> None:
        self.reading.room.wanted = self.wanted(path, None, None)
        self.reading.room.begin()
        try:
            self.reading.room.take()
            item = read_path_item(self.reading, written, place)
            found = operations_of(self.reading, item)
            report_strangers(self.reading, item)
        except (Unreadable, ReferenceProblem, Full) as problem:
            self._refuse(problem, shown(path, MAX_KEY))
            return
        try:
            template = read_template(path, place)
        except Unreadable as problem:
            start = path[: MAX_KEY + 1]  # every operation names it
            for unit in [f"{method} {start}" for method, _, _ in found] or [start]:
                self._refuse(problem, shown(unit, MAX_KEY))
            return
        for method, value, at in found:
            self._read_operation(method, template, item, value, at)

    def _read_operation(
        self, method: str, template: PathTemplate, item: PathItem, written: object, where: Place
    ) -> None:
        written_key = f"{shown(method)} {template.path}" + (f"#{template.fragment}" if template.fragment else "")
        if written is None:
            return
        if not is_token(method) or method.upper() in UNSENDABLE_METHODS:
            message = f"`{shown(method)}` cannot be sent as a method"
            self._refuse(Unreadable("unsendable-name", message, where), written_key)
            return
        self.reading.room.wanted = self.wanted(template.path, method, written)
        self.reading.room.begin()
        if isinstance(written, dict) and (identity := optional_text(written.get("operationId"))):
            self._identities.setdefault(identity, {})[written_key] = where
        try:
            self.reading.room.take(OPERATION_PARTS + len(item.extensions))
            operation = self._operation(method, template, item, written, where)
        except (Unreadable, ReferenceProblem, Several, Full) as problem:
            self._refuse(problem, written_key)
            return
        if operation.key in self._keys:
            message = f"`{shown(operation.key)}` is described twice"
            self._refuse(Unreadable("duplicate-operation", message, where), written_key)
            return
        self._keys.add(operation.key)
        self.operations.append(operation)

    def _operation(
        self, method: str, template: PathTemplate, item: PathItem, written: object, where: Place
    ) -> Operation:
        value, place = self.reading.mapping(written, where, "operation")
        self.reading.room.take(sum(len(each) for each in map(value.get, COPIED) if isinstance(each, list | dict)))
        attempts = Attempts()
        parameters, body, responses = self._parts(value, place, item, attempts)
        security = attempts.of((), self._security, value, place)
        servers = attempts.of((), self._servers, value, place, item)
        attempts.settle()
        template = template.known_as(frozenset(each.name for each in parameters if each.location == "path"))
        key = operation_key(method, template.path, template.fragment)
        said = value if text(value.get("summary")) or text(value.get("description")) else item
        return Operation(
            method=method,
            path=template.path,
            fragment=template.fragment,
            operation_id=optional_text(value.get("operationId")),
            summary=text(said.get("summary")),
            description=text(said.get("description")),
            tags=texts(value.get("tags")),
            deprecated=flag(value.get("deprecated")),
            parameters=fit(self.reading, template, parameters, place, key),
            body=body,
            responses=responses,
            security=security,
            servers=servers,
            callbacks=names_of(value.get("callbacks")),
            external_docs=documentation_url(value.get("externalDocs")),
            extensions={**item.extensions, **extensions(value)},
            place=place,
        )

    def _parts(self, value: Mapping[str, object], place: Place, item: PathItem, attempts: Attempts) -> Parts:
        reading, swagger = self.reading, self.swagger
        written = value.get("parameters"), place.at("parameters")
        gathered = attempts.of(None, gather, reading, item, *written) or []
        if swagger is not None:
            none: Parts = ([], None, ())
            return attempts.of(none, swagger_parts, reading, swagger, value, place, gathered)
        read = [attempts.of(None, read_parameter, reading, each, at) for each, at in gathered]
        body = attempts.of(None, read_body, reading, value.get("requestBody"), place.at("requestBody"))
        responses = attempts.of((), read_responses, reading, value.get("responses"), place.at("responses"))
        return [each for each in read if each is not None], body, responses

    def _security(self, value: Mapping[str, object], place: Place) -> tuple[Requirement, ...]:
        if value.get("security") is not None:
            return self.security.alternatives(value["security"], place.at("security"))
        if isinstance(self.default_security, tuple):
            return self.default_security
        raise self.default_security

    def _servers(self, value: Mapping[str, object], place: Place, item: PathItem) -> tuple[ApiServer, ...]:
        if self.swagger is not None:
            return swagger_servers_of(self.swagger, value, place)
        own = read_servers(self.reading, value.get("servers"), place.at("servers"))
        if own or "servers" not in item.members:
            return own
        return read_servers(self.reading, *item.members["servers"])


def names_of(value: object) -> tuple[str, ...]:
    """Return the names of a map, apart from extensions."""
    if not isinstance(value, dict):
        return ()
    return tuple(str(key) for key in value if not str(key).startswith("x-"))


def documentation_url(value: object) -> str | None:
    """Return the address of an External Documentation Object."""
    return optional_text(value.get("url")) if isinstance(value, dict) else None
