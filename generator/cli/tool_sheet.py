"""What `inspect` shows people: a table of all tools, then a sheet for each with its texts, parameters and schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.plain import plain, width
from ..ir.codec import thaw
from . import json_text, offer_table, phrases
from .layout import fitted, padded, wrapped
from .summary import offered
from .tool_table import table
from .tool_terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.model import Server, Tool

INDENT = "  "
GAP = "  "

MAX_TYPE = 34
"""Columns of a type in the table of parameters."""

MIN_TEXT = 24
"""Columns that descriptions must have beside the other columns; else they stand below them."""


class _Line(NamedTuple):
    """One parameter or the result: a row of the table."""

    name: str
    kind: str
    need: str
    text: str


MORE = f"{INDENT}--tool NAME shows a tool with its schemas, --verbose all of them"
"""What is said below a table that stands alone."""


def render(server: Server, room: int, *, sheets: bool = True) -> str:
    """Return what a server offers in lines of at most `room` columns; the tables only without `sheets`."""
    overview = [f"{server.command}  {offered(server)}", *table(server.tools, room), *offer_table.table(server, room)]
    if not sheets:
        return "\n".join([*overview, MORE])
    blocks = [overview, *(_sheet(tool, room) for tool in server.tools), *offer_table.sheets(server, room)]
    return "\n\n".join("\n".join(block) for block in blocks)


def _sheet(tool: Tool, room: int) -> list[str]:
    marks = [phrases.marks(tool), f"deprecated: {tool.deprecated}" if tool.deprecated else ""]
    lines = [GAP.join([plain(tool.name), *filter(None, marks)])]
    lines += _indented(wrapped(plain(tool.description, keep="\n"), room - len(INDENT)))
    rows = [_parameter(each) for each in phrases.parameters(tool)] + _result(tool)
    if rows:
        lines += ["", *_indented(_columns(rows, room - len(INDENT)))]
    if around := terms(tool):
        rows = [_Line(word, "", "", text) for word, text in around]
        lines += ["", *_indented(_columns(rows, room - len(INDENT)))]
    for label, schema in (("input schema", tool.input_schema), ("result schema", tool.result_schema)):
        if label == "input schema" or (tool.result == "json" and schema is not None):
            shown = json_text.lines(thaw(schema), room, 2 * INDENT)
            lines += ["", f"{INDENT}{label}", *shown]
    return lines


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"{INDENT}{line}".rstrip() for line in lines]


def _parameter(parameter: phrases.Parameter) -> _Line:
    schema = parameter.part.schema
    stated = schema if isinstance(schema, dict) or hasattr(schema, "get") else {}
    need = "required" if parameter.required else "optional"
    if "default" in stated:
        need = f"= {phrases.literal(stated['default'])}"
    return _Line(plain(parameter.name), _kind(phrases.phrase(parameter.part)), plain(need), _text(stated))


def _result(tool: Tool) -> list[_Line]:
    """Return the row of the result; a tool that gives nothing has none."""
    if tool.result == "none":
        return []
    kind = phrases.result(tool).removeprefix("-> ") or "any"
    return [_Line("->", _kind(kind), "", plain(" ".join((tool.result_description or "").split())))]


def _kind(text: str) -> str:
    return fitted(plain(text), MAX_TYPE)


def _text(schema: Any) -> str:
    """Return a parameter's description and examples in one paragraph."""
    described = schema.get("description")
    parts = [" ".join(described.split())] if isinstance(described, str) else []
    examples = schema.get("examples")
    if isinstance(examples, list | tuple) and examples:
        parts.append(f"For example {', '.join(json.dumps(thaw(each), ensure_ascii=False) for each in examples[:3])}.")
    return plain(" ".join(parts))


def _columns(rows: Sequence[_Line], room: int) -> list[str]:
    """Return the rows in columns, descriptions wrapped in the rest of the room, or below where that is too little."""
    sizes = [max(width(row[index]) for row in rows) for index in range(3)]
    before = sum(size + len(GAP) for size in sizes if size)
    beside = room - before >= MIN_TEXT
    lines: list[str] = []
    for row in rows:
        cells = GAP.join(padded(cell, size) for cell, size in zip(row[:3], sizes, strict=True) if size)
        texts = wrapped(row.text, room - before if beside else room - 2 * len(INDENT)) if row.text else []
        if beside and texts:
            lines.append(f"{cells}{GAP}{texts[0]}")
            lines += [" " * before + text for text in texts[1:]]
        else:
            lines += [cells.rstrip(), *(2 * INDENT + text for text in texts)]
    return lines
