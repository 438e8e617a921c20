"""Questions of a task: it is `input_required` until the client answers by tasks/update.

Clients answer under keys that are used once in a task's life; a question that is asked again, because what was filled
in does not fit, gets a new one.
"""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

from ..authoring.errors import CallCancelled
from .asking import Interaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .asking import Answers, Questions
    from .call import Call
    from .tasks import Task

POLL_SECONDS = 0.1
"""How soon a blocked function notices that its task was cancelled or is over its time."""


class Parked(Interaction):
    """Asks by putting questions up in the task, and waits until all of them are answered."""

    __slots__ = ("_names", "_task")

    def __init__(self, call: Call, task: Task) -> None:
        super().__init__(call)
        self._task = task
        self._names: set[str] = set()

    def fetch(self, wanted: Questions) -> Answers:
        """Put the questions up and block until all are answered; raises CallCancelled."""
        came = allocate_lock()
        came.acquire()
        names = self._put_up(wanted)

        def tell() -> None:
            if came.locked():
                came.release()

        self._task.wake.append(tell)
        try:
            while not self._answered(names):
                came.acquire(timeout=POLL_SECONDS)
                if self.call.cancelled or self.call.finished or monotonic() >= self.call.deadline:
                    raise CallCancelled("nobody waits for this task any more")
            return self._taken(names)
        finally:
            self._task.wake.remove(tell)
            self._withdraw(names)

    async def fetch_async(self, wanted: Questions) -> Answers:
        """Put the questions up and wait until all are answered; a cancellation is `asyncio.CancelledError`."""
        import asyncio

        loop = asyncio.get_running_loop()
        came = asyncio.Event()
        names = self._put_up(wanted)

        def tell() -> None:
            try:
                loop.call_soon_threadsafe(came.set)
            except RuntimeError:  # the loop was closed, and whoever waited on it is gone
                return

        self._task.wake.append(tell)
        try:
            while not self._answered(names):
                await came.wait()
                came.clear()
            return self._taken(names)
        finally:
            self._task.wake.remove(tell)
            self._withdraw(names)

    def _put_up(self, wanted: Questions) -> dict[str, str]:
        """Show the questions to clients and return the names they have there, each with its key."""
        names = {}
        for key, question in wanted.items():
            name, number = key, 1
            while name in self._names:
                number += 1
                name = f"{key}-{number}"
            self._names.add(name)
            names[name] = key
            self._task.wanted[name] = question
        self._task.change("input_required")
        return names

    def _withdraw(self, names: dict[str, str]) -> None:
        """Take down what nobody waits for any more: the function's own patience may have ended before the answer."""
        open_still = [name for name in names if self._task.wanted.pop(name, None) is not None]
        for name in names:
            self._task.answers.pop(name, None)
        if open_still:
            self._task.change("working")

    def _answered(self, names: dict[str, str]) -> bool:
        return all(name in self._task.answers for name in names)

    def _taken(self, names: dict[str, str]) -> Answers:
        return {key: self._task.answers.pop(name) for name, key in names.items()}
