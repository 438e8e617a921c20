"""Tasks whose calls run in a worker process: the front keeps them, the worker says what happens.

The front keeps a place for every call that may become a task when it hands the call over, so that a worker knows at
once whether it may. From then on the worker's `FarTask` tells the front of its beginning, its progress and its
questions; the answers come back as one message, and what the call came to as its result. Each process waits and wakes
by its own task, so the function's side of a task is the same as without workers.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .farm_frames import ASK, TASK
from .tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .call import Call

    Send = Callable[[Call, int, bytes], None]


class FarTask(Task):
    """A task of the front, as the worker that runs its call sees it."""

    __slots__ = ("_send",)

    def __init__(self, call: Call, principal: str, send: Send) -> None:
        super().__init__(call, principal)
        self._send = send

    def say(self, message: str | None) -> None:
        """Tell the front how far the task is."""
        call = self.call
        if call is not None:
            self._send(call, TASK, jsonrpc.encode(message or ""))

    def ask(self, questions: dict[str, dict[str, Any]]) -> None:
        """Have the front put up questions."""
        super().ask(questions)
        call = self.call
        if call is not None:
            self._send(call, ASK, jsonrpc.encode(questions))

    def withdraw(self, names: Iterable[str]) -> None:
        """Have the front take down questions that nobody answered."""
        open_ones = {name: None for name in names if name in self.wanted}
        super().withdraw(open_ones)
        call = self.call
        if call is not None and open_ones:
            self._send(call, ASK, jsonrpc.encode(open_ones))


class FarTasks:
    """Stands for the front's tasks in a worker, which knows for which calls the front has a place."""

    __slots__ = ("_places", "_send")

    def __init__(self, send: Send) -> None:
        self._places: set[Call] = set()
        self._send = send

    def enter(self, call: Call) -> None:
        """Note that the front keeps a place for a call."""
        self._places.add(call)

    def release(self, call: Call) -> None:
        """Note that a call has ended."""
        self._places.discard(call)

    def open(self, call: Call, principal: str) -> Task | None:
        """Begin a task for a call; None when the front has no place for it."""
        return FarTask(call, principal, self._send) if call in self._places else None

    def forget(self, task: Task) -> None:
        """Do nothing: the front knows."""


def begin(call: Call, answer: Callable[[bytes], None]) -> None:
    """Let a call go on as a task of this process, because its worker says so; `answer` sends answers there."""
    from ..authoring.errors import CallCancelled
    from .task_start import TooManyTasks, detach

    try:
        detach(call)
    except (CallCancelled, TooManyTasks):
        return  # it was answered meanwhile, and the worker has been told
    task = call.task
    if task is None:
        return

    def tell() -> None:
        answers = task.take()
        if answers:
            answer(jsonrpc.encode(answers))

    task.wake.append(tell)


def ask(task: Task, questions: dict[str, dict[str, Any] | None]) -> None:
    """Put up what a worker asks; questions that are null now are taken down."""
    task.withdraw([name for name, question in questions.items() if question is None])
    asked = {name: question for name, question in questions.items() if question is not None}
    if asked:
        task.ask(asked)
