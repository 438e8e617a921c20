"""What a server that others wrote says, before models read it beside the words of servers that are trusted.

Its tools may not pass for those of another server, and texts by which it would steer the model are told of; they stay,
because whether they are an attack is for a person to say (OWASP MCP03).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...jsonschema.subschemas import walk
from ..poison import suspicions
from .findings import finding, shown
from .names import ALIAS, prefix_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...ir.model import Json
    from ...ir.routes import Child, OfferedTool


def trusted(child: Child, children: Sequence[Child], separator: str) -> tuple[Child, tuple[Diagnostic, ...]]:
    """Return a server without the tools that pass for another's, and what its texts seem to do to their reader."""
    if child.snapshot.origin == "generated":
        return child, ()
    found: list[Diagnostic] = []
    taken = [
        (start, other.id)
        for other in children
        if other.id != child.id
        for start in {prefix_of(other, separator), f"{other.id}{separator}", f"{other.id}{ALIAS}"} - {""}
    ]
    tools = []
    for tool in child.snapshot.tools:
        owner = next((owner for start, owner in sorted(taken) if tool.name.startswith(start)), None)
        if owner is None:
            tools.append(tool)
            found += _steering(tool, child.id)
            continue
        message = f"the tool `{shown(tool.name)}` of `{child.id}` is left out: its name passes for one of `{owner}`"
        found.append(finding("dropped-offer", f"{child.id}.{tool.name}", message))
    found += _suspicious(
        child.snapshot.instructions or "", f"the text that {child.id} gives on how to use it", child.id
    )
    return replace(child, snapshot=replace(child.snapshot, tools=tuple(tools))), tuple(found)


def _steering(tool: OfferedTool, server: str) -> Iterator[Diagnostic]:
    unit = f"{server}.{tool.name}"
    texts = [tool.definition.get("description"), tool.definition.get("title"), *_texts(tool.definition["inputSchema"])]
    for reason in dict.fromkeys(_reasons(texts)):
        yield _warned(f"the tool `{shown(tool.name)}` of `{server}` {reason}", unit)


def _suspicious(text: str, what: str, unit: str) -> Iterator[Diagnostic]:
    for reason in suspicions(text):
        yield _warned(f"{what} {reason}", unit)


def _reasons(texts: Iterable[Json]) -> Iterator[str]:
    for text in texts:
        if isinstance(text, str):
            yield from suspicions(text)


def _texts(schema: Json) -> Iterator[Json]:
    for part in walk(schema):
        if not isinstance(part, bool):
            yield part.get("description")
            yield part.get("title")


def _warned(message: str, unit: str) -> Diagnostic:
    hint = "Read what the server says before you let a model read it, or leave the tool out with `deny`."
    return Diagnostic(rule=rule("poisoned-description"), message=message, hint=hint, unit=unit)
