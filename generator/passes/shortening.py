"""Tools in few words: what a model needs to call one rightly, and nothing that only explains.

Kept are names, types, constraints, defaults and the first sentence of what describes the tool and each argument; left
out are result schemas, examples, titles, and descriptions further inside.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from ..ir.codec import freeze, thaw
from ..jsonschema.subschemas import rewrite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import JsonObject, Server, Tool
    from ..jsonschema.subschemas import Schema

TOOL_CHARACTERS = 160
"""Of a tool's description; most first sentences are shorter."""

ARGUMENT_CHARACTERS = 80
"""Of an argument's description."""

ONLY_EXPLAINING = frozenset({"title", "description", "examples", "$comment", "deprecated", "readOnly", "writeOnly"})
"""Keywords that assert nothing and say nothing about how a value is sent."""


def apply(server: Server) -> Server:
    """Return the server with every tool in few words."""
    return replace(server, exposure="short", tools=tuple(map(_tool, server.tools)))


def first_sentence(text: str, most: int) -> str:
    """Return a text's first sentence; one that is longer ends at a word, with an ellipsis."""
    line = " ".join(text.partition("\n\n")[0].split())
    end = next((index + 1 for index in range(len(line) - 1) if line[index] in ".!?" and line[index + 1] == " "), None)
    sentence = line[:end]
    if len(sentence) <= most:
        return sentence
    return sentence[: most - 1].rpartition(" ")[0].rstrip(",;:") + "…"


def _tool(tool: Tool) -> Tool:
    if tool.verbatim:
        return tool
    return replace(
        tool,
        title=None,
        description=first_sentence(tool.description, TOOL_CHARACTERS),
        input_schema=cast("JsonObject", freeze(_shortened(thaw(tool.input_schema)))),
        result_schema=None,
        result_description=None,
        wrap=False,
    )


def _shortened(schema: dict[str, Any]) -> Schema:
    said = {
        name: first_sentence(text, ARGUMENT_CHARACTERS)
        for name, part in (schema.get("properties") or {}).items()
        if isinstance(part, dict) and isinstance(text := part.get("description"), str)
    }
    bare = cast("dict[str, Any]", rewrite(schema, _bare))
    for name, text in said.items():
        if text:
            bare["properties"][name] = {**bare["properties"][name], "description": text}
    return bare


def _bare(schema: Mapping[str, Any]) -> Schema:
    return {key: value for key, value in schema.items() if key not in ONLY_EXPLAINING}
