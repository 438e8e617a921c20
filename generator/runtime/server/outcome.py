"""Results of calls that did not go well, as the model reads them: what happened, and what to do next.

Each builder returns the superset of a CallToolResult: `content`, `isError`, `_meta["mcpgen/error"]` for programs and,
for coded outcomes, `errorData` (the shape argument errors have). Codes are never reused: M-RUN-001 time-out, 002
busy, 004 the process ended, M-CMD-004 the handler cannot be imported, M-CFG-004 configuration missing, M-OUT-001 a
result breaks its schema.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

META_ERROR = "mcpgen/error"
"""The key under `_meta` that holds an outcome's facts."""

MAX_PLACE = 120
"""Characters of a path in a message; a deeper place helps nobody."""


def refusal(text: str, facts: dict[str, Any], error_data: dict[str, Any] | None = None) -> dict[str, Any]:
    """Build an error result from the model's text and the facts."""
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "_meta": {META_ERROR: facts},
    }
    if error_data is not None:
        result["errorData"] = error_data
    return result


def coded(
    call: Call,
    code: str,
    reason: str,
    text: str,
    suggestion: str,
    *,
    retryable: bool | None = None,
    **details: object,
) -> dict[str, Any]:
    """Build an error result with a code; the suggestion ends the text and stands alone in the data."""
    facts: dict[str, Any] = {"code": code, "tool": call.tool.name, "reason": reason, **details}
    if retryable is not None:
        facts["retryable"] = retryable
    data = {"tool": call.tool.name, "errorCode": code, "reason": reason, **details}
    data["suggestion"] = suggestion
    return refusal(f"[{code}] {text} {suggestion}", facts, data)


def timed_out(call: Call, seconds: float) -> dict[str, Any]:
    """Build M-RUN-001 for a call that took longer than `seconds`."""
    name = call.tool.name
    if _repeatable(call):
        suggestion = "Call it again, or ask for less at once."
    else:
        suggestion = "It may still be at work: check what it changed before calling it again."
    text = f"{name} timed out: it did not finish within {_seconds(seconds)}."
    return coded(call, "M-RUN-001", "timeout", text, suggestion, retryable=_repeatable(call), seconds=seconds)


def busy(call: Call) -> dict[str, Any]:
    """Build M-RUN-002 for a call that no thread is free to run."""
    text = f"{call.tool.name} was not run: the server is busy with earlier calls."
    return coded(call, "M-RUN-002", "busy", text, "Call it again in a few seconds.", retryable=True)


def not_kept(call: Call) -> dict[str, Any]:
    """Build M-RUN-002 for a task whose result finds no room."""
    text = f"{call.tool.name} finished, but its result was not kept: too many large results are."
    suggestion = "Look at what it changed before calling it again, later or for less at once."
    return coded(call, "M-RUN-002", "not_kept", text, suggestion, retryable=_repeatable(call))


def stopped(call: Call, *, input_ended: bool = False) -> dict[str, Any]:
    """Build M-RUN-004 for a call that the end of the process cuts off; `input_ended` says why that ended."""
    why = "the server's input ended, and the server with it" if input_ended else "the process running it ended"
    text = f"{call.tool.name} did not finish: {why}."
    if _repeatable(call):
        suggestion = "Call it again once the server is back."
    else:
        suggestion = "Check what it changed before calling it again."
    if input_ended:
        suggestion += " Keep the input open until the answer is there."
    return coded(call, "M-RUN-004", "process_ended", text, suggestion, retryable=_repeatable(call))


def worker_ended(call: Call, how: str) -> dict[str, Any]:
    """Build M-RUN-004 for a call whose worker process ended; `how` completes a sentence about that process."""
    text = f"{call.tool.name} did not finish: the worker process that ran it {how}."
    if _repeatable(call):
        suggestion = "Another has taken its place: call it again, with other arguments if it ends again."
    else:
        suggestion = "Another has taken its place: check what the call changed before calling it again."
    return coded(call, "M-RUN-004", "process_ended", text, suggestion, retryable=_repeatable(call))


