"""The typed side of an API's package: models.py for its schemas, and a function for each operation on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...ir.model import HttpCall
from .room import Full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...ir.model import Server
    from ...ir.signature import Signature
    from .definitions import Definitions
    from .models import Models
    from .settings import OpenApiRequest, ReadResult

MAX_UNASKED = 150
"""Definitions up to which types are made unasked (decision 33)."""

Typed = tuple["bytes | None", "tuple[Signature, ...]", "tuple[Diagnostic, ...]"]


def typed(reading: ReadResult, served: Server, request: OpenApiRequest) -> Typed:
    """Return models.py, if there is to be one, the stubs that were asked for, and what was found.

    `reading` has the schemas with their definitions, before the passes; `served` has the tools that are left of it.
    """
    if reading.server is None or (request.models == "none" and not request.stubs):
        return None, (), ()
    from .definitions import gathered

    names = {tool.call.operation: tool.name for tool in served.tools if isinstance(tool.call, HttpCall)}
    kept = [
        (names[call.operation], tool)
        for tool in reading.server.tools
        if isinstance(call := tool.call, HttpCall) and call.operation in names
    ]
    limit = MAX_UNASKED if request.models == "auto" and not request.stubs else None
    try:
        definitions = gathered((tool for _, tool in kept), reading.api, reading.schemas, limit)
    except Full:
        message = "the answers' schemas, written out, are more than is made of a description: no types are written"
        return None, (), (Diagnostic(rule=rule("models-left-out"), message=message, unit="models.py"),)
    models, found = _models(definitions, request)
    stubs: tuple[Signature, ...] = ()
    if request.stubs:
        from .signatures import signatures

        types = models.names if models else {}
        known = _types(definitions.sent, types), _types(definitions.received, types)
        stubs = signatures(kept, *known, definitions.answers)
    return models.source if models else None, stubs, found


def _types(names: Mapping[str, str], types: Mapping[str, str]) -> dict[str, str]:
    return {name: types[known] for name, known in names.items() if known in types}


def _models(definitions: Definitions, request: OpenApiRequest) -> tuple[Models | None, tuple[Diagnostic, ...]]:
    count = len(definitions.schemas)
    if request.models == "none" or not count:
        return None, ()
    if request.models == "auto" and count > MAX_UNASKED:
        message = f"the tools use more than {MAX_UNASKED} schemas: no types are written for them"
        return None, (Diagnostic(rule=rule("models-left-out"), message=message, unit="models.py"),)
    from .model_text import ModelsProblem
    from .models import make_models

    try:
        return make_models(definitions.schemas), ()
    except ModelsProblem as problem:
        return None, (Diagnostic(rule=rule("models-failed"), message=f"models.py is left out: {problem}"),)
