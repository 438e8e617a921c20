"""Whether clients can use what a child answered: official ones refuse a whole result for one block that is none.

Only what is there is judged, and only as far as every client looks: kinds of blocks, and members that they cannot do
without. Members that nobody knows go through. Pure.
"""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NONE = type(None)

NEEDED: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
"""Kinds of content, and their members that are texts and must be there."""

TEXT, OBJECT, NUMBER, FLAG = ({str, NONE}, {dict, NONE}, {int, NONE}, {bool, NONE})
"""What a member may be that need not be there: some servers write null for nothing."""

OBJECTS = ("annotations", "_meta")
"""Members of a block that are objects."""

ROLES = ("user", "assistant")


def fault(method: str, result: dict[str, Any]) -> str:
    """Say what is wrong with the result of a method, "" for nothing."""
    judge = JUDGES.get(method)
    return judge(result) if judge is not None else ""


def block_fault(block: Any) -> str:
    """Say what is wrong with one block of content, "" for nothing."""
    if type(block) is not dict:
        return "is no object"
    kind = block.get("type")
    needed = NEEDED.get(kind) if type(kind) is str else None
    if needed is None:
        return f"is of the kind {_shown(kind)}, which is unknown" if "type" in block else "has no type"
    for member in needed:
        if type(block.get(member)) is not str:
            return f"of the kind {kind} has no text as its {member}"
    if len(block) > len(needed) + 1:
        for member in OBJECTS:
            if type(block.get(member)) not in OBJECT:
                return f"has something else than an object as its {member}"
    if kind == "resource":
        said = contents_fault(block.get("resource"))
        return f"of the kind resource {said}" if said else ""
    return ""


def contents_fault(contents: Any) -> str:
    """Say what is wrong with the contents of a resource, "" for nothing."""
    if type(contents) is not dict:
        return "has no contents"
    if type(contents.get("uri")) is not str:
        return "has contents without a uri"
    if type(contents.get("text")) is not str and type(contents.get("blob")) is not str:
        return "has contents without text or blob"
    if type(contents.get("mimeType")) not in TEXT:
        return "has contents whose mimeType is no text"
    if type(contents.get("_meta")) not in OBJECT:
        return "has contents whose _meta is no object"
    return ""


def _of_tool(result: dict[str, Any]) -> str:
    if type(result.get("isError", False)) is not bool:
        return "isError is neither true nor false"
    return _of_list("content", result, block_fault)


def _of_prompt(result: dict[str, Any]) -> str:
    if type(result.get("description")) not in TEXT:
        return "description is no text"
    return _of_list("messages", result, _message_fault)


def _of_resource(result: dict[str, Any]) -> str:
    return _of_list("contents", result, contents_fault)


def _of_completion(result: dict[str, Any]) -> str:
    found = result.get("completion")
    values = found.get("values") if type(found) is dict else None
    if type(found) is not dict or type(values) is not list or any(type(each) is not str for each in values):
        return "completion has no texts as its values"
    if type(found.get("total")) not in NUMBER or type(found.get("hasMore")) not in FLAG:
        return "completion has a total that is no number, or a hasMore that is neither true nor false"
    return ""


def _of_list(member: str, result: dict[str, Any], judge: Callable[[Any], str]) -> str:
    """Judge the members of a list; one that is missing is an empty one."""
    found = result.get(member)
    if found is None:
        return f"{member} is null" if member in result else ""
    if type(found) is not list:
        return f"{member} is no list"
    for number, each in enumerate(found):
        said = judge(each)
        if said:
            return f"{member}[{number}] {said}"
    return ""


def _message_fault(message: Any) -> str:
    if type(message) is not dict:
        return "is no object"
    if message.get("role") not in ROLES:
        return f"has the role {_shown(message.get('role'))}, which is unknown"
    said = block_fault(message.get("content"))
    return f"has content that {said}" if said else ""


def _shown(value: Any) -> str:
    return repr(jsonrpc.shown(value)) if type(value) is str else "of a " + type(value).__name__


JUDGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "tools/call": _of_tool,
    "prompts/get": _of_prompt,
    "resources/read": _of_resource,
    "completion/complete": _of_completion,
}
"""What is judged of each method's result."""
