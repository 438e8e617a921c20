"""One operation becomes one tool: arguments, request, answer, and what clients are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.model import HttpCall, Limits, Tool
from ...views.links import link_of
from .annotations import annotations_of
from .descriptions import description_of, title_of
from .inputs import inputs_of
from .responses import answer_of
from .scopes import scopes_of
from .security import requirements

if TYPE_CHECKING:
    from ...config import ToolSetting
    from ...ir.model import Annotations
    from .findings import Findings
    from .inputs import Inputs
    from .model import Operation
    from .parameters import Shared
    from .responses import Answer
    from .scale import Scale
    from .schemas import Schemas
    from .selection import Candidate


def build_tool(
    candidate: Candidate,
    schemas: Schemas,
    findings: Findings,
    shared: Shared,
    *,
    scale: Scale,
    server: str | None,
    setting: ToolSetting | None,
) -> Tool:
    """Return the tool of an operation; raises SchemaProblem when an argument has no readable schema.

    `server` is the base URL of an operation that has its own, `setting` the table of the tool in [tool.mcpgen.tools].
    """
    operation, rule = candidate.operation, candidate.rule
    answer = answer_of(operation, schemas, scale.answer)
    projectable = answer.json and answer.projectable
    inputs = inputs_of(candidate, schemas, findings, shared, projectable=projectable, limit=scale.argument)
    annotations = annotations_of(operation.method, rule.annotations)
    request = _request(candidate, inputs, answer, annotations, server)
    return Tool(
        name=candidate.name,
        title=rule.title or title_of(operation),
        description=rule.description or description_of(operation, scale.description),
        input_schema=inputs.schema,
        result="json" if answer.json else "content",
        result_schema=answer.schema,
        annotations=annotations,
        call=HttpCall(operation=operation.key, request=request, named=rule.name is not None),
        limits=_limits(rule.timeout, setting),
        scopes=rule.scopes or scopes_of(operation),
        aliases=setting.aliases if setting is not None else (),
        coerce=setting.coerce if setting is not None else None,
        ui=link_of(setting.ui, setting.visibility) if setting is not None else None,
        confirm=bool(setting is not None and setting.confirm),
        tags=tuple(dict.fromkeys((*operation.tags, *(setting.tags if setting is not None else ())))),
        deprecated="" if operation.deprecated else None,
    )


def _request(
    candidate: Candidate, inputs: Inputs, answer: Answer, annotations: Annotations, server: str | None
) -> dict[str, Any]:
    """Return how the runtime requests the operation, as operations.json has it."""
    operation, timeout = candidate.operation, candidate.rule.timeout
    links = _links(operation)
    return {
        "method": operation.method,
        "path": operation.path,
        **({"server": server} if server else {}),
        **inputs.request,
        "accept": answer.accept,
        **({"answers": dict(answer.declared)} if answer.declared else {}),
        "json": answer.json,
        "idempotent": bool(annotations.idempotent),
        "read_only": bool(annotations.read_only),
        **({"security": requirements(operation)} if operation.security else {}),
        **({"timeout": timeout} if timeout is not None else {}),
        **({"links": links} if links else {}),
    }


def _limits(timeout: float | None, setting: ToolSetting | None) -> Limits:
    if setting is None:
        return Limits(timeout=timeout)
    return Limits(timeout=timeout, max_concurrent=setting.max_concurrent, max_result_bytes=setting.max_result_bytes)


def _links(operation: Operation) -> dict[str, Any]:
    """Return where a good answer leads: the operation of each link, and what of the answer it needs."""
    found: dict[str, Any] = {}
    for response in operation.responses:
        for link in response.links:
            target = link.operation_id or link.operation_ref
            if target:
                found[link.name] = {"operation": target, "parameters": dict(link.parameters)}
    return found
