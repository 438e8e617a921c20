"""What a caller is told when a child does not answer: which child, why, and what to do next.

Reasons are the words of R052. What a child wrote on its standard error is for the log: it may hold anything.
"""

from __future__ import annotations

from ..server.outcome import coded
from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call

TIMEOUT = "child_timeout"
DISCONNECTED = "child_disconnected"
BROKEN = "child_parse_error"
UNAVAILABLE = "cli_unavailable"
TRANSPORT = "child_transport_error"
BUSY = "child_busy"
"""Its queue is full, or the system is: no word of R052, because a client of Milo's gateway never waits in one."""

UNWRITABLE = "unwritable"
"""What the caller sent cannot be written as JSON, though it could be read: 1e400. No child has a part in it."""

UNWRITABLE_PARAMS = "Invalid params: arguments hold what no JSON can say"

CODES = {
    TIMEOUT: "M-RUN-001",
    BUSY: "M-RUN-002",
    DISCONNECTED: "M-RUN-004",
    TRANSPORT: "M-RUN-004",
    UNAVAILABLE: "M-RUN-002",
    BROKEN: "M-OUT-001",
}
"""The codes of outcomes (decision 16)."""

CAUSES = {
    TIMEOUT: "it did not start in time",
    BUSY: "it has too many calls waiting",
    DISCONNECTED: "it ended before it answered",
    TRANSPORT: "it could not be reached",
    UNAVAILABLE: "it cannot be started",
    BROKEN: "it answered with what is not a message of the protocol",
}

NEXT = {
    TIMEOUT: "Call again in a moment; if it stays so, ask the user to run the gateway with --doctor.",
    BUSY: "Call it again in a few seconds.",
    TRANSPORT: "Call again in a moment; if it stays so, ask the user whether that server runs.",
    UNAVAILABLE: "Ask the user to run the gateway with --doctor, which says what to do; its log has more.",
    BROKEN: "Calling it again as it is will not help; ask the user to look at that server.",
}
"""What to do next; what to do after a child ended depends on what was called."""

HOPELESS = (
    "Ask the user to run the gateway with --doctor, which says what to do; calling again before that will not help."
)
"""The same where a child cannot be started as long as nobody does something about it."""


def lost(
    call: Call, child: str, reason: str, detail: str, *, repeatable: bool, sent: bool = True, hopeless: bool = False
) -> dict[str, Any]:
    """Build the outcome of a call whose child gave no answer; `detail` is a sentence about that, if there is one.

    `sent`: whether the child was given the call; one that ended before that changed nothing for it. `hopeless`: the
    next call will find it no better, because somebody has to do something first.
    """
    if reason == UNWRITABLE:
        body = jsonrpc.error_body(jsonrpc.INVALID_PARAMS, UNWRITABLE_PARAMS)
        return {"rpcError": body, "content": [], "isError": True}
    cause = detail or CAUSES[reason]
    text = f"{call.tool.name} was not answered by the server {child} behind this gateway: {cause}."
    suggestion = NEXT.get(reason) or (_after_end(repeatable=repeatable) if sent else NEXT[TIMEOUT])
    if hopeless:
        suggestion = HOPELESS
    if not sent and reason in (DISCONNECTED, UNAVAILABLE):
        suggestion = f"Nothing was run. {suggestion}"
    retryable = reason in (BUSY, UNAVAILABLE) or (reason != BROKEN and (repeatable or not sent))
    retryable = retryable and not hopeless
    return coded(call, CODES[reason], reason, text, suggestion, retryable=retryable, child=child)


def late(call: Call, child: str, seconds: float, *, repeatable: bool) -> dict[str, Any]:
    """Build the outcome of a call that its child took too long for."""
    text = f"{call.tool.name} timed out: the server {child} behind this gateway did not answer within {seconds:.3g} s."
    suggestion = "It may still be at work: check what it changed before calling it again."
    if repeatable:
        suggestion = "Call it again, or ask for less at once."
    return coded(call, CODES[TIMEOUT], TIMEOUT, text, suggestion, retryable=repeatable, child=child, seconds=seconds)


def drifted(call: Call, child: str) -> dict[str, Any]:
    """Build the outcome of a call of something that is not what it was when the gateway was built."""
    text = f"{call.tool.name} was not run: the server {child} behind this gateway changed what it says of it."
    suggestion = "Ask the user to look at the change and to build the gateway again; the gateway's log names it."
    return coded(call, "M-CMD-005", "definition_changed", text, suggestion, retryable=False, child=child)


def incapable(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    """Build the outcome of a call that needs what the caller cannot do, in a revision that has no code for it."""
    text = f"{call.tool.name} cannot run with this client: {body['message'][:1].lower()}{body['message'][1:]}."
    suggestion = "Use another tool, or ask the user for a client that has it."
    return coded(call, "M-ASK-001", "client_cannot", text, suggestion, retryable=False, data=body.get("data"))


def _after_end(*, repeatable: bool) -> str:
    if repeatable:
        return "It is started again by the next call: call it again, with other arguments if it ends again."
    return "It is started again by the next call: check what this one changed before calling it again."
