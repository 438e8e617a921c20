"""What a client keeps between two rounds of a call: a modern child's own state, or the handle of a call that is held.

Both are sealed (`server.sealing`): bound to this gateway, the principal, the method and the params, and short-lived. A
child's state never reaches a client bare, so that no client can hand it to another child or have another's taken for
its own (2026-07-28, multi round-trip requests).
"""

from __future__ import annotations

from ..wire import jsonrpc
from .translate_requests import HOPS_OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call

STATE_SECONDS = 900
"""How long a person may take for an answer."""

MAX_RESPONSES = 64
"""Answers of one round, as many as a call of one of our own servers may ask for."""


class TooLarge(Exception):
    """A state has more characters than any client should carry."""


def sealed(call: Call, payload: dict[str, Any], now: float) -> str:
    """Return a payload as the request state of a call's next round; raises TooLarge."""
    from ..server.sealing import MAX_STATE, seal, sealing_key

    state = seal(jsonrpc.encode({**payload, "expires": int(now) + STATE_SECONDS}), binding(call), sealing_key())
    if len(state) > MAX_STATE:
        raise TooLarge
    return state


def opened(call: Call, now: float) -> dict[str, Any] | None:
    """Return what a retry's state holds, None when it has none; raises jsonrpc.Refusal for another's or an old one."""
    state = call.params.get("requestState")
    if state is None:
        return None
    from ..server.sealing import sealing_key, unseal

    raw = unseal(state, binding(call), sealing_key()) if type(state) is str else None
    if raw is None:
        what = "Invalid params: requestState does not belong to this request, or was changed"
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, what)
    payload: dict[str, Any] = jsonrpc.parse(raw)
    if now > payload["expires"]:
        what = "Invalid params: requestState has expired; send the request again without it"
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, what)
    return payload


def responses_of(call: Call) -> dict[str, Any] | None:
    """Return the answers a retry brings; raises jsonrpc.Refusal for what are none."""
    responses = call.params.get("inputResponses")
    if responses is None:
        return None
    if (
        type(responses) is not dict
        or len(responses) > MAX_RESPONSES
        or not all(type(result) is dict for result in responses.values())
    ):
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: inputResponses must be an object of objects")
    return responses


def binding(call: Call) -> bytes:
    """Return what a state is bound to."""
    from ..server.sealing import fingerprint

    same = {name: value for name, value in call.params.items() if name not in HOPS_OWN}
    return jsonrpc.encode([call.tool.catalog.data["id"], principal_of(call), call.method, fingerprint(same)])


def principal_of(call: Call) -> str:
    """Return who asks, "" where no tokens tell callers apart."""
    return call.session.principal if call.session is not None else ""
