"""What a legacy child asks while its call is open, and how its caller is asked.

A legacy caller is asked by requests of ours on the stream of its call (`bridging`). A modern one cannot be: its call
ends with an input-required result, the child's call is held open and the passage is *away* until the retry comes, whose
call takes the place of the first. What the child says meanwhile is kept in `_late`. The lock guards `away` and the open
questions; nobody holds it while the caller or the child is told something.
"""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic, time

from ..server.asking_capabilities import check as check_capabilities
from ..wire import jsonrpc
from . import states
from .bridging import Bridge, check
from .translate_questions import METHODS, answer_for, question_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call
    from .passage import Passage

MAX_OPEN = 16
"""Questions of one call that a legacy child has open at once; a form has room for more."""

OVER = "Nobody is there any more to answer: the call has ended"

GATHER_SECONDS = 0.01
"""How long the first question waits for others asked at the same time; a person takes longer to read it."""


class Interview:
    """The questions of one call of a legacy child. `away`: its caller was sent away with them."""

    __slots__ = (
        "_asked",
        "_bridges",
        "_ended",
        "_gathering",
        "_handle",
        "_late",
        "_lock",
        "_open",
        "_passage",
        "_urls",
        "away",
    )

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._asked = 0
        self._ended = self._gathering = False
        self._bridges: dict[str | int, Bridge] = {}
        self._urls: dict[str, str] = {}  # ids of elicitations by URL: the child's, and what its client knows them by
        self._open: dict[str, tuple[str | int, dict[str, Any]]] = {}
        self._handle = ""
        self._late: Callable[[], None] | None = None
        self._lock = allocate_lock()
        self.away = False

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Ask the caller what the child wants to know, or tell the child why not."""
        if method not in METHODS:
            self._refuse(request_id, jsonrpc.METHOD_NOT_FOUND, f"Method not found: {jsonrpc.shown(method)}")
            return
        question = question_of(method, params, self._passage.names)
        try:
            if self._passage.call.dialect.modern:
                check_capabilities(self._passage.call, {"": question})
            else:
                check(self._passage.call, {"": question})
        except Exception as error:  # noqa: BLE001 # a missing capability, or a question that no client understands
            self._refuse(request_id, jsonrpc.METHOD_NOT_FOUND, f"The caller cannot be asked {method}: {error}")
            return
        if self._passage.call.dialect.modern:
            self._hold(request_id, question)
        else:
            self._pass(request_id, question, params.get("elicitationId"))

    def _pass(self, request_id: str | int, question: dict[str, Any], elicitation_id: Any) -> None:
        """Ask a legacy client; the child gets its answer under the id it asked with."""
        version = self._passage.remote.version

        def told(bridge: Bridge) -> None:
            self._bridges.pop(request_id, None)
            for said in bridge.said().values():
                result = said.get("result")
                if type(result) is dict:
                    self._reply(request_id, answer_for(question["method"], result, version))
                else:
                    self._reply(request_id, None, _error_of(said))
            self._passage.remote.gateway.children.settle()

        bridge = Bridge(self._passage.call, {"": question}, told)
        if len(self._bridges) >= MAX_OPEN:
            self._refuse(request_id, jsonrpc.INTERNAL_ERROR, f"At most {MAX_OPEN} questions of a call are open at once")
            return
        self._bridges[request_id] = bridge
        if type(elicitation_id) is str:
            self._urls[elicitation_id] = bridge.id
        try:
            bridge.send()
        except ValueError as problem:
            self._bridges.pop(request_id, None)
            self._refuse(request_id, jsonrpc.INVALID_PARAMS, f"The caller cannot be asked this: {problem}")

    def _hold(self, request_id: str | int, question: dict[str, Any]) -> None:
        """Send a modern caller away with the question, unless it is away already: then it waits for the next round."""
        with self._lock:
            full = len(self._open) >= MAX_OPEN
            if not full:
                self._asked += 1
                self._open[f"question-{self._asked}"] = (request_id, question)
            away = self.away
        if full:
            self._refuse(request_id, jsonrpc.INTERNAL_ERROR, f"At most {MAX_OPEN} questions of a call are open at once")
        elif not away and not self._gathering:
            self._gathering = True  # what is asked at the same time leaves together
            children = self._passage.remote.gateway.children
            children.alarm.at(monotonic() + GATHER_SECONDS, self._gathered)

    def _gathered(self) -> None:
        self._gathering = False
        if not self._ended:
            self._send_away()
            self._passage.remote.gateway.children.settle()

    def _send_away(self) -> None:
        """Answer the caller with the open questions and wait for its retry."""
        passage = self._passage
        relay, call, answer = passage.remote.gateway.relay, passage.call, passage.answer
        with self._lock:
            if self.away:
                return
            questions = {key: question for key, (_, question) in self._open.items()}
            kept = self._keep(call) if questions else None
            if kept is not None:
                self._handle, self.away = kept[0], True
        if kept is None:
            self._refuse_open("Too many calls wait for their callers already")
            return
        relay.look_after_held()
        methods = {key: question["method"] for key, question in questions.items()}
        payload = {"held": kept[0], "round": kept[1], "open": methods}
        state = states.sealed(call, payload, time())
        answer({"resultType": "input_required", "inputRequests": questions, "requestState": state})

    def _keep(self, call: Call) -> tuple[str, int] | None:
        server, held = self._passage.remote.child.server, self._passage.remote.gateway.relay.held
        principal = states.principal_of(call)
        return held.keep(self._handle, self, principal, monotonic(), server.id, server.max_concurrent)

    def come_back(
        self, call: Call, answer: Callable[[dict[str, Any]], None], responses: dict[str, dict[str, Any]]
    ) -> None:
        """Go on for the retry of a call that was held."""
        passage = self._passage
        with self._lock:
            passage.call, passage.answer, self.away = call, answer, False
            late, self._late = self._late, None
            taken = {key: self._open.pop(key) for key in responses if key in self._open}
            still = bool(self._open)
        call.on_cancel = passage.cancel
        if late is not None:  # the child did not wait for the answers
            for request_id, _ in taken.values():
                self._refuse(request_id, jsonrpc.INTERNAL_ERROR, OVER)
            late()
            return
        for key, (request_id, question) in taken.items():
            self._reply(request_id, answer_for(question["method"], responses[key], self._passage.remote.version))
        if still:
            self._send_away()

    def withdraw(self, request_id: Any) -> bool:
        """Ask the caller no more what the child does not want to know any more; False when it never was asked."""
        bridge = self._bridges.pop(request_id, None)
        if bridge is not None:
            bridge.close()
        with self._lock:
            keys = [key for key, (asked, _) in self._open.items() if asked == request_id]
            for key in keys:
                del self._open[key]
        return bridge is not None or bool(keys)

    def completed(self, elicitation_id: Any) -> bool:
        """Tell a legacy caller that an elicitation by URL is done (2025-11-25); False when it was not asked here."""
        ours = self._urls.pop(elicitation_id, None) if type(elicitation_id) is str else None
        if ours is None:
            return False
        call = self._passage.call
        if not call.finished:
            call.send(jsonrpc.notification_line("notifications/elicitation/complete", {"elicitationId": ours}))
        return True

    def keep(self, late: Callable[[], None]) -> bool:
        """Keep what the child says for when the caller is back; False when it is not away."""
        with self._lock:
            if self.away:
                self._late = late
            return self.away

    def expire(self) -> None:
        """Give the call up, because its caller did not come back."""
        self._refuse_open("Nobody answered in time")
        self._passage.cancel()

    def end(self) -> None:
        """Ask nothing any more: the call has ended, or its caller has gone. The child does not wait for answers."""
        self._ended = True
        while self._bridges:
            try:
                request_id, bridge = self._bridges.popitem()
            except KeyError:
                break  # another thread took the last one
            bridge.close()
            self._refuse(request_id, jsonrpc.INTERNAL_ERROR, OVER)
        self._refuse_open(OVER)
        if self._handle:
            self._passage.remote.gateway.relay.held.drop(self._handle)

    def _refuse_open(self, why: str) -> None:
        """Refuse what waits for an answer of a caller that was sent away."""
        with self._lock:
            left = [*self._open.values()]
            self._open.clear()
        for request_id, _ in left:
            self._refuse(request_id, jsonrpc.INTERNAL_ERROR, why)

    def _refuse(self, request_id: str | int, code: int, message: str) -> None:
        self._reply(request_id, None, jsonrpc.error_body(code, message))

    def _reply(self, request_id: str | int, result: dict[str, Any] | None, error: dict[str, Any] | None = None) -> None:
        turn = self._passage.turn
        if turn is not None:
            turn.reply(request_id, result, error)


def _error_of(said: dict[str, Any]) -> dict[str, Any]:
    """Return a client's error for a child; something that is neither error nor result is an error, too."""
    error = said.get("error")
    if type(error) is dict and type(error.get("code")) is int and type(error.get("message")) is str:
        return error
    return jsonrpc.error_body(jsonrpc.INTERNAL_ERROR, "The client's answer cannot be read")
