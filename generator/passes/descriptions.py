"""Texts that models read: no hidden characters, bounded, deprecation said first, suspicious wording reported.

Names, defaults and enumerations are data and stay as they are; titles and descriptions, of tools and inside schemas,
are prose and are cleaned. An author's own schema (`verbatim`) is reported on but never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from ..diagnostics.model import Diagnostic, Span
from ..diagnostics.rules import rule
from ..ir.codec import freeze, thaw
from ..ir.visible import clean
from ..jsonschema.subschemas import parts, rewrite
from .poison import suspicions

if TYPE_CHECKING:
    from ..ir.model import Json, JsonObject, Server, Tool

MAX_DESCRIPTION = 10_000
"""Characters of one description: far beyond what helps a model, far below what fills its window."""

Report = Callable[[Diagnostic], None]


def apply(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with clean texts, and what was found in them."""
    found: list[Diagnostic] = []
    tools = tuple(_tool(tool, found.append) for tool in server.tools)

    def prose(text: str | None, what: str) -> str | None:
        return prose_of(text, f"the server's {what}", None, None, found.append)

    cleaned = replace(
        server,
        tools=tools,
        title=prose(server.title, "title"),
        description=prose(server.description, "description") or "",
        instructions=prose(server.instructions, "instructions"),
    )
    return cleaned, tuple(found)


def _tool(tool: Tool, report: Report) -> Tool:
    def prose(text: str | None, what: str) -> str | None:
        return prose_of(text, what, tool.name, tool.span, report)

    title = prose(tool.title, "the title")
    description = _with_deprecation(prose(tool.description, "the description") or "", tool.deprecated)
    spotless = [
        _report_schema(schema, place, tool, report)
        for place, schema in (("an argument's", tool.input_schema), ("the result's", tool.result_schema))
    ]
    result = prose(tool.result_description, "the result's text")
    cleaned = tool
    if (title, description, result) != (tool.title, tool.description, tool.result_description):
        cleaned = replace(tool, title=title, description=description, result_description=result)
    if tool.verbatim or all(spotless):
        return cleaned
    return replace(
        cleaned,
        input_schema=cast("JsonObject", _clean_schema(tool.input_schema)),
        result_schema=_clean_schema(tool.result_schema),
    )


def _with_deprecation(description: str, deprecated: str | None) -> str:
    """Return the description with its deprecation as the first line, once."""
    if deprecated is None or description.startswith("Deprecated"):
        return description
    note, _ = clean(f"Deprecated: {deprecated}" if deprecated else "Deprecated.")
    return f"{note}\n\n{description}" if description else note


def prose_of(text: str | None, what: str, unit: str | None, span: Span | None, report: Report) -> str | None:
    """Return a text that models read as they should get it; `what` says in words whose it is, `unit` names a tool."""
    if text is None:
        return None
    cleaned, removed = clean(text)
    for finding in _findings(cleaned, removed, what, unit, span):
        report(finding)
    return _bounded(cleaned)


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_DESCRIPTION else f"{text[: MAX_DESCRIPTION - 1].rstrip()}…"


def _findings(
    text: str, removed: tuple[str, ...], what: str, unit: str | None, span: Span | None
) -> Iterable[Diagnostic]:
    of = f"{what} of tool `{unit}`" if unit else what
    if removed:
        yield Diagnostic(
            rule=rule("hidden-characters"),
            message=f"{of} has invisible or direction-changing characters: {', '.join(removed)}",
            span=span,
            unit=unit,
            hint="Delete them from the source; models read what people cannot see.",
        )
    if len(text) > MAX_DESCRIPTION:
        yield Diagnostic(
            rule=rule("long-description"),
            message=f"{of} has {len(text)} characters; it is cut after {MAX_DESCRIPTION}",
            span=span,
            unit=unit,
            hint="Say what the tool does and when to use it; the rest belongs in documentation.",
        )
    for reason in suspicions(text):
        yield Diagnostic(
            rule=rule("poisoned-description"),
            message=f"{of} {reason}",
            span=span,
            unit=unit,
            hint="Describe what the tool does; hosts and their users treat such text as an attack.",
        )


def _report_schema(schema: Json, place: str, tool: Tool, report: Report) -> bool:
    """Report each kind of finding once for all texts of one schema; return whether no text has to change."""
    seen: set[str] = set()
    spotless = True
    for part in parts(schema):
        for keyword in ("title", "description"):
            text = part.get(keyword)
            if not isinstance(text, str) or (looked_at := _looked_at(text)) is None:
                continue
            cleaned, removed, suspicious = looked_at
            spotless = spotless and _bounded(cleaned) == text
            if not removed and not suspicious and len(cleaned) <= MAX_DESCRIPTION:
                continue
            for finding in _findings(cleaned, removed, f"{place} {keyword}", tool.name, tool.span):
                if finding.message not in seen:
                    seen.add(finding.message)
                    report(finding)
    return spotless


@lru_cache(maxsize=4096)
def _looked_at(text: str) -> tuple[str, tuple[str, ...], bool] | None:
    """Return a text as people see it, what was removed, and whether its wording is suspicious; None for nothing.

    Many texts repeat, and of most there is nothing to say.
    """
    cleaned, removed = clean(text)
    suspicious = any(True for _ in suspicions(cleaned))
    unchanged = cleaned == text and not removed and len(text) <= MAX_DESCRIPTION
    return None if unchanged and not suspicious else (cleaned, removed, suspicious)


def _clean_schema(schema: Json) -> Json:
    def change(part: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            keyword: _bounded(clean(value)[0])
            if keyword in ("title", "description") and isinstance(value, str)
            else value
            for keyword, value in part.items()
        }

    return freeze(rewrite(thaw(schema), change))
