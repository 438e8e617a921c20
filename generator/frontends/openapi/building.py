"""The operations that were chosen become tools, as long as there is room for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .limits import (
    ALTERNATIVE_BYTES,
    PART_BYTES,
    TOOL_BYTES,
)
from .parameters import Shared
from .room import ALONE, OUTGROWN, RULE, Full, hint_for
from .scale import scale_of
from .schemas import SchemaProblem
from .servers import Refused
from .tool_room import ToolRoom
from .tools import build_tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...config import ToolSetting
    from ...ir.model import Tool
    from .documents import Documents
    from .findings import Findings
    from .model import MediaType, Operation
    from .scale import Scale
    from .schemas import Schemas
    from .selection import Candidate
    from .servers import Servers


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The tools, what they were made of, and the keys of the operations that should have become some."""

    tools: tuple[Tool, ...]
    served: tuple[Candidate, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds tools; an operation whose schemas or server cannot be used is reported and left out.

    `base` is the URL of the description's own server, `settings` are the tools' tables by operation key.
    """

    documents: Documents
    schemas: Schemas
    findings: Findings
    resolver: Servers
    settings: Mapping[str, ToolSetting]
    base: str

    def build(self, selected: Sequence[Candidate], *, listed: bool) -> Built:
        """Return what becomes of some operations; `listed` tells that lists of tools show them."""
        tools, served, left_out = [], [], []
        scale = scale_of(len(selected), listed=listed)
        room, shared = ToolRoom(lambda: self.documents.size), Shared(self.schemas)
        outgrown: Diagnostic | None = None
        for candidate in selected:
            operation = candidate.operation
            try:
                tools.append(self._tool(candidate, scale, room, shared))
            except SchemaProblem as problem:
                self.findings.lost(operation.key, operation.place, problem.diagnostics)
                left_out.append(operation.key)
            except Full as full:
                if not full.alone:
                    outgrown = outgrown or _outgrown(operation)
                told = outgrown if outgrown and not full.alone else _outgrown(operation, alone=True)
                self.findings.lost(operation.key, self.documents.entry, (told,))
                left_out.append(operation.key)
            except Refused:
                left_out.append(operation.key)
            else:
                served.append(candidate)
        return Built(tools=tuple(tools), served=tuple(served), left_out=tuple(left_out))

    def _tool(self, candidate: Candidate, scale: Scale, room: ToolRoom, shared: Shared) -> Tool:
        """Return the tool of an operation; raises SchemaProblem, Refused or Full."""
        operation = candidate.operation
        room.begin()
        self.schemas.room.begin()
        room.take(TOOL_BYTES)  # by itself: where there is no more room, the parts are not even counted
        room.take(_before(operation))
        own = self.resolver.base_urls(operation.servers, unit=operation.key, base=self.base)
        server = own[0] if own and own[0] != self.base else None
        setting = self.settings.get(operation.key)
        try:
            tool = build_tool(
                candidate, self.schemas, self.findings, shared, scale=scale, server=server, setting=setting
            )
        except SchemaProblem as problem:
            room.take(TOOL_BYTES * len(problem.diagnostics))
            raise
        room.take_tool(tool)
        return tool


def _before(operation: Operation) -> int:
    """Return the bytes that the parts of an operation count for which all may refer to, before a tool is made of it."""
    parts = len(operation.parameters) + len(operation.servers) + len(operation.callbacks)
    parts += sum(1 + len(each.links) + _parts(each.content) for each in operation.responses)
    parts += 0 if operation.body is None else _parts(operation.body.content)
    return PART_BYTES * parts + ALTERNATIVE_BYTES * sum(1 + len(each.schemes) for each in operation.security)


def _parts(content: Sequence[MediaType]) -> int:
    return sum(1 + len(each.encoding) for each in content)


def _outgrown(operation: Operation, *, alone: bool = False) -> Diagnostic:
    hint = hint_for(operation.path, alone=alone)
    return Diagnostic(rule=rule(RULE), message=ALONE if alone else OUTGROWN, hint=hint)
