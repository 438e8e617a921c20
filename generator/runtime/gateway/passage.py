"""One call on its way through a child, in whatever era either side is.

Theory of operation. A passage sends its call as an errand and is the errand's taker. Mostly one answer comes, and that
is all. What else may happen depends on who asks and who can be asked (protocol, gateway: translation):

- a modern child answers that it needs answers (`rounds`): a modern caller gets the questions, and its retry is a
  passage of its own; a legacy caller is asked, and this passage sends the child its call again;
- a legacy child asks while its call is open (`interview`): a legacy caller is asked the same; a modern one is sent away
  with the question, and this passage goes on for the retry.
"""

from __future__ import annotations

from time import monotonic

from ..server.call import Spliced
from ..server.faults import failed
from ..wire import jsonrpc
from ..wire.limits import DEFAULT_TIMEOUT
from . import failures, usable
from .peer import LEGACY
from .states import principal_of
from .translate_errors import URL_ELICITATION_REQUIRED, error_for
from .translate_requests import capabilities_for, params_for
from .translate_results import translated
from .turn import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..server.call import Call
    from .bridging import Bridge
    from .dispatch import Remote
    from .interview import Interview
    from .names import Names

    Express: TypeAlias = Callable[[Call, dict[str, Any], bytes], None]

MOST_SPANS = 5
"""Times its time that a call may take at most, whose child says again and again how far it is."""

COMPLETE = "complete"
ELICITATION_COMPLETE = "notifications/elicitation/complete"


