"""Questions up to 2025-11-25: requests of the server to the client, on the stream of the call they belong to.

The answers come in as messages of the same session, read by another thread, which hands them over here. The ids are
texts of our own, unlike any process's or client's, so that an answer never meets the wrong question.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from itertools import count

from ..authoring.errors import ClientError
from ..wire import jsonrpc
from .asking import Interaction
from .asking_forms import fitting
from .asking_waits import POLL_SECONDS, check_wanted, knock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .asking import Answers, Questions
    from .call import Call

GRACE_SECONDS = 1.0
"""How long after its deadline a call waits at most: the clock's watch ends it before, and says why."""

MAX_TEXT = 500
"""Characters of a client's error message that are told on."""

_numbers = count(1)


class Legacy(Interaction):
    """Asks by requests and waits for the answers, no longer than the call lasts."""

    __slots__ = ()

    def check(self, questions: Questions) -> None:
        """Raise ClientError where no answer could come back, whatever the client can do."""
        if self.call.session is None or not self.call.answerable:
            raise ClientError(
                "The client cannot be asked: answers need a session and a stream of events.",
                hint="Connect with a session (initialize, then Mcp-Session-Id) and accept text/event-stream.",
                code="M-ASK-002",
            )
        super().check(questions)

    def fetch(self, wanted: Questions) -> Answers:
        """Send the questions and block until all are answered; raises CallCancelled, ClientError."""
        done = allocate_lock()
        done.acquire()
        waiting = Waiting(self.call, wanted, done.release)
        try:
            waiting.send()
            while not done.acquire(timeout=POLL_SECONDS):
                check_wanted(self.call, "call", GRACE_SECONDS)
            return waiting.results()
        finally:
            waiting.close()

    async def fetch_async(self, wanted: Questions) -> Answers:
        """Send the questions and wait until all are answered; a cancellation is `asyncio.CancelledError`."""
        done, tell = knock()
        waiting = Waiting(self.call, wanted, tell)
        try:
            waiting.send()
            await done.wait()
            return waiting.results()
        except GeneratorExit:
            waiting.forget()
            raise
        finally:
            waiting.close()


class Waiting:
    """Questions on their way; `tell` is called once, by the thread that reads, when there is no more to wait for."""

    __slots__ = ("_call", "_ids", "_lock", "_open", "_said", "_session", "_tell", "_wanted")

    def __init__(self, call: Call, wanted: Questions, tell: Callable[[], None]) -> None:
        self._call = call
        self._session: Any = call.session  # `check` has seen to it that there is one
        self._wanted = wanted
        self._tell = tell
        self._lock = allocate_lock()
        self._said: dict[str, dict[str, Any]] = {}
        self._ids = {key: f"mcpgen-{os.getpid():x}-{next(_numbers)}" for key in wanted}
        self._open = set(wanted)

    def send(self) -> None:
        """Send all questions; raises ValueError for one that the client's revision has no form for."""
        call, session = self._call, self._session
        lines = []
        for key, question in self._wanted.items():
            message = {"jsonrpc": "2.0", "id": self._ids[key], "method": question["method"]}
            params = fitting(question, call.dialect, self._ids[key])
            lines.append(jsonrpc.encode(message | ({"params": params} if params else {})) + b"\n")
        for key in self._wanted:
            session.asked[self._ids[key]] = self._taker(key)
        for line in lines:
            call.send(line)

    def _taker(self, key: str) -> Callable[[dict[str, Any]], None]:
        def take(message: dict[str, Any]) -> None:
            with self._lock:
                self._said[key] = message
                self._open.discard(key)
                if "error" in message:  # the others are not waited for
                    self._open.clear()
                tell = _nothing
                if not self._open:
                    tell, self._tell = self._tell, _nothing
            tell()

        return take

    def results(self) -> Answers:
        """Return the results; raises ClientError if one of the questions was answered with an error."""
        for key, message in self._said.items():
            if "error" in message:
                raise _refused(self._wanted[key]["method"], message["error"])
        return {key: message.get("result") or {} for key, message in self._said.items()}

    def ids(self) -> list[str]:
        """Return the ids that the questions are sent with."""
        return [*self._ids.values()]

    def said(self) -> dict[str, dict[str, Any]]:
        """Return the responses that came, by key."""
        return self._said

    def forget(self) -> None:
        """Expect nothing any more and tell nobody: the collector ends a call in any thread, with any lock in hand."""
        for request_id in self._ids.values():
            self._session.asked.pop(request_id, None)

    def close(self) -> None:
        """Expect nothing any more, and tell the client which of its answers nobody waits for."""
        for key, request_id in self._ids.items():
            if self._session.asked.pop(request_id, None) is not None and key not in self._said:
                params: dict[str, object] = {"requestId": request_id, "reason": "nobody waits for the answer any more"}
                self._call.send(jsonrpc.notification_line("notifications/cancelled", params))


def _refused(method: str, error: Any) -> ClientError:
    """Return what a client's error amounts to, its words cut short."""
    said = error if type(error) is dict else {}
    message, code = said.get("message"), said.get("code")
    text = message[:MAX_TEXT] if type(message) is str and message else "no reason given"
    return ClientError(f"The client refused {method}: {text}", rpc_code=code if type(code) is int else None)


def _nothing() -> None:
    """Stand for a teller that has told."""
