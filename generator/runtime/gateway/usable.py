"""Whether clients can use what a child answered: official ones refuse a whole result for one member that is wrong.

Only what is there is judged, and only what every client looks at: kinds of content, members that they cannot do
without, and the types of those that they know. Members that nobody knows go through. Some servers write null for what
they do not have, which not every client takes: `without_nulls` leaves it out. Pure.
"""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Members = tuple[tuple[str, tuple[type, ...], str], ...]
    """Members that need not be there: their names, their types, and those in words."""

NULLS = "null"
"""What is wrong where only nulls are to be left out."""

NEEDED: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
"""Kinds of content, and their members that are texts and must be there."""

TEXT, OBJECT, LIST, FLAG = ((str,), "a text"), ((dict,), "an object"), ((list,), "a list"), ((bool,), "true or false")
NUMBER = ((int, float), "a number")

OF_BLOCK: Members = (("annotations", *OBJECT), ("_meta", *OBJECT))
OF_LINK: Members = (
    ("title", *TEXT), ("description", *TEXT), ("mimeType", *TEXT), ("size", *NUMBER), ("icons", *LIST),
)  # fmt: skip
OF_CONTENTS: Members = (("mimeType", *TEXT), ("_meta", *OBJECT))
OF_ANNOTATIONS: Members = (("audience", *LIST), ("priority", *NUMBER), ("lastModified", *TEXT))
OF_TOOL: Members = (("isError", *FLAG),)
OF_PROMPT: Members = (("description", *TEXT),)
OF_COMPLETION: Members = (("total", (int,), "a whole number"), ("hasMore", *FLAG))

OF_TASK: Members = (("pollIntervalMs", (int,), "a whole number"), ("statusMessage", *TEXT))
OF_EVERY_TASK = ("taskId", "createdAt", "lastUpdatedAt")
STATUSES = {
    "working": None, "cancelled": None, "input_required": "inputRequests", "completed": "result", "failed": "error",
}  # fmt: skip
"""Of a task, and the member that belongs to each."""

ROLES = ("user", "assistant")


def fault(method: str, result: dict[str, Any]) -> str:
    """Say what is wrong with the result of a method, "" for nothing, NULLS for what `without_nulls` mends."""
    judge = JUDGES.get(method)
    return judge(result) if judge is not None else ""


def without_nulls(value: Any) -> Any:
    """Return a result without the nulls of members that clients know; what a tool or an application means stays."""
    if type(value) is list:
        return [without_nulls(each) for each in value]
    if type(value) is not dict:
        return value
    return {
        name: each if name in ("structuredContent", "_meta") else without_nulls(each)
        for name, each in value.items()
        if each is not None or name in ("structuredContent", "ttlMs")
    }


def _of_tool(result: dict[str, Any]) -> str:
    said = _of_list("content", result, _block)
    return said or ("isError" in result and _of_members(result, OF_TOOL)) or ""


def _of_prompt(result: dict[str, Any]) -> str:
    return _of_list("messages", result, _message) or _of_members(result, OF_PROMPT)


def _of_resource(result: dict[str, Any]) -> str:
    return _of_list("contents", result, _contents)


def _of_completion(result: dict[str, Any]) -> str:
    found = result.get("completion")
    values = found.get("values") if type(found) is dict else None
    if type(found) is not dict or type(values) is not list or any(type(each) is not str for each in values):
        return "its completion has no texts as its values"
    return _behind("its completion", _of_members(found, OF_COMPLETION))


def task_fault(task: dict[str, Any]) -> str:
    """Say what is wrong with what is said of a task (io.modelcontextprotocol/tasks)."""
    for member in OF_EVERY_TASK:
        if type(task.get(member)) is not str:
            return f"its task has no text as its {member}"
    if type(task.get("status")) is not str or task["status"] not in STATUSES:
        return f"its task has the status {_shown(task.get('status'))}, which is unknown"
    if type(task.get("ttlMs", "")) not in (int, type(None)):
        return "its task has no whole number as its ttlMs"
    return _behind("its task", _of_members(task, OF_TASK))


