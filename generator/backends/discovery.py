"""Discovery: three tools that find, describe and call all the others, and the ranked index they search.

The index is made here, once, so that a search at run time only adds numbers up: for each word the tools that have it,
with a weight that is high for rare words (their inverse document frequency), higher in a name or title than in a
description, and higher for tools with short names.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..ir.model import HttpCall
from ..runtime.server.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Server, Tool

INDEX = "search.json"
"""The index inside the package."""

NAME_SHARE, PLACE_SHARE, TEXT_SHARE = 1.0, 0.4, 0.3
"""What a word counts by where it stands: in a name or title, in a tag or path, in a description."""

LENGTH = 0.5
"""How much names of more words than usual are held back: of two tools with the same words, the shorter is meant."""

SCALE = 100
"""Weights are whole hundredths: the index stays small and the same on every machine."""

READING = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
CALLING = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaTool:
    """One of the three: what it does, and its definition; `{search}` and the like in a text name the others."""

    does: Literal["search", "describe", "call"]
    name: str
    text: str
    properties: Mapping[str, Any]
    required: str
    hints: Mapping[str, bool]


NAMED = {"type": "string", "description": "A tool's name, as {search} gives it"}

META_TOOLS = (
    MetaTool(
        does="search",
        name="search_tools",
        text=(
            "Find tools of this server by words: what you want to do, or a thing's name. Returns the best matches with "
            "the names of their arguments. Look at one with {describe}, then call it with {call}."
        ),
        properties={
            "query": {"type": "string", "description": "Words to look for, for example: list open issues"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
        required="query",
        hints=READING,
    ),
    MetaTool(
        does="describe",
        name="describe_tool",
        text="Return a tool's whole definition: what it does, its arguments and its result.",
        properties={"name": NAMED},
        required="name",
        hints=READING,
    ),
    MetaTool(
        does="call",
        name="call_tool",
        text="Call one of this server's tools by its name, with the arguments that {describe} shows.",
        properties={"name": NAMED, "arguments": {"type": "object", "description": "The tool's arguments"}},
        required="name",
        hints=CALLING,
    ),
)


def meta_entries(server: Server) -> list[dict[str, Any]]:
    """Return the catalog's entries of the three tools; where a tool of the server has such a name, they get another."""
    taken = {tool.name for tool in server.tools}
    names = {each.does: f"{server.id}_{each.name}" if each.name in taken else each.name for each in META_TOOLS}
    return [_entry(each, names) for each in META_TOOLS]


def _entry(meta: MetaTool, names: Mapping[Any, str]) -> dict[str, Any]:
    properties = {
        name: {key: value.format_map(names) if key == "description" else value for key, value in part.items()}
        for name, part in meta.properties.items()
    }
    schema = {"type": "object", "properties": properties, "required": [meta.required], "additionalProperties": False}
    return {
        "definition": {
            "name": names[meta.does],
            "description": meta.text.format_map(names),
            "inputSchema": schema,
            "annotations": dict(meta.hints),
        },
        "ui": None,
        "call": {"kind": "meta", "does": meta.does},
        "result": {"kind": "json", "wrap": False},
    }


def search_index(server: Server) -> dict[str, Any]:
    """Return the index: the tools' names, and by word the positions of tools and their weights, alternating.

    `phrases` are the words of names, titles and operations: who asks for exactly these means that tool.
    """
    placed = [_placed(tool) for tool in server.tools]
    lengths = [len(words(f"{tool.name} {tool.title or ''}")) for tool in server.tools]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    spread = Counter(word for each in placed for word in each)
    table: dict[str, list[int]] = {}
    for position, (each, length) in enumerate(zip(placed, lengths, strict=True)):
        held = 1 - LENGTH + LENGTH * length / average
        for word, share in sorted(each.items()):
            rare = math.log(1 + (len(placed) - spread[word] + 0.5) / (spread[word] + 0.5))
            table.setdefault(word, []).extend((position, round(SCALE * rare * share / held)))
    return {
        "format": 1,
        "tools": [tool.name for tool in server.tools],
        "phrases": _phrases(server),
        "words": dict(sorted(table.items())),
    }


def _phrases(server: Server) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for position, tool in enumerate(server.tools):
        for phrase in sorted({" ".join(words(text)) for text in (tool.name, tool.title or "", _operation(tool))}):
            if phrase:
                found.setdefault(phrase, []).append(position)
    return dict(sorted(found.items()))


def _operation(tool: Tool) -> str:
    return tool.call.operation if isinstance(tool.call, HttpCall) else ""


def _placed(tool: Tool) -> dict[str, float]:
    """Return the words of a tool with what the best place of each counts."""
    found: dict[str, float] = {}
    for share, text in (
        (NAME_SHARE, tool.name),
        (NAME_SHARE, tool.title or ""),
        (PLACE_SHARE, " ".join(tool.tags)),
        (PLACE_SHARE, _operation(tool)),
        (TEXT_SHARE, tool.description),
        (TEXT_SHARE, " ".join(tool.input_schema.get("properties") or ())),  # type: ignore[arg-type] # a mapping's keys
    ):
        for word in words(text):
            found.setdefault(word, share)
    return found
