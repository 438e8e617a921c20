"""A client's request as its child gets it: the child's names, nothing of this hop's own.

Ids, progress tokens, protocol version and the caller's own place in the protocol are each hop's own; what applications
put into `_meta` and the trace context go through as they are (2026-07-28, request metadata).
"""

from __future__ import annotations

from ..server.asking_capabilities import declared_by
from ..wire import jsonrpc
from ..wire.dialects import APPS, META_CAPABILITIES, TASKS, VIEW_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call

PROTOCOL = "io.modelcontextprotocol/"
"""How the keys under `_meta` begin that belong to one hop of the protocol."""

TOKEN = "progressToken"  # noqa: S105 # a name of the protocol

HOPS_OWN = ("_meta", "inputResponses", "requestState", "task")
"""Members of params that each hop makes for itself."""

ASKING = ("elicitation", "sampling", "roots")
"""Capabilities that need a way back to the caller."""


def passed_on(meta: dict[str, Any]) -> dict[str, Any]:
    """Return what of a request's or a result's `_meta` goes on to the other side."""
    if not meta:
        return {}
    return {key: value for key, value in meta.items() if key != TOKEN and not key.startswith(PROTOCOL)}


def params_for(call: Call, original: str) -> dict[str, Any]:
    """Return the params a child gets for a call of what it calls `original`; raises jsonrpc.Refusal."""
    if call.method == "tools/call":
        arguments = call.arguments
        return {"name": original, "arguments": arguments if type(arguments) is dict else _read(arguments)}
    params = {name: value for name, value in call.params.items() if name not in HOPS_OWN}
    if call.method == "completion/complete":
        reference = call.params["ref"]
        params["ref"] = {**reference, "name" if reference["type"] == "ref/prompt" else "uri": original}
    elif call.method == "prompts/get":
        params["name"] = original
    elif call.method == "resources/read":
        params["uri"] = original
    elif call.method.startswith("tasks/"):
        params["taskId"] = original
        if call.method == "tasks/update":
            params["inputResponses"] = call.params.get("inputResponses")
    return params


def _read(arguments: Any) -> dict[str, Any]:
    """Return the arguments that a text holds, as which some clients send them; raises jsonrpc.Refusal."""
    if type(arguments) is str:
        try:
            arguments = jsonrpc.parse(arguments.encode("utf-8", "surrogatepass"))
        except jsonrpc.ParseFailure:
            arguments = None
    if type(arguments) is not dict:
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: arguments must be an object")
    return arguments


def capabilities_for(call: Call, *, apps: bool = False) -> dict[str, Any]:
    """Return what a child is told of the caller's capabilities: what the caller said, as far as it works through here.

    Questions need a way back, which a request without a session has not, and tasks need the revision that has them.
    `apps` adds MCP Apps for a view, whose reader has shown that it shows them (R045).
    """
    if call.dialect.modern:
        told = call.meta.get(META_CAPABILITIES)
        declared: dict[str, Any] = {**told} if type(told) is dict else {}
    else:
        declared = declared_by(call)
        if call.session is None or not call.answerable:
            declared = {name: value for name, value in declared.items() if name not in ASKING}
        if type(declared.get("roots")) is dict:
            declared["roots"] = {}  # nobody is told that they changed
        extensions = declared.get("extensions")
        if type(extensions) is dict and TASKS in extensions:
            declared["extensions"] = {name: value for name, value in extensions.items() if name != TASKS}
    if apps:
        extensions = declared.get("extensions")
        known = extensions if type(extensions) is dict else {}
        declared["extensions"] = {APPS: {"mimeTypes": [VIEW_TYPE]}, **known}
    return declared


def client_of(call: Call) -> dict[str, Any]:
    """Return what the caller said of itself (clientInfo)."""
    return {name: value for name, value in call.client.items() if name != "capabilities"}