def _of_task(task: dict[str, Any]) -> str:
    said = task_fault(task)
    member = STATUSES.get(task.get("status", "")) if not said else None
    if member is None:
        return said
    if type(task.get(member)) is not dict:
        return f"its task has no object as its {member}"
    return _of_tool(task[member]) if member == "result" else ""


def _of_list(member: str, result: dict[str, Any], judge: Callable[[Any], str]) -> str:
    """Judge the members of a list; one that is missing is an empty one."""
    found = result.get(member, ())
    if type(found) is not list and found != ():
        return f"its {member} is no list"
    for number, each in enumerate(found):
        said = judge(each)
        if said:
            return _behind(f"{member}[{number}]", said)
    return ""


def _block(block: Any) -> str:
    """Judge one block of content."""
    if type(block) is not dict:
        return "is no object"
    kind = block.get("type")
    needed = NEEDED.get(kind) if type(kind) is str else None
    if type(kind) is not str or needed is None:
        return f"is of the kind {_shown(kind)}, which is unknown" if "type" in block else "has no type"
    for member in needed:
        if type(block.get(member)) is not str:
            return f"of the kind {kind} has no text as its {member}"
    if len(block) == len(needed) + 1:
        return ""  # most blocks
    return _more_of_block(kind, block)


def _more_of_block(kind: str, block: dict[str, Any]) -> str:
    said = _of_members(block, OF_BLOCK)
    if not said and "annotations" in block:
        said = _annotations(block["annotations"])
    if not said and kind == "resource_link":
        said = _of_members(block, OF_LINK) or _icons(block.get("icons", ()))
    if not said and kind == "resource":
        said = _contents(block.get("resource"))
    return said


def _contents(contents: Any) -> str:
    """Judge the contents of a resource."""
    if type(contents) is not dict:
        return "has no contents"
    if type(contents.get("uri")) is not str:
        return "has contents without a uri"
    if type(contents.get("text")) is not str and type(contents.get("blob")) is not str:
        return "has contents without text or blob"
    if "text" in contents and "blob" in contents and None in (contents["text"], contents["blob"]):
        return NULLS
    return _of_members(contents, OF_CONTENTS)


def _message(message: Any) -> str:
    if type(message) is not dict:
        return "is no object"
    if message.get("role") not in ROLES:
        return f"has the role {_shown(message.get('role'))}, which is unknown"
    return _behind("has content that", _block(message.get("content")))


def _annotations(found: dict[str, Any]) -> str:
    said = _of_members(found, OF_ANNOTATIONS)
    if said:
        return _behind("has annotations: it", said)
    if any(each not in ROLES for each in found.get("audience", ())) or not 0 <= found.get("priority", 0) <= 1:
        return "has annotations with an unknown audience, or a priority that is not between 0 and 1"
    return ""


def _icons(icons: Any) -> str:
    bad = any(type(icon) is not dict or type(icon.get("src")) is not str for icon in icons)
    return "has an icon without src" if bad else ""


def _of_members(found: dict[str, Any], members: Members) -> str:
    """Judge members that need not be there."""
    for name, kinds, words in members:
        if name in found and type(found[name]) not in kinds:
            return NULLS if found[name] is None else f"has something else than {words} as its {name}"
    return ""


def _behind(place: str, said: str) -> str:
    return f"{place} {said}" if said and said != NULLS else said


def _shown(value: Any) -> str:
    return repr(jsonrpc.shown(value)) if type(value) is str else "of a " + type(value).__name__


JUDGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "tools/call": _of_tool,
    "prompts/get": _of_prompt,
    "resources/read": _of_resource,
    "completion/complete": _of_completion,
    "tasks/get": _of_task,
}
"""What is judged of each method's result."""