def no_worker(call: Call) -> dict[str, Any]:
    """Build M-RUN-002 for a call that no worker process can run, because none of them starts."""
    text = f"{call.tool.name} was not run: the server's worker processes end as they start."
    suggestion = "Ask the user to look at the server's log; it tries on, so a later call may go well."
    return coded(call, "M-RUN-002", "no_worker", text, suggestion, retryable=True)


def not_importable(call: Call, message: str, missing: str | None) -> dict[str, Any]:
    """Build M-CMD-004 for a handler whose module cannot be imported; `missing` names a module that is not installed."""
    text = f"{call.tool.name} cannot run: {message}."
    package = (missing or "").partition(".")[0]
    own = call.tool.entry["call"].get("target", "").partition(":")[0].partition(".")[0]
    if missing and package == own:
        # A stranger's package of this name may be in an index: what is wanted is the code the server was made for.
        suggestion = (
            f"Ask the user to make the module `{missing}` that this server links to importable where the server runs, "
            "or to build the server again without --link; then call again."
        )
        return coded(call, "M-CMD-004", "lazy_import_failed", text, suggestion, retryable=True, missing=missing)
    if missing and package != call.tool.catalog.package:
        suggestion = (
            f"Ask the user to install the package that provides `{package}` (often `pip install {package}`) where this "
            "server runs; then call again."
        )
        return coded(call, "M-CMD-004", "lazy_import_failed", text, suggestion, retryable=True, missing=missing)
    suggestion = "Ask the user to repair the module or to build the server again; then call again."
    return coded(call, "M-CMD-004", "lazy_import_failed", text, suggestion, retryable=True)


def missing_configuration(call: Call, wanted: list[tuple[str, str, str]], file: str) -> dict[str, Any]:
    """Build M-CFG-004; `wanted` holds name, variable and description, `file` is where values may stand instead."""
    listed = "; ".join(
        f"{name} (environment variable {variable}{': ' + description if description else ''})"
        for name, variable, description in wanted
    )
    text = f"{call.tool.name} needs configuration that is not set: {listed}."
    variables = " and ".join(variable for _, variable, _ in wanted)
    suggestion = (
        f"Ask the user to set {variables} in this server's `env` in the host's settings, or to put the value into "
        f'{file} as {{"{wanted[0][0]}": "..."}}; never ask for a secret in the chat.'
    )
    names = [name for name, _, _ in wanted]
    return coded(call, "M-CFG-004", "missing_configuration", text, suggestion, retryable=False, missing=names)


def broken_result(call: Call, path: str, complaint: str) -> dict[str, Any]:
    """Build M-OUT-001: the function returned something that cannot be sent; `complaint` never holds the value."""
    if len(path) > MAX_PLACE:
        path = f"{path[: MAX_PLACE - 1]}…"
    place = f" at {path}" if path not in ("", "result") else ""
    text = f"{call.tool.name} returned a wrong result{place}: {complaint}."
    suggestion = "This is a fault of the tool, not of the arguments; calling it again as it is will not help."
    return coded(call, "M-OUT-001", "invalid_result", text, suggestion, retryable=False, path=path)


def too_large(call: Call, limit: int) -> dict[str, Any]:
    """Build M-OUT-001 for a result of more than `limit` bytes that cannot be cut."""
    text = f"{call.tool.name} returned more than {limit} bytes, which is not sent."
    suggestion = "Ask for less at once, for example by narrower arguments."
    return coded(call, "M-OUT-001", "result_too_large", text, suggestion, retryable=False, limit=limit)


def _repeatable(call: Call) -> bool:
    """Say whether the author promised that a second call does no harm."""
    hints = call.tool.entry["definition"].get("annotations") or {}
    return bool(hints.get("readOnlyHint") or hints.get("idempotentHint"))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g} s"
