"""From what a prompt's function returned to messages (MCP server/prompts: `messages`).

A text is what the user says; a content object is shown by the user; a mapping with `role` and `content` is a message
as it stands, and so is a `Message`; a list holds any of these; anything else is said by the user as JSON.
"""

from __future__ import annotations

from ..schema.results import Bounds, ResultProblem, is_content, to_json
from ..wire import jsonrpc
from . import outcome
from .answer import unsendable
from .offer_plan import OfferPlan
from .older import block_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .call import Call
    from .plan import Plan

ROLES = ("user", "assistant")

MOST_MESSAGES = 1_000
"""Messages of one prompt; a conversation of that length fills any model's window."""

BLOCK_TEXTS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
"""The texts that a content block written by hand must have."""


class Misshapen(Exception):
    """Something in a message is not what the protocol has there."""


def messages(call: Call, plan: Plan, value: Any) -> dict[str, Any]:
    """Return `{"messages": [...]}` for a value; raises whatever user code in the value raises."""
    if value is None:
        return outcome.broken_result(call, "", "a prompt returns text or messages, and this one returned nothing")
    several = isinstance(value, list | tuple)
    if several and len(value) > MOST_MESSAGES:
        return outcome.broken_result(call, "", f"more than {MOST_MESSAGES} messages")
    found: list[dict[str, Any]] = []
    room = plan.max_result_bytes
    for index, item in enumerate(value if several else (value,)):
        place = f"result[{index}]" if several else "result"
        try:
            made = list(_said(call, item))
        except ResultProblem as problem:
            return unsendable(call, problem, place + problem.path.removeprefix("result"))
        except Misshapen as problem:
            return outcome.broken_result(call, place, str(problem))
        room -= len(jsonrpc.text(made))
        if room < 0:
            return outcome.too_large(call, plan.max_result_bytes)
        found += made
    return {"messages": found}


def _said(call: Call, item: Any) -> Iterator[dict[str, Any]]:
    """Yield the messages of one item: a message whose content is a list is one message for each of its blocks."""
    role, content = "user", item
    if getattr(type(item), "__mcp_message__", False):
        role, content = item.role, item.content
    elif isinstance(item, dict) and "role" in item:
        role, content = item["role"], item.get("content")
    if role not in ROLES:
        message = f"the role of a message is {' or '.join(ROLES)}"
        raise Misshapen(message)
    for part in content if isinstance(content, list | tuple) and content is not item else (content,):
        yield {"role": role, "content": block_for(_block(call, part), call.dialect)}


def _block(call: Call, part: Any) -> dict[str, Any]:
    if is_content(part):
        block: dict[str, Any] = to_json(part.to_block())
        return block
    found: Any = to_json(part, limits=Bounds(stop=lambda: call.cancelled or call.finished))
    if type(found) is str:
        return {"type": "text", "text": found}
    if found is None:
        message = "a message without content"
        raise Misshapen(message)
    if type(found) is dict and type(found.get("type")) is str and _is_block(found):
        return found
    return {"type": "text", "text": jsonrpc.text(found)}


def _is_block(found: dict[str, Any]) -> bool:
    """Say whether an object is a content block that its author wrote by hand."""
    if found["type"] == "resource":
        inner = found.get("resource")
        return (
            type(inner) is dict and type(inner.get("uri")) is str and type(inner.get("text", inner.get("blob"))) is str
        )
    wanted = BLOCK_TEXTS.get(found["type"])
    return wanted is not None and all(type(found.get(name)) is str for name in wanted)


class PromptPlan(OfferPlan):
    """How a prompt is rendered."""

    __slots__ = ()

    answer = staticmethod(messages)
