"""Whether clients can use what a child asks: official ones refuse it all for one wrong member, as of answers. Pure."""

from __future__ import annotations

from ..wire import jsonrpc
from .usable import LIST, NULLS, NUMBER, OBJECT, ROLES, TEXT, block_fault, of_members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .usable import Members

OF_FIELD: Members = (("title", *TEXT), ("description", *TEXT))
OF_SAMPLING: Members = (
    ("systemPrompt", *TEXT), ("temperature", *NUMBER), ("stopSequences", *LIST), ("modelPreferences", *OBJECT),
    ("metadata", *OBJECT), ("tools", *LIST), ("toolChoice", *OBJECT),
)  # fmt: skip
OF_PREFERENCES: Members = (
    ("hints", *LIST), ("costPriority", *NUMBER), ("speedPriority", *NUMBER), ("intelligencePriority", *NUMBER),
)  # fmt: skip
OF_MODEL = ("tool_use", "tool_result")
"""Kinds of content that only a model's messages have."""

FIELDS = ("string", "number", "integer", "boolean", "array")
MODES = ("form", "url")
CONTEXTS = ("none", "thisServer", "allServers")


def question_fault(method: str, params: Any) -> str:
    """Say what is wrong with a question, "" for nothing."""
    judge = JUDGES.get(method)
    if judge is None or (params is None and method not in NEEDY):
        return ""
    said = judge(params) if type(params) is dict else "it has no params"
    if not said:
        try:
            jsonrpc.encode(params)
        except (ValueError, RecursionError):  # 1e400
            return "it holds a number that is too large"
    return "a member of it is null" if said == NULLS else said


def _elicitation(params: dict[str, Any]) -> str:
    mode = params.get("mode", "form")
    if type(params.get("message")) is not str:
        return "it has no text as its message"
    if type(mode) is not str or mode not in MODES:
        return "its mode is unknown"
    if mode == "url":
        return "" if type(params.get("url")) is str else "it has no url"
    schema = params.get("requestedSchema")
    if type(schema) is not dict or schema.get("type") != "object" or type(schema.get("properties")) is not dict:
        return "its requestedSchema is that of no object"
    if any(type(each) is not str for each in _list(schema.get("required", []))):
        return "its requestedSchema requires what is no name"
    for field in schema["properties"].values():
        if type(field) is not dict or type(field.get("type")) is not str or field["type"] not in FIELDS:
            return "a field of its requestedSchema is of an unknown type"
        said = of_members(field, OF_FIELD)
        if said:
            return said if said == NULLS else f"a field of its requestedSchema {said}"
    return ""


def _sampling(params: dict[str, Any]) -> str:
    messages = params.get("messages")
    if type(messages) is not list or type(params.get("maxTokens")) is not int:
        return "it has no messages, or no whole number as its maxTokens"
    for message in messages:
        if type(message) is not dict or message.get("role") not in ROLES:
            return "a message of it has no role"
        content = message.get("content")
        for block in content if type(content) is list else (content,):
            said = "" if type(block) is dict and block.get("type") in OF_MODEL else block_fault(block)
            if said:
                return said if said == NULLS else f"a message of it has content that {said}"
    if params.get("includeContext", "none") not in CONTEXTS:
        return "its includeContext is unknown"
    said = of_members(params, OF_SAMPLING) or of_members(params.get("modelPreferences", {}), OF_PREFERENCES)
    return f"it {said}" if said and said != NULLS else said or _lists_of_sampling(params)


def _lists_of_sampling(params: dict[str, Any]) -> str:
    hints = params.get("modelPreferences", {}).get("hints", [])
    if any(type(each) is not dict or type(each.get("name", "")) is not str for each in hints):
        return "a hint of its modelPreferences is none"
    if any(type(each) is not str for each in params.get("stopSequences", ())):
        return "one of its stopSequences is no text"
    return ""


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else [None]


JUDGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "elicitation/create": _elicitation,
    "sampling/createMessage": _sampling,
    "roots/list": lambda _: "",
}
NEEDY = ("elicitation/create", "sampling/createMessage")
"""Questions that cannot be without params."""
