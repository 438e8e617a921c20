"""A call of the gateway as an errand of its child, and the child's answer as the call's result."""

from __future__ import annotations

from ..wire import jsonrpc
from .errand import Errand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call
    from .dispatch import Remote
    from .turn import Turn


class CallTaker:
    """Answers one call with what its child answers."""

    __slots__ = ("_answer", "_call", "_remote", "turn")

    turn: Turn

    def __init__(self, call: Call, remote: Remote, answer: Callable[[dict[str, Any]], None]) -> None:
        self._call = call
        self._remote = remote
        self._answer = answer

    def answered(self, message: dict[str, Any]) -> None:
        """Answer the call."""
        result = message.get("result")
        self._answer(result if type(result) is dict else {"rpcError": message["error"]})

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Pass on how far the child is."""

    def asked(self, request_id: str | int, method: str, _: dict[str, Any]) -> None:
        """Refuse what the child asks."""
        body = jsonrpc.error_body(jsonrpc.METHOD_NOT_FOUND, f"Method not found: {jsonrpc.shown(method)}")
        self.turn.reply(request_id, None, body)

    def lost(self, reason: str, detail: str) -> None:
        """Answer that the child did not."""
        self._answer(self._remote.lost(self._call, reason, detail))


def errand_of(call: Call, original: str, taker: CallTaker) -> Errand:
    """Return the errand of a call of the tool that the child calls `original`."""
    return Errand(
        call.method,
        {"name": original, "arguments": call.arguments},
        taker,
        client=call.client,
        log_level=call.log_level,
        wants_progress=call.progress_token is not None,
        schema=call.tool.entry["definition"].get("inputSchema"),
    )
