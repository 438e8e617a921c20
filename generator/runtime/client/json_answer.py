"""A JSON answer as a result: projected, cut where it is too large, with the way to the next page (decisions 14, 32)."""

from __future__ import annotations

from ..server.size import fits
from . import exact_json
from .cutting import cut
from .keeping import kept, size_text
from .pages import next_arguments
from .projection import ARGUMENT, paths_of, project
from .structured import META_SCHEMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call_context import CallContext
    from .cutting import Cut
    from .message import Response
    from .result import Result

META_NEXT = "mcpgen/next"
"""The key under `_meta` with the arguments that change for the next page."""

META_CUT = "mcpgen/cut"
"""The key under `_meta` that says how much of a large answer is shown."""

NOTES_SHARE = 10
"""A tenth of the limit is left for notes, the link and the spaces that clients put between values."""

ROUNDS = 4
"""Attempts to cut an answer to the limit; escapes in a text make it a little larger than was counted."""

NARROWING = frozenset(
    (
        "limit", "page", "pagesize", "perpage", "size", "count", "first", "top", "max", "maxresults", "offset", "skip",
        "cursor", "after", "before", "since", "until", "start", "end", "filter", "q", "query", "search", "select",
        "fields",
    )
)  # fmt: skip
"""Arguments by which APIs are asked for less, without `_` and case."""

MOST_NAMED = 5
"""Arguments that a note names."""


def add_json(result: Result, context: CallContext, response: Response, value: Any) -> None:
    """Add an answer's JSON value to a result."""
    shown = _projected(result, context, value)
    text = shown if type(shown) is str else exact_json.compact(shown)  # a string is its own text (decision 14)
    if fits(text, context.plan.limit):
        result.text(text)
        _structure(result, context, shown)
    else:
        _add_cut(result, context, shown, text)
    following = next_arguments(
        response, value, context.operation.get("parameters") or [], context.arguments, context.properties
    )
    if following:
        told = ", ".join(f"{name}={exact_json.compact(item)}" for name, item in following.items())
        result.note(f"There is more: call again with {told} for the next page.")
        result.meta[META_NEXT] = {"arguments": following}


def _projected(result: Result, context: CallContext, value: Any) -> Any:
    paths = paths_of(context.arguments.get(ARGUMENT))
    if not paths:
        return value
    shown, unknown = project(value, paths)
    if unknown:
        named = ", ".join(path[:60] for path in unknown[:MOST_NAMED])
        result.note(f"`{ARGUMENT}`: this answer has no {named}.")
    return shown


def _structure(result: Result, context: CallContext, value: Any) -> None:
    result.structured, note = context.plan.shape.of(value)
    if note is not None:
        result.meta[META_SCHEMA] = note
        if "received" in note:
            result.note("The API's answer is of another kind than its description promises; the text is what it sent.")


def _add_cut(result: Result, context: CallContext, value: Any, text: str) -> None:
    """Show as much as fits, the same in text and structured content, and link to the whole."""
    body = text.encode("utf-8", "replace")
    made, shown = _fitting(context, value)
    result.text(shown)
    if context.plan.shape.promised:
        _structure(result, context, made.value)
    link = kept(context, body, mime_type="application/json", name=None, is_text=True)
    what = "; ".join(made.notes) or "only a part is shown"
    size = f"{size_text(len(shown.encode('utf-8', 'replace')))} of {size_text(len(body))}"
    result.note(f"The answer was cut: {what} ({size}). {_advice(context)} The whole answer: {link['uri']}")
    result.meta[META_CUT] = {
        "bytes": len(body),
        "shown": {path or "/": {"items": count, "of": total} for path, (count, total) in made.shown.items()},
        "uri": link["uri"],
    }
    result.content.append(link)


def _fitting(context: CallContext, value: Any) -> tuple[Cut, str]:
    """Cut until text and structured content together keep to the limit."""
    limit = context.plan.limit - context.plan.limit // NOTES_SHARE
    copies = 2 if context.plan.shape.promised else 1
    room = limit // copies
    made = cut(value, room)
    text = exact_json.compact(made.value)
    for _ in range(ROUNDS):
        size = len(text.encode("utf-8", "replace"))
        escaped = size + text.count('"') + text.count("\\")
        total = escaped + (size if copies > 1 else 0)
        if total <= limit:
            break
        room = room * limit // total - 16
        made = cut(value, room)
        text = exact_json.compact(made.value)
    return made, text


def _advice(context: CallContext) -> str:
    others = (name for name in context.properties if name != ARGUMENT)
    names = [name for name in others if name.replace("_", "").replace("-", "").lower() in NARROWING]
    by = [f"`{name}`" for name in names[:MOST_NAMED]]
    if ARGUMENT in context.properties:
        by.insert(0, f"`{ARGUMENT}`")
    return f"Ask for less with {', '.join(by)}." if by else "Ask for less at once."