class Passage:
    """One call, and what its child says to it. `answer` takes the call's result, once.

    `express` takes a result that may go on as the child wrote it, instead, where the call is a plain one.
    """

    __slots__ = ("_bridges", "answer", "call", "express", "interview", "remote", "rounds", "turn")

    def __init__(self, call: Call, remote: Remote, answer: Callable[[dict[str, Any]], None]) -> None:
        self.call = call
        self.remote = remote
        self.answer = answer
        self.express: Express | None = None
        self.turn: Turn | None = None
        self.rounds = 0
        self._bridges: list[Bridge] = []
        self.interview: Interview | None = None

    @property
    def names(self) -> Names:
        """The names of the child's things."""
        return self.remote.gateway.routing.names(self.remote.child.server.id)

    # -- to the child

    def begin(self, extra: dict[str, Any] | None = None) -> None:
        """Send the call, with what a retry brings besides; raises jsonrpc.Refusal."""
        call, remote = self.call, self.remote
        params = params_for(call, remote.original)
        if extra:
            params |= extra
        gateway, child = remote.gateway, remote.child
        caller = gateway.callers.of(call)
        self.turn = turn = Turn(child, call.method, params, self, caller, repeatable=remote.repeatable and not extra)
        turn.schema = remote.schema
        if remote.is_view:
            turn.capabilities = capabilities_for(call, apps=True)
        if call.progress_token is not None:
            turn.wants_progress = True
        elif remote.head is not None and extra is None:
            turn.tail = remote.tail(params["arguments"], caller)
        call.on_cancel = self.cancel
        gateway.relay.wants_log(child, call.log_level)
        child.submit(turn)

    def cancel(self) -> bool:
        """Give the call up, because its caller did or its time is over; False when its answer is on its way."""
        bridge = self.claim()
        if bridge is not None:
            bridge.close()
        if self.interview is not None:
            self.interview.end()
        turn = self.turn
        stopped = turn is not None and turn.cancel("the caller does not wait any more")
        if stopped and turn is not None and turn.link is not None and turn.link.peer.era == LEGACY:
            turn.link.peer.abandon(turn, principal_of(self.call))
        return stopped or bridge is not None

    def bridge(self, bridge: Bridge) -> None:
        """Wait for the answers of a legacy client, instead of for the child."""
        self._bridges.append(bridge)

    def claim(self) -> Bridge | None:
        """Return what was waited for, to the one caller who goes on with it or ends it."""
        try:
            return self._bridges.pop()
        except IndexError:
            return None

    # -- from the child

    def answered(self, message: dict[str, Any]) -> None:
        """Answer the call, or go on with it."""
        if self.interview is None or not self._is_kept(lambda: self.answered(message)):
            try:
                self._take(message)
            except Exception as error:  # noqa: BLE001 # what a child sent may break anything; its caller must be answered
                self.end(failed(self.call, error))

    def spliced(self, result: dict[str, Any], inner: bytes) -> None:
        """Answer the call with a result whose members go on as the child wrote them, which is `inner`."""
        call = self.call
        if self.interview is not None or call.repeat is not None:
            self.answered({"result": result})
            return
        call.on_cancel = self.turn = None
        if self.express is None:
            self.answer(Spliced(result, inner))
        else:
            self.express(call, result, inner)

    def lost(self, reason: str, detail: str) -> None:
        """Answer that the child did not."""
        if not self._is_kept(lambda: self.lost(reason, detail)):
            turn = self.turn
            sent = turn is None or turn.link is not None or (self.remote.repeatable and not turn.repeatable)
            self.end(self.remote.lost(self.call, reason, detail, sent=sent))

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Pass on how far the child is, and what it logs."""
        if self.interview is not None and self.interview.away:
            return
        if method == "notifications/progress":
            self._progress(params)
        elif method == "notifications/message":
            self.log(params)
        elif method == "notifications/cancelled":
            self.withdraw(params.get("requestId"))
        elif method == ELICITATION_COMPLETE:
            self.completed(params.get("elicitationId"))

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Ask the caller what a legacy child wants to know."""
        if self.interview is None:
            from .interview import Interview  # most children never ask

            self.interview = Interview(self)
        self.interview.asked(request_id, method, params)

    @property
    def is_away(self) -> bool:
        """Whether its caller was sent away with a question and has not come back."""
        return self.interview is not None and self.interview.away

    def withdraw(self, request_id: Any) -> bool:
        """Ask no more what the child does not want to know any more; False when it was not asked here."""
        return self.interview is not None and self.interview.withdraw(request_id)

    def completed(self, elicitation_id: Any) -> bool:
        """Tell the caller that an elicitation by URL is done; False when it was not asked here."""
        return self.interview is not None and self.interview.completed(elicitation_id)

    def log(self, params: dict[str, Any]) -> None:
        """Pass a log message on, if the caller wants its level."""
        logger = params.get("logger")
        try:
            self.call.log(params.get("level", ""), params.get("data"), logger if type(logger) is str else None)
        except ValueError:  # there is no such level
            return

    def _progress(self, params: dict[str, Any]) -> None:
        progress, total, message = params.get("progress"), params.get("total"), params.get("message")
        if type(progress) in (int, float):
            told = total if type(total) in (int, float) else None
            self.call.progress(progress, told, message if type(message) is str else None)  # type: ignore[arg-type]
            self._extend()

    def _extend(self) -> None:
        """Give a call more time whose child says that it goes on, up to a maximum."""
        call = self.call
        span = call.tool.timeout or DEFAULT_TIMEOUT
        call.deadline = max(call.deadline, min(monotonic() + span, call.started + span * MOST_SPANS))

    def _take(self, message: dict[str, Any]) -> None:
        error = message.get("error")
        if error is not None:
            if error.get("code") == URL_ELICITATION_REQUIRED and self._wants_url(error):
                return
            self.end(self.remote.refused(self.call, error_for(error, self.names, self.call.dialect, self.call.method)))
            return
        result: dict[str, Any] = message["result"]
        wrong = usable.fault(self.call.method, result)
        if wrong == usable.NULLS:
            result = usable.without_nulls(result)
            wrong = usable.fault(self.call.method, result)
        if wrong:
            self.lost(failures.BROKEN, f"its answer cannot be used: {wrong}")
            return
        kind = result.get("resultType", COMPLETE) if self.remote.era != LEGACY else COMPLETE
        if kind == COMPLETE:
            self.end(self._complete(result))
        elif kind == "task" and self.call.method == "tools/call":
            self._task(result)
        elif kind == "input_required" and not self.call.method.startswith("tasks/"):
            from .rounds import input_required

            input_required(self, result)
        else:
            self.lost(failures.BROKEN, f"it answered with a result of the kind {jsonrpc.shown(str(kind))!r}")

    def _wants_url(self, error: dict[str, Any]) -> bool:
        from .rounds import url_required

        return url_required(self, error)

    def _task(self, result: dict[str, Any]) -> None:
        """Answer that the call goes on as a task, which its caller has to know about and to find again."""
        from . import task_routes

        wrong = usable.task_fault(result)
        if wrong or not task_routes.is_known(self.call):
            said = f"its answer cannot be used: {wrong}" if wrong else "it made a task of it that its caller cannot use"
            self.lost(failures.BROKEN, said)
            return
        self.end(task_routes.created(self.call, result, self.names))

    def _complete(self, result: dict[str, Any]) -> dict[str, Any]:
        if self.call.method.startswith("tasks/"):
            from . import task_routes

            return task_routes.told(self.call, result, self.names)
        return translated(self.call.method, result, self.names, self.call.dialect)

    def end(self, result: dict[str, Any]) -> None:
        """Answer the call."""
        if self.interview is not None:
            self.interview.end()
        self.call.on_cancel = self.turn = None  # nothing leads in a circle then, which would have to be searched for
        self.answer(result)

    def _is_kept(self, late: Callable[[], None]) -> bool:
        """Keep what the child says for when the caller is back, if it is away."""
        return self.interview is not None and self.interview.keep(late)
