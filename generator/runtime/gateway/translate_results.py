"""A child's results as the client gets them: the gateway's names, the caller's revision, all else as it came (R048)."""

from __future__ import annotations

from ..server.older import block_for
from ..server.outcome import META_ERROR
from .translate_requests import passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .names import Names

SHARED = "public"
PRIVATE = "private"

AUTHORS_OWN = "tool_error"
"""The reason of an error whose text is the author's, of a ToolError."""


def tool_result(result: dict[str, Any], names: Names, dialect: Dialect) -> dict[str, Any]:
    """Return the result of a tool. Its name occurs in what our own servers say of errors (B20)."""
    changed = _outward(result)
    content = result.get("content")
    changed["content"] = [block(each, names) for each in content] if type(content) is list else []
    structured = result.get("structuredContent")
    if structured is not None and type(structured) is not dict and not dialect.modern:
        del changed["structuredContent"]  # objects only, before 2026-07-28; the same is in the content
    data = changed.get("errorData")
    if type(data) is dict:
        changed["errorData"] = named(data, names)
        _rename(changed, data, names)
    meta = changed.get("_meta")
    if meta is not None:
        facts = meta.get(META_ERROR)
        if type(facts) is dict:
            meta[META_ERROR] = named(facts, names)
            _rename(changed, facts, names)
        link = meta.get("ui")
        if type(link) is dict and type(link.get("resourceUri")) is str:
            meta["ui"] = {**link, "resourceUri": names.uri(link["resourceUri"])}
    return changed


def renamed(text: str, before: str, after: str) -> str:
    """Return what one of our own servers says of something with another name of it, where such a text has the name.

    That is in its first line only: at its beginning, behind a code, or at its end ("the arguments of x:").
    """
    line, newline, more = text.partition("\n")
    code, space, said = line.partition("] ") if line.startswith("[M-") else ("", "", line)
    if said == before or said.startswith(f"{before} "):
        said = after + said[len(before) :]
    elif said.endswith(f" of {before}:"):
        said = f"{said[: -len(before) - 1]}{after}:"
    return f"{code}{space}{said}{newline}{more}"


def _rename(result: dict[str, Any], facts: dict[str, Any], names: Names) -> None:
    """Call a tool by the gateway's name in the text of an error that says of which tool it is: our own servers' do.

    What its author wrote stays as it is.
    """
    told = facts.get("tool") if facts.get("reason") != AUTHORS_OWN else None
    first = result["content"][0] if result["content"] else None
    if type(told) is str and names.tool(told) != told and type(first) is dict and type(first.get("text")) is str:
        result["content"][0] = {**first, "text": renamed(first["text"], told, names.tool(told))}


def prompt_result(result: dict[str, Any], names: Names, dialect: Dialect) -> dict[str, Any]:
    """Return a prompt's messages; kinds of content that a revision does not know become text."""
    changed = _outward(result)
    said = result.get("messages")
    changed["messages"] = [message(each, names, dialect) for each in said] if type(said) is list else []
    return changed


def message(said: Any, names: Names, dialect: Dialect | None = None) -> Any:
    """Return one message, of a prompt or of a question to the client's model."""
    if type(said) is not dict:
        return said
    content = said.get("content")
    if type(content) is list:
        return {**said, "content": [_fitting(each, names, dialect) for each in content]}
    return {**said, "content": _fitting(content, names, dialect)}


def read_result(result: dict[str, Any], names: Names, dialect: Dialect) -> dict[str, Any]:
    """Return the contents of a resource under the gateway's URIs (R047)."""
    changed = _outward(result)
    contents = result.get("contents")
    changed["contents"] = [_content(each, names, dialect) for each in contents] if type(contents) is list else []
    return changed


def plain_result(result: dict[str, Any], _: Names, __: Dialect) -> dict[str, Any]:
    """Return a result without names in it."""
    return _outward(result)


def block(found: Any, names: Names) -> Any:
    """Return one block of content with the gateway's URI, where it has one."""
    if type(found) is not dict:
        return found
    kind = found.get("type")
    if kind == "resource_link" and type(found.get("uri")) is str:
        return {**found, "uri": names.link(found["uri"])}
    if kind == "resource":
        inner = found.get("resource")
        if type(inner) is dict and type(inner.get("uri")) is str:
            return {**found, "resource": {**inner, "uri": names.uri(inner["uri"])}}
    elif kind == "tool_result" and type(found.get("content")) is list:  # in a question to the client's model
        return {**found, "content": [block(each, names) for each in found["content"]]}
    return found


def named(facts: dict[str, Any], names: Names) -> dict[str, Any]:
    """Return what is said of an error with the gateway's names of the tool and of the resource."""
    changed = facts
    if type(facts.get("tool")) is str:
        changed = {**changed, "tool": names.tool(facts["tool"])}
    for member in ("uri", "resourceUri"):
        if type(facts.get(member)) is str:
            changed = {**changed, member: names.uri(facts[member])}
    return changed


def caching(result: dict[str, Any], *, private: bool) -> dict[str, Any]:
    """Return how long and by whom a child's contents may be kept (2026-07-28, caching); not at all if it does not say.

    `private`: what the child says rests on credentials of its own, so no two callers may share it.
    """
    seconds, scope = result.get("ttlMs"), result.get("cacheScope")
    if type(seconds) is not int or seconds < 0:
        return {"ttlMs": 0, "cacheScope": PRIVATE}
    return {"ttlMs": seconds, "cacheScope": SHARED if scope == SHARED and not private else PRIVATE}


def _outward(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without what belongs to the child's hop of the protocol."""
    changed = {**result}
    changed.pop("resultType", None)
    meta = changed.pop("_meta", None)
    kept = passed_on(meta) if type(meta) is dict else None
    if kept:
        changed["_meta"] = kept
    return changed


def _content(found: Any, names: Names, dialect: Dialect) -> Any:
    if type(found) is not dict:
        return found
    changed = {**found, "uri": names.uri(found["uri"])} if type(found.get("uri")) is str else {**found}
    if "_meta" not in dialect.resource_fields:
        changed.pop("_meta", None)
    return changed


def _fitting(found: Any, names: Names, dialect: Dialect | None) -> Any:
    changed = block(found, names)
    return block_for(changed, dialect) if dialect is not None and type(changed) is dict else changed


RESULTS: dict[str, Callable[[dict[str, Any], Names, Dialect], dict[str, Any]]] = {
    "tools/call": tool_result,
    "prompts/get": prompt_result,
    "resources/read": read_result,
}
"""How the results of a method are translated; those of others hold no names."""


def translated(method: str, result: dict[str, Any], names: Names, dialect: Dialect) -> dict[str, Any]:
    """Return a complete result of a method."""
    return RESULTS.get(method, plain_result)(result, names, dialect)
