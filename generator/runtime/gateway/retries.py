"""Retries that bring answers (2026-07-28, multi round-trip requests): whose call goes on, and with what."""

from __future__ import annotations

from time import time

from ..server.asking_answers import shape_problem
from ..wire import jsonrpc
from . import states
from .passage import Passage
from .peer import LEGACY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call
    from .dispatch import Remote


def resumed(call: Call, remote: Remote, answer: Callable[[dict[str, Any]], None]) -> None:
    """Begin the passage of a retry that brings answers; raises jsonrpc.Refusal."""
    responses = states.responses_of(call)
    payload = states.opened(call, time())
    if payload is None:
        extra = {"inputResponses": responses} if responses and remote.era != LEGACY else None
        Passage(call, remote, answer).begin(extra)
        return
    if "held" in payload:
        _take_up(call, remote, answer, payload, responses or {})
        return
    if payload["child"] != remote.child.server.id:
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: requestState does not belong to this request")
    if "again" in payload:  # the child asked by an error, and takes no answers
        Passage(call, remote, answer).begin()
        return
    extra = {"requestState": payload["state"]}
    if responses is not None:
        extra["inputResponses"] = responses
    Passage(call, remote, answer).begin(extra)


def _take_up(
    call: Call,
    remote: Remote,
    answer: Callable[[dict[str, Any]], None],
    payload: dict[str, Any],
    responses: dict[str, dict[str, Any]],
) -> None:
    """Go on with a call that is held."""
    for key, method in payload["open"].items():
        complaint = shape_problem(method, responses[key]) if key in responses else None
        if complaint is not None:
            what = f"Invalid params: inputResponses: {jsonrpc.shown(key)}: {complaint}"
            raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, what)
    held = remote.gateway.relay.held
    interview: Any = held.take(payload["held"], payload["round"], states.principal_of(call))
    if interview is None:
        what = "Invalid params: nothing waits for this requestState any more; send the request again without it"
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, what)
    interview.come_back(call, answer, responses)
    remote.gateway.children.settle()
