"""Tasks whose calls run in workers: the front keeps them, a worker has a likeness of those it runs.

What happens to a likeness is told to the front, which does the same to the task that clients look at; what clients
answer there comes back. Both have the same id, which the worker makes.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .tasks import Task, Tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .call import Call
    from .tasks import Status

    Tell = Callable[[Call, bytes], None]


class Likeness(Task):
    """A task as the worker that runs its call has it; `told` tells the front."""

    __slots__ = ("_told",)

    def __init__(self, call: Call, principal: str, told: Tell) -> None:
        super().__init__(call, principal)
        self._told = told

    def say(self, message: str | None) -> None:
        """Note how far the task is."""
        super().say(message)
        if self.call is not None:
            self._told(self.call, jsonrpc.encode({"said": message}))

    def change(self, status: Status, *, result: dict[str, Any] | None = None) -> None:
        """Go to another status."""
        call = self.call
        super().change(status, result=result)
        if call is not None:
            self._told(call, jsonrpc.encode({"status": status, "result": result, "wanted": self.wanted}))

    def take(self, answers: dict[str, dict[str, Any]]) -> None:
        """Take a client's answers to questions that are open."""
        for name, answer in answers.items():
            if self.wanted.pop(name, None) is not None:
                self.answers[name] = answer
        if not self.wanted:
            self.change("working")
        self.rouse()


class WorkerTasks(Tasks):
    """The tasks of a worker: it keeps none of them."""

    __slots__ = ("_told",)

    def __init__(self, told: Tell) -> None:
        super().__init__()
        self._told = told

    def open(self, call: Call, principal: str, task_id: str = "") -> Task:  # noqa: ARG002 # it makes its own
        """Begin a task for a call."""
        return Likeness(call, principal, self._told)


def follow(task: Task, content: bytes) -> None:
    """Do to a task what happened to its likeness."""
    facts = jsonrpc.parse(content)
    if "status" in facts:
        task.wanted = facts["wanted"]
        task.change(facts["status"], result=facts["result"])
    else:
        task.say(facts["said"])
