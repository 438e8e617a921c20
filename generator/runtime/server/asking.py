"""Asking the client in the middle of a call: one primitive, whatever the era.

Theory of operation. A context calls `ask` or `ask_async` of the call's `Interaction` with questions by key, each
`{"method", "params"}` in the newest revision's form, and gets the client's results by key. Every key is asked once per
call: the same question under the same key has the same answer, another question under it is a mistake. What all ways
have in common is here: the client's capabilities are checked before anything is sent, an answer that is no answer to
its method is refused, and a form filled in wrongly is asked for again. How a question reaches the client is `fetch`:

- `Legacy` (up to 2025-11-25) sends requests of its own and waits for their answers;
- `Replay` (2026-07-28) ends the call with an input-required result, and runs the function again when the client
  comes back with answers;
- `Parked` (2026-07-28, tasks) puts questions up in the task and waits for tasks/update; `task_start` puts it into
  `call.asker` when the call becomes a task.
"""

from __future__ import annotations

from ..authoring.errors import CallCancelled, ClientError
from .asking_answers import shape_problem, unfit
from .asking_capabilities import check
from .sealing import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from .call import Call

    Question: TypeAlias = dict[str, Any]
    Questions: TypeAlias = dict[str, Question]
    Answers: TypeAlias = dict[str, dict[str, Any]]

ASKING_METHODS = ("tools/call", "prompts/get", "resources/read")
"""Requests during which a client may be asked (2026-07-28, multi round-trip requests)."""

MAX_ATTEMPTS = 3
"""How often one question is asked within a call before a client that fills it in wrongly is given up on."""

MAX_QUESTIONS = 64
"""Keys of one call; a form has room for more than a person fills in."""


class Interaction:
    """The questions and answers of one call. A subclass says how questions reach the client.

    `known` holds the question's fingerprint and the answer by key.
    """

    __slots__ = ("_used", "call", "known")

    def __init__(self, call: Call) -> None:
        self.call = call
        self.known: dict[str, tuple[str, dict[str, Any]]] = {}
        self._used: dict[str, str] = {}

    def ask(self, questions: Questions) -> Answers:
        """Return the answers, blocking until they are there.

        Raises MissingRequiredClientCapability, ClientError, ValueError for a key with two questions, CallCancelled,
        and whatever else ends the call while it waits.
        """
        wanted = self._begin(questions)
        attempts = 0
        while wanted:
            attempts += 1
            wanted = self._settle(wanted, self._fetch_parked(wanted), attempts)
        return {key: self.known[key][1] for key in questions}

    async def ask_async(self, questions: Questions) -> Answers:
        """Return the answers once they are there; raises like `ask`."""
        wanted = self._begin(questions)
        attempts = 0
        while wanted:
            attempts += 1
            wanted = self._settle(wanted, await self.fetch_async(wanted), attempts)
        return {key: self.known[key][1] for key in questions}

    def fetch(self, wanted: Questions) -> Answers:
        """Return what the client says to these questions, or to some of them; blocks."""
        raise NotImplementedError

    async def fetch_async(self, wanted: Questions) -> Answers:
        """Return what the client says to these questions, or to some of them."""
        raise NotImplementedError

    def _fetch_parked(self, wanted: Questions) -> Answers:
        """Fetch on a thread that others do not have to wait for meanwhile."""
        pool = self.call.pool
        if pool is None:
            return self.fetch(wanted)
        pool.park(self.call)
        try:
            return self.fetch(wanted)
        finally:
            pool.unpark(self.call)

    def check(self, questions: Questions) -> None:
        """Raise unless the client can be asked all of these questions."""
        check(self.call, questions)

    def unfinished(self) -> dict[str, Any] | None:
        """Return the result that stands for a call whose questions are still open; None when none is."""
        return None

    def _begin(self, questions: Questions) -> Questions:
        """Check the questions and return those that were not answered yet."""
        if self.call.cancelled or self.call.finished:  # a task or thread that outlived it
            raise CallCancelled("nobody waits for this call any more")
        self.check(questions)
        wanted: Questions = {}
        for key, question in questions.items():
            mark = fingerprint(question)
            if self._used.setdefault(key, mark) != mark:
                message = f"the key {key!r} is used for two questions of one call; give each its own"
                raise ValueError(message)
            if len(self._used) > MAX_QUESTIONS:
                message = f"a call asks at most {MAX_QUESTIONS} questions"
                raise ValueError(message)
            if key not in self.known or self.known[key][0] != mark:
                wanted[key] = question
        return wanted

    def _settle(self, wanted: Questions, got: Answers, attempts: int) -> Questions:
        """Keep the answers that fit and return the questions that are still open."""
        still = {key: question for key, question in wanted.items() if key not in got}
        for key, result in got.items():
            question = wanted[key]
            complaint = shape_problem(question["method"], result)
            if complaint is not None:
                raise ClientError(f"The client's answer to {question['method']} cannot be read: {complaint}.")
            complaint = unfit(question, result)
            if complaint is None:
                self.known[key] = (self._used[key], result)
            elif attempts >= MAX_ATTEMPTS:
                raise ClientError(f"What was filled in for {key!r} does not fit the form: {complaint}.")
            else:
                still[key] = question
        return still


def interaction_of(call: Call) -> Interaction:
    """Return the call's interaction, made at its first question; raises ClientError where nobody can be asked."""
    found: Interaction | None = call.asker
    if found is not None:
        return found
    if call.method not in ASKING_METHODS:
        raise ClientError(f"Nothing can be asked during {call.method}.", code="M-ASK-002")
    if call.dialect.modern:
        from .asking_replay import Replay

        call.asker = Replay(call)
    else:
        from .asking_legacy import Legacy

        call.asker = Legacy(call)
    made: Interaction = call.asker
    return made
