"""Questions in 2026-07-28: the call ends with an input-required result, and the client's retry runs it again.

What the client said in earlier rounds travels in the sealed state it sends back. The state is bound to the server, the
principal, the method and the params; it lasts for minutes and differs in every round. Each answer is bound to the
question it was given to, so an answer never counts for a question that reads differently: such a one is asked anew.

`InputRequired` ends the function. Functions may swallow it, in a bare `except` or a `finally` that returns; the call's
result is the same then, because an open question stands above whatever the function made of it.
"""

from __future__ import annotations

from time import time

from ..authoring.errors import ClientError, ProtocolError
from ..wire import jsonrpc
from .asking import ASKING_METHODS, MAX_QUESTIONS, Interaction
from .asking_answers import shape_problem
from .faults import failed
from .sealing import MAX_STATE, fingerprint, seal, sealing_key, unseal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .asking import Answers, Questions
    from .call import Call

STATE_SECONDS = 900
"""How long a person may take for an answer."""

MAX_ROUNDS = 64
"""Rounds of one call; more are a function whose questions change every time."""

TURNS = 2
"""Turns of the loop that questions of tasks started together get to gather in one round."""

OWN_KEYS = "mcpgen."
"""How the keys of questions begin that the server asks by itself, such as for a confirmation."""

OUTSIDE = ("_meta", "inputResponses", "requestState")
"""Members of params that may differ in a retry."""


class InputRequired(BaseException):
    """Ends a function whose questions the client has yet to answer; no `Exception`, so that user code lets it pass."""


class Replay(Interaction):
    """Answers from the state and from this round, or the end of the call."""

    __slots__ = ("_binding", "_fresh", "_open", "_round")

    def __init__(self, call: Call) -> None:
        super().__init__(call)
        self._binding = _binding(call)
        self._fresh: dict[str, tuple[str | None, dict[str, Any]]] = {}
        self._open: Questions = {}
        self._round = 0

    def resume(self) -> None:
        """Take what the client sent with its retry; raises ProtocolError for what is not ours or misshapen."""
        state, responses = self.call.params.get("requestState"), self.call.params.get("inputResponses")
        if responses is not None and not _are_responses(responses):
            what = "Invalid params: inputResponses must be an object of objects"
            raise ProtocolError(jsonrpc.INVALID_PARAMS, what)
        if state is None:  # answers that come with the first request, to whatever is asked under their keys
            self._fresh = {key: (None, result) for key, result in (responses or {}).items() if not _is_ours(key)}
            return
        payload = self._opened(state)
        self._round = payload["round"]
        self.known = {key: (mark, result) for key, (mark, result) in payload["answers"].items()}
        for key, (method, mark) in payload["open"].items():
            result = (responses or {}).get(key)
            if result is None:
                continue
            _check_shape(key, method, result)
            self._fresh[key] = (mark, result)

    def fetch(self, wanted: Questions) -> Answers:
        """Return what this round brought; raises InputRequired when that is nothing."""
        got = self._got(wanted)
        if got:
            return got
        self._leave_open(wanted)
        raise InputRequired

    async def fetch_async(self, wanted: Questions) -> Answers:
        """Do the same; questions asked at the same time leave together."""
        got = self._got(wanted)
        if got:
            return got
        self._leave_open(wanted)
        import asyncio

        for _ in range(TURNS):
            await asyncio.sleep(0)
        raise InputRequired

    def unfinished(self) -> dict[str, Any] | None:
        """Return the input-required result, None when no question is open; raises ClientError when it is too large."""
        if not self._open:
            return None
        marks = {key: [question["method"], fingerprint(question)] for key, question in self._open.items()}
        payload = {
            "expires": int(time()) + STATE_SECONDS,
            "round": self._round + 1,
            "open": marks,
            "answers": self.known,
        }
        state = seal(jsonrpc.encode(payload), self._binding, sealing_key())
        if len(state) > MAX_STATE:
            raise ClientError(f"The answers together are too large: {MAX_STATE} characters are kept.")
        return {"resultType": "input_required", "inputRequests": self._open, "requestState": state}

    def _leave_open(self, wanted: Questions) -> None:
        if self._round >= MAX_ROUNDS:
            raise ClientError(f"The client was asked {MAX_ROUNDS} times; the questions change with every call.")
        self._open.update(wanted)

    def _got(self, wanted: Questions) -> Answers:
        got = {}
        for key, question in wanted.items():
            mark, result = self._fresh.pop(key, ("", {}))
            if mark is None:
                _check_shape(key, question["method"], result)
            if mark is None or mark == fingerprint(question):
                got[key] = result
        return got

    def _opened(self, state: Any) -> dict[str, Any]:
        sealed = unseal(state, self._binding, sealing_key()) if type(state) is str else None
        if sealed is None:
            what = "Invalid params: requestState does not belong to this request, or was changed"
            raise ProtocolError(jsonrpc.INVALID_PARAMS, what)
        payload: dict[str, Any] = jsonrpc.parse(sealed)
        if time() > payload["expires"]:
            what = "Invalid params: requestState has expired; send the request again without it"
            raise ProtocolError(jsonrpc.INVALID_PARAMS, what)
        return payload


def resume(call: Call) -> dict[str, Any] | None:
    """Prepare a retry's answers; return the result of a call that is refused, None when it may run."""
    if call.method not in ASKING_METHODS:
        return None
    replay = Replay(call)
    try:
        replay.resume()
    except ProtocolError as error:
        return failed(call, error)
    call.asker = replay
    return None


def _binding(call: Call) -> bytes:
    """Return what a state is bound to; the params are read as they came, which functions may have changed since."""
    params = jsonrpc.parse(call.raw)["params"] if call.raw else call.params
    same = {name: value for name, value in params.items() if name not in OUTSIDE}
    principal = call.session.principal if call.session is not None else ""
    return jsonrpc.encode([call.tool.catalog.data["id"], principal, call.method, fingerprint(same)])


def _check_shape(key: str, method: str, result: Any) -> None:
    """Raise ProtocolError for what is no answer to a question of this method."""
    complaint = shape_problem(method, result)
    if complaint is not None:
        what = f"Invalid params: inputResponses: {jsonrpc.shown(key)}: {complaint}"
        raise ProtocolError(jsonrpc.INVALID_PARAMS, what)


def _is_ours(key: str) -> bool:
    """Say whether a key is one of the server's own questions, whose answers count only where they were asked."""
    return key.startswith(OWN_KEYS)


def _are_responses(responses: Any) -> bool:
    return (
        type(responses) is dict
        and len(responses) <= MAX_QUESTIONS
        and all(type(result) is dict for result in responses.values())
    )
