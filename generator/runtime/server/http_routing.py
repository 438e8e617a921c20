"""What the headers of a 2026-07-28 request repeat of its body, for whoever routes by them (transports: HTTP headers).

`MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` have to say what the body says, and `Mcp-Param-*` what the argument
says that a tool's schema marks with `x-mcp-header`; otherwise a proxy that routes or refuses by headers could be told
one thing and this server another. Pure. `check` is steps 7 to 12 of the digest's processing order.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import META_CAPABILITIES, META_VERSION, MODERN_VERSIONS
from .http_problem import RpcProblem
from .http_sentinel import Undecodable, decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .http_head import Head
    from .tool import Tool

MARK = "x-mcp-header"
PREFIX = "mcp-param-"
VERSION, METHOD, NAME = "mcp-protocol-version", "mcp-method", "mcp-name"
SESSION = "mcp-session-id"

NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""Methods that need `Mcp-Name`, and the parameter it repeats."""

MOST_DEEP = 32
"""Levels of `properties` that are looked through; deeper schemas are refused by hosts."""

EXACT_DIGITS = 300
"""Digits of a header that is compared as a number; none that a client means is longer."""


def check(head: Head, method: str, params: Any) -> None:
    """Compare a request's headers with its body, arguments aside; raises RpcProblem."""
    for name in (VERSION, METHOD, NAME):
        if name in head.repeated:
            raise RpcProblem(jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} comes more than once")
    meta = params.get("_meta") if type(params) is dict else None
    if type(meta) is not dict:
        raise RpcProblem(jsonrpc.INVALID_PARAMS, "Invalid params: _meta must be an object")
    version = meta.get(META_VERSION)
    if type(version) is not str:
        raise RpcProblem(jsonrpc.INVALID_PARAMS, f"Invalid params: _meta needs {META_VERSION}")
    if type(meta.get(META_CAPABILITIES)) is not dict:
        raise RpcProblem(jsonrpc.INVALID_PARAMS, f"Invalid params: _meta needs {META_CAPABILITIES}")
    _same(head, VERSION, version, plain=True)
    _same(head, METHOD, method, plain=True)
    key = NAMED_BY.get(method)
    if key is not None and type(params.get(key)) is str:
        _same(head, NAME, params[key], plain=False)
    elif NAME in head.headers:
        _decoded(head, NAME)
    if version not in MODERN_VERSIONS:
        data = {"supported": MODERN_VERSIONS, "requested": shown(version)}
        raise RpcProblem(jsonrpc.UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def check_arguments(head: Head, marked: list[tuple[str, tuple[str, ...]]], arguments: Any) -> None:
    """Compare the headers of marked parameters (`marks` of the tool) with a call's arguments; raises RpcProblem."""
    if type(arguments) is str:  # all arguments as one JSON text, which is read as such later
        try:
            arguments = jsonrpc.parse(arguments.encode("utf-8", "replace"))
        except jsonrpc.ParseFailure:
            arguments = None
    for header, path in marked:
        name = PREFIX + header
        if name in head.repeated:
            raise RpcProblem(jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} comes more than once")
        value = _at(arguments, path)
        if value is None:
            if name in head.headers:
                raise RpcProblem(jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} is sent, its argument is not")
        elif type(value) in (str, int, float, bool):
            _equal(head, name, value)


def marks(tool: Tool) -> list[tuple[str, tuple[str, ...]]]:
    """Return the headers, in lower case, and the places of a tool's marked parameters."""
    schema = tool.entry["definition"].get("inputSchema")
    return list(_marks(schema, ())) if MARK in str(schema) else []


def _marks(schema: Any, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    properties = schema.get("properties") if type(schema) is dict else None
    if type(properties) is not dict or len(path) >= MOST_DEEP:
        return
    for name, inner in properties.items():
        if type(inner) is dict:
            if type(inner.get(MARK)) is str:
                yield inner[MARK].lower(), (*path, name)
            yield from _marks(inner, (*path, name))


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if type(value) is not dict:
            return None
        value = value.get(name)
    return value


def _equal(head: Head, name: str, value: str | float | bool) -> None:  # noqa: FBT001 # a JSON value
    said = _decoded(head, name)
    if type(value) is str:
        same = said == value
    elif type(value) is bool:
        same = said == ("true" if value else "false")
    else:
        same = _is_number(said, value)
    if not same:
        raise RpcProblem(jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} is not what its argument says")


def _is_number(said: str, value: Any) -> bool:
    """Compare a decimal header with a number by value: 42.0 is 42."""
    whole, dot, rest = said.removeprefix("-").partition(".")
    digits = whole + rest
    if not whole or (dot and not rest) or not digits.isascii() or not digits.isdigit() or len(digits) > EXACT_DIGITS:
        return False
    if type(value) is int and not rest.strip("0"):
        return bool(int("-" + whole if said.startswith("-") else whole) == value)
    return bool(float(said) == value)


def _same(head: Head, name: str, value: str, *, plain: bool) -> None:
    if plain:
        said = head.headers.get(name)
        if said is None:
            raise RpcProblem(
                jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} is missing; the body says {shown(value)}"
            )
    else:
        said = _decoded(head, name)
    if said != value:
        text = f"Header mismatch: {name} says {shown(said)}, the body says {shown(value)}"
        raise RpcProblem(jsonrpc.HEADER_MISMATCH, text)


def _decoded(head: Head, name: str) -> str:
    said = head.headers.get(name)
    if said is None:
        raise RpcProblem(jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} is missing")
    try:
        return decoded(said)
    except Undecodable:
        raise RpcProblem(jsonrpc.HEADER_MISMATCH, f"Header mismatch: {name} cannot be decoded") from None


def shown(text: str) -> str:
    """Return what a message may repeat of a client's text: its beginning, without control characters."""
    text = text[:60]
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)
