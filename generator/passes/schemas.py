"""Schemas as clients get them: slim, with an object root, and `wrap` decided where a result is no object.

Input and result schemas of a tool stay separate and unwrapped in the IR. An author's own schema (`verbatim`) stays as
it is. What types are called is kept beside the schemas before it is lost (`type_names`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ..ir.codec import freeze, thaw
from ..jsonschema.naming import names
from ..jsonschema.slimming import slim
from ..jsonschema.wrapping import is_object

if TYPE_CHECKING:
    from ..ir.model import Json, JsonObject, Server, Tool


def apply(server: Server) -> Server:
    """Return the server with slim schemas and `wrap` decided for every tool (decisions 14 and 15)."""
    return replace(server, tools=tuple(_tool(tool) for tool in server.tools))


def _tool(tool: Tool) -> Tool:
    called = {**_names(tool.input_schema, "/inputSchema"), **_names(tool.result_schema, "/resultSchema")}
    inputs, result = tool.input_schema, tool.result_schema
    if not tool.verbatim:
        inputs, result = cast("JsonObject", _slim(inputs)), _slim(result)
    wrap = tool.result == "json" and result is not None and not is_object(result)
    if inputs is tool.input_schema and result is tool.result_schema and wrap is tool.wrap and not called:
        return tool
    return replace(tool, input_schema=inputs, result_schema=result, wrap=wrap, type_names={**called, **tool.type_names})


def _names(schema: Json, pointer: str) -> dict[str, str]:
    return names(schema, pointer) if _has_definitions(schema) else {}


def _slim(schema: Json) -> Json:
    return freeze(slim(thaw(schema))) if _has_definitions(schema) else schema


def _has_definitions(schema: Json) -> bool:
    """Return whether there is anything to move: most schemas refer to nothing, and stay as they are."""
    return isinstance(schema, Mapping) and "$defs" in schema
