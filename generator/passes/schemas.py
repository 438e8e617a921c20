"""Schemas as clients get them: slim, with an object root, and `wrap` decided where a result is no object.

Input and result schemas of a tool stay separate and unwrapped in the IR. An author's own schema (`verbatim`) stays as
it is. What types are called is kept beside the schemas before it is lost (`type_names`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ..ir.codec import freeze, thaw
from ..jsonschema.naming import names
from ..jsonschema.slimming import slim
from ..jsonschema.wrapping import is_object

if TYPE_CHECKING:
    from ..ir.model import JsonObject, Server, Tool


def apply(server: Server) -> Server:
    """Return the server with slim schemas and `wrap` decided for every tool (decisions 14 and 15)."""
    return replace(server, tools=tuple(_tool(tool) for tool in server.tools))


def _tool(tool: Tool) -> Tool:
    inputs, result = thaw(tool.input_schema), thaw(tool.result_schema)
    called = {**names(inputs, "/inputSchema"), **names(result, "/resultSchema")}
    if not tool.verbatim:
        inputs, result = slim(inputs), slim(result)
    wrap = tool.result == "json" and result is not None and not is_object(result)
    return replace(
        tool,
        input_schema=cast("JsonObject", freeze(inputs)),
        result_schema=freeze(result),
        wrap=wrap,
        type_names={**called, **tool.type_names},
    )
