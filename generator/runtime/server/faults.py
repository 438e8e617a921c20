"""What user code raised, as a result: the model gets the exception's name and message, never a traceback.

User code may raise anything: SystemExit, KeyboardInterrupt, an exception whose text raises again, a MemoryError with no
memory left to describe it. Nothing in here lets an exception out.
"""

from __future__ import annotations

import os

from ..schema.exception_text import type_name
from ..wire import jsonrpc
from . import logs, outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

MAX_MESSAGE = 2_000
"""Characters of an exception's message that reach the client: room for a compiler's complaint, not for a document."""

MAX_PARTS = 3
"""Exceptions of a group that are described one by one."""

LAST_RESORT = "The tool failed, and so did the attempt to say how."


def failed(call: Call, error: BaseException) -> dict[str, Any]:
    """Build the error result for whatever user code raised; never raises."""
    try:
        if getattr(type(error), "__mcp_protocol_error__", False) is True:
            return _of_the_protocol(call, error)
        if getattr(type(error), "__mcp_tool_error__", False) is True:
            return _on_purpose(call, error)
        return _by_accident(call, error)
    except BaseException:  # noqa: BLE001 # the exception's own methods are user code as well
        return outcome.refusal(LAST_RESORT, {"tool": call.tool.name, "reason": "exception"})


def describe(error: BaseException, secrets: tuple[str, ...] = (), *, parts: int = MAX_PARTS) -> str:
    """Return "Name: message" without secrets and paths, capped; `parts` exceptions of a group are described."""
    name = type_name(type(error))
    try:
        message = str(error)
        message = f"{message}" if type(message) is str else str.__str__(message)
    except BaseException:  # noqa: BLE001 # __str__ is user code
        return f"{name} (its message cannot be read)"
    if parts and issubclass(type(error), BaseExceptionGroup):
        group: Any = error
        described = (describe(part, secrets, parts=0) for part in group.exceptions[:parts])
        message = f"{message}: {'; '.join(described)}"
    from .masking import mask

    message = printable(mask(message, secrets)).strip()
    if len(message) > MAX_MESSAGE:
        message = message[: MAX_MESSAGE - 1] + "…"
    return f"{name}: {message}" if message else name


def printable(text: str) -> str:
    """Return the text with control characters, direction changes and lone surrogates replaced; lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)


def _on_purpose(call: Call, error: Any) -> dict[str, Any]:
    """Report a ToolError: the author's words as they are, except values the configuration knows to be secret."""
    from .masking import mask_json, mask_values

    message = getattr(error, "message", None)
    text = message if isinstance(message, str) else str(error)
    hint = getattr(error, "hint", None)
    if hint:
        text = f"{text}\nHint: {hint}"
    facts: dict[str, Any] = {"tool": call.tool.name, "reason": "tool_error", "type": type_name(type(error))}
    code = getattr(error, "__mcp_code__", None)
    if code is not None:
        text, facts = f"[{code}] {text}", {"code": code, **facts}
    retryable = getattr(error, "retryable", None)
    if retryable is not None:
        facts["retryable"] = bool(retryable)
    data = getattr(error, "data", None)
    if data is not None:
        facts["data"] = mask_json(_as_json(data), secrets_of(call))
    return outcome.refusal(mask_values(text, secrets_of(call)), facts)


def _of_the_protocol(call: Call, error: Any) -> dict[str, Any]:
    """Report a ProtocolError; a missing capability is what a model reads where the revision has no code for it."""
    from .masking import mask_json, mask_values

    if error.code == jsonrpc.MISSING_CAPABILITY and not call.dialect.modern:
        text = f"{call.tool.name} cannot run with this client: {error.message[:1].lower()}{error.message[1:]}."
        suggestion = "Use another tool, or ask the user for a client that has it."
        details = _as_json(error.data)
        return outcome.coded(call, "M-ASK-001", "client_cannot", text, suggestion, retryable=False, data=details)
    code = error.code if type(error.code) is int else jsonrpc.INTERNAL_ERROR
    data = None if error.data is None else mask_json(_as_json(error.data), secrets_of(call))
    message = mask_values(printable(str(error.message)), secrets_of(call))[:MAX_MESSAGE]
    body = jsonrpc.error_body(code, message, data)
    return {"rpcError": body, "content": [], "isError": True}


def _as_json(data: object) -> object:
    from ..schema.results import ResultProblem, to_json

    try:
        return to_json(data)
    except ResultProblem as problem:
        return f"not JSON: {problem.reason}"


def _by_accident(call: Call, error: BaseException) -> dict[str, Any]:
    """Report an exception nobody meant to show; a client that must not see it gets a number to ask about."""
    secrets = secrets_of(call)
    text = describe(error, secrets)
    facts: dict[str, Any] = {"tool": call.tool.name, "reason": "exception"}
    obscure = logs.options.obscure_errors or call.tool.reticent
    if logs.options.dev or obscure:
        facts["id"] = os.urandom(3).hex()
        logs.fault(call, facts["id"], text, _traceback(error, secrets) if logs.options.dev else None)
    if not logs.options.dev and call.tool.entry["call"].get("kind") == "http":
        place = _users_place(error, call.tool.catalog.package)
        if place:  # an API's server has little code of its user's: where it failed is what they will ask first
            logs.note(call, f"{place}: {text}")
    if obscure:
        what = call.tool.name if call.tool.reticent else "Tool"
        return outcome.refusal(f"{what} failed (id {facts['id']})", facts)
    facts["type"] = type_name(type(error))
    return outcome.refusal(text, facts)


def _users_place(error: BaseException, package: str) -> str:
    """Return file, line and function of the last frame in the user's own module; empty when there is none."""
    found = ""
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        module = frame.f_globals.get("__name__")
        if isinstance(module, str) and module.startswith(f"{package}.handlers"):
            found = f"{frame.f_code.co_filename}:{trace.tb_lineno} in {frame.f_code.co_name}"
        trace = trace.tb_next
    return found


def secrets_of(call: Call) -> tuple[str, ...]:
    """Return the configured values that no text may show."""
    from .surroundings import surroundings_of

    return surroundings_of(call.tool.catalog).settings.secrets()


def _traceback(error: BaseException, secrets: tuple[str, ...]) -> str:
    """Return the stack for the developer's eyes: paths stay, configured secrets do not."""
    import traceback

    from .masking import mask_values

    try:
        return mask_values("".join(traceback.format_exception(error)), secrets)
    except BaseException:  # noqa: BLE001 # formatting calls user code (__str__, __repr__)
        return "".join(traceback.format_tb(error.__traceback__))
