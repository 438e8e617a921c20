"""Questions of a task: it is `input_required` until the client answers by tasks/update.

Clients answer under keys that are used once in a task's life; a question that is asked again, because what was filled
in does not fit, gets a new one.
"""

from __future__ import annotations

from _thread import allocate_lock

from .asking import Interaction
from .asking_waits import POLL_SECONDS, check_wanted, knock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .asking import Answers, Questions
    from .call import Call
    from .tasks import Task


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

        def tell() -> None:
            if came.locked():
                came.release()

        self._task.wake.append(tell)
        names = self._put_up(wanted)
        try:
            while (answers := self._task.take(names)) is None:
                came.acquire(timeout=POLL_SECONDS)
                check_wanted(self.call, "task")
            return {names[name]: answer for name, answer in answers.items()}
        finally:
            self._task.wake.remove(tell)
            self._task.withdraw(names)

    async def fetch_async(self, wanted: Questions) -> Answers:
        """Put the questions up and wait until all are answered; a cancellation is `asyncio.CancelledError`."""
        came, tell = knock()
        self._task.wake.append(tell)
        names = self._put_up(wanted)
        try:
            while (answers := self._task.take(names)) is None:
                await came.wait()
                came.clear()
            return {names[name]: answer for name, answer in answers.items()}
        except GeneratorExit:
            names = {}  # the collector ends it, in any thread with any lock in hand: nothing may be told
            raise
        finally:
            self._task.wake.remove(tell)
            if names:
                self._task.withdraw(names)

    def _put_up(self, wanted: Questions) -> dict[str, str]:
        """Show the questions to clients and return the names they have there, each with its key."""
        names = {}
        for key in wanted:
            name, number = key, 1
            while name in self._names:
                number += 1
                name = f"{key}-{number}"
            self._names.add(name)
            names[name] = key
        self._task.ask({name: wanted[key] for name, key in names.items()})
        return names
