"""What clients may answer: the shape of each method's result, and whether a filled-in form fits its schema."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACTIONS = ("accept", "decline", "cancel")
ROLES = ("user", "assistant")
TEXTS = {"text": ("text",), "image": ("data", "mimeType"), "audio": ("data", "mimeType")}
"""The texts that content blocks of these types have; what other types have is not read here."""


def shape_problem(method: str, result: Any) -> str | None:
    """Return what makes a result no answer to this method, None when it is one."""
    if type(result) is not dict:
        return "it is not an object"
    if method == "elicitation/create":
        if result.get("action") not in ACTIONS:
            return "action is accept, decline or cancel"
        return None if type(result.get("content", {})) is dict else "content is an object"
    if method == "sampling/createMessage":
        if result.get("role") not in ROLES:
            return "role is user or assistant"
        if type(result.get("model")) is not str:
            return "model is the name of the model that answered"
        content = result.get("content")
        blocks = content if type(content) is list else [content]
        return None if all(map(_is_block, blocks)) else "content is a content block"
    if method == "roots/list":
        roots = result.get("roots")
        good = type(roots) is list and all(type(root) is dict and type(root.get("uri")) is str for root in roots)
        return None if good else "roots is a list of objects with a uri"
    return None


def unfit(question: dict[str, Any], result: dict[str, Any]) -> str | None:
    """Return why an accepted form does not fit its schema, None when it does or nothing was accepted."""
    params = question.get("params") or {}
    schema = params.get("requestedSchema")
    if schema is None or result["action"] != "accept":
        return None
    from ..schema.validator import compile_validator

    problems = compile_validator(schema).problems(result.get("content", {}), 1)
    if not problems:
        return None
    place = "/".join(map(str, problems[0].path))
    return f"{place + ': ' if place else ''}{problems[0].reason}"


def _is_block(block: Any) -> bool:
    if type(block) is not dict or type(block.get("type")) is not str:
        return False
    return all(type(block.get(name)) is str for name in TEXTS.get(block["type"], ()))
