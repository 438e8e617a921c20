"""From the value a tool returned to the result a client gets (decision 14).

A declared result schema decides: with one, the JSON goes into `structuredContent`, wrapped where its root is no object;
without one only an object does. The same JSON is the text, except that a string is its own text. Content objects become
blocks and are never in `structuredContent`.
"""

from __future__ import annotations

from ..schema.results import Bounds, ResultProblem, is_content, is_plain_json, to_json
from ..wire import jsonrpc
from . import outcome
from .call import Spliced
from .result_check import complain
from .size import cut, fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .plan import Plan

MIXED_ITEMS = 1_000
"""A list with more items is data: it is not searched for content objects."""


class Finished(dict[str, "Any"]):
    """A result that a handler of ours made whole: it is sent as it is."""


def answer(call: Call, plan: Plan, value: Any) -> dict[str, Any]:
    """Return the result for a value; raises whatever user code in the value raises."""
    if type(value) is Finished:
        return {**value}
    if plan.result_kind == "none":
        return {"content": []}
    if plan.result_kind == "content" or (plan.result_schema is None and _has_content(value)):
        return _blocks(call, plan, value)
    if value is None and plan.result_schema is None:
        return {"content": []}
    if is_plain_json(value):  # as most results are
        found = value
    else:
        try:
            found = to_json(value, limits=Bounds(stop=lambda: call.cancelled or call.finished))
        except ResultProblem as problem:
            return unsendable(call, problem, problem.path)
    if plan.result_check is not None and not plan.result_check.accepts(found):
        complaint = complain(call, plan, found)
        if complaint is not None:
            return complaint
    return _json_result(call, plan, found)


def _json_result(call: Call, plan: Plan, found: Any) -> dict[str, Any]:
    if type(found) is str:
        found, note = cut(found, plan.max_result_bytes)
        content = [{"type": "text", "text": found}]
        if note is not None:
            content.append(note)
    else:
        text = jsonrpc.text(found)
        if not fits(text, plan.max_result_bytes):
            return outcome.too_large(call, plan.max_result_bytes)
        content = [{"type": "text", "text": text}]
    result: dict[str, Any] = {"content": content}
    if plan.wrap:
        result["structuredContent"] = {"result": found}
    elif type(found) is dict:
        result["structuredContent"] = found
    kind = type(found)
    return result if (kind is not dict and kind is not list) or plan.middleware else _told(result, plan, content[0])


def _told(result: dict[str, Any], plan: Plan, block: dict[str, Any]) -> dict[str, Any]:
    """Return a result with its members as they are sent: the value is encoded once, whatever others do to it later.

    A tool may return an object that its other threads go on to change; text and `structuredContent` are the same all
    the same. Middleware gets the value itself and may change it, and so do the few things that are put into results.
    """
    text = jsonrpc.quoted(block["text"])
    inner = f'"content":[{{"type":"text","text":{text}}}]'
    if "structuredContent" in result:
        told = jsonrpc.in_ascii(block["text"], text)
        inner += f',"structuredContent":{{"result":{told}}}' if plan.wrap else f',"structuredContent":{told}'
    return Spliced(result, inner.encode("ascii"))


def _has_content(value: Any) -> bool:
    kind = type(value)
    if kind is list or kind is tuple:
        return len(value) <= MIXED_ITEMS and any(map(_is_content_type, set(map(type, value))))
    return _is_content_type(kind)


def _is_content_type(kind: type) -> bool:
    return bool(getattr(kind, "__mcp_content__", False))


def unsendable(call: Call, problem: ResultProblem, place: str) -> dict[str, Any]:
    """Report a value without a JSON form; what user code raised on the way stays that where it must not be told."""
    cause = problem.__cause__
    if cause is not None and (call.tool.reticent or getattr(type(cause), "__mcp_tool_error__", False)):
        raise cause
    from .masking import mask

    return outcome.broken_result(call, place, mask(problem.message))


def _blocks(call: Call, plan: Plan, value: Any) -> dict[str, Any]:
    """Turn content objects, strings and JSON values into blocks, in order."""
    items = value if type(value) is list or type(value) is tuple else () if value is None else (value,)
    content: list[dict[str, Any]] = []
    room = plan.max_result_bytes
    for index, item in enumerate(items):
        try:
            block = to_json(item.to_block() if is_content(item) else _text_block(item))
        except ResultProblem as problem:
            return unsendable(call, problem, f"result[{index}]{problem.path.removeprefix('result')}")
        if block.get("type") == "text" and type(block.get("text")) is str:
            block["text"], note = cut(block["text"], room)
            if note is not None:
                return {"content": [*content, block, note]}
        room -= len(jsonrpc.text(block))
        if room < 0:
            return outcome.too_large(call, plan.max_result_bytes)
        content.append(block)
    return {"content": content}


def _text_block(item: Any) -> dict[str, Any]:
    return {"type": "text", "text": item if type(item) is str else jsonrpc.text(to_json(item))}
