"""One asyncio loop on a thread of its own for asynchronous tools.

Started at the first of them (asyncio costs 45 ms). User code can ruin a loop: block it, close it, or close the
descriptors it waits on. `usable` tells; `EventLoops` then leaves that loop behind and starts another.
"""

from __future__ import annotations

import asyncio
from _thread import start_new_thread
from time import monotonic, sleep

from ..wire import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from .call import Call

STUCK_SECONDS = 0.1
"""A loop that does not react for so long, after a call on it was over its time or cancelled, is blocked."""

LOOK_SECONDS = 0.002
"""How often that is looked at: most loops react at once."""

RUINED: list[object] = []
"""Loops whose descriptors user code closed: nothing closes these numbers again, which may be somebody else's by now."""


class EventLoop:
    """Runs coroutines of calls; `answer` takes a call and its result and never raises.

    Raises RuntimeError or OSError when the system has no thread or descriptor left for it.
    """

    __slots__ = ("_answer", "_asked", "_coming", "_loop", "_tasks", "broken")

    def __init__(self, answer: Callable[[Call, dict[str, Any]], None]) -> None:
        self._answer = answer
        self._loop = asyncio.new_event_loop()
        self._coming: set[Call] = set()
        self._tasks: dict[asyncio.Task[None], Call] = {}
        self._asked = 0.0
        self.broken = False
        try:
            start_new_thread(self._serve, ())
        except RuntimeError:
            self._loop.close()
            raise

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        while True:
            try:
                self._loop.run_forever()
            except (SystemExit, KeyboardInterrupt):  # of a task that user code left behind; the loop goes on
                continue
            except BaseException as error:  # noqa: BLE001 # whatever it is, the loop itself raised it
                self._give_up(error)
                return

    def _give_up(self, error: BaseException) -> None:
        """Answer what ran here: the loop is closed, or cannot wait any more."""
        from .faults import failed

        self.broken = True
        coming = [call for call in [*self._coming] if self._is_taken(call)]
        for call in [*coming, *self._tasks.values()]:
            self._answer(call, failed(call, error))
        try:
            if isinstance(error, OSError):
                RUINED.append(self._loop)
            else:
                self._loop.close()
        except Exception:  # noqa: BLE001, S110 # it could not be closed either; it is not used any more
            pass

    def submit(self, call: Call, run: Callable[[Call], Awaitable[dict[str, Any]]]) -> None:
        """Start the call on the loop; its cancellation cancels the task. Raises RuntimeError when it takes no more."""
        if len(self._coming) + len(self._tasks) >= limits.MAX_QUEUED:
            raise RuntimeError
        self._coming.add(call)
        try:
            self._loop.call_soon_threadsafe(self._begin, call, run)
        except RuntimeError:  # user code closed it
            self.broken = True
        if self.broken and self._is_taken(call):  # nobody looks at what is coming any more
            raise RuntimeError

    def _is_taken(self, call: Call) -> bool:
        """Take a call out of those that come; True for the one of several threads that then sees to it."""
        try:
            self._coming.remove(call)
        except KeyError:
            return False
        return True

    def _begin(self, call: Call, run: Callable[[Call], Awaitable[dict[str, Any]]]) -> None:
        if not self._is_taken(call):
            return
        if call.finished:  # cancelled or timed out while it waited for its turn
            self._answer(call, {})
            return
        task = self._loop.create_task(self._finish(call, run))
        self._tasks[task] = call  # the loop itself holds tasks weakly
        task.add_done_callback(self._tasks.pop)
        call.on_cancel = lambda: self._cancel(task)
        if call.finished:  # just now, so that whoever finished it may have found nothing to cancel
            self._loop.call_soon(task.cancel)  # not at once: a task that never began answers nobody

    async def _finish(self, call: Call, run: Callable[[Call], Awaitable[dict[str, Any]]]) -> None:
        self._answer(call, await run(call))

    def _cancel(self, task: asyncio.Task[None]) -> None:
        try:
            self._loop.call_soon_threadsafe(task.cancel)
            self._ask()
        except RuntimeError:  # user code closed it
            self.broken = True

    def _ask(self) -> None:
        """Have the loop show that it reacts."""
        if not self._asked:
            self._asked = monotonic()
            self._loop.call_soon_threadsafe(self._react)

    def _react(self) -> None:
        self._asked = 0.0

    def look(self) -> None:
        """Find out whether the loop still reacts; blocks for as long as that is open, STUCK_SECONDS at most."""
        try:
            self._ask()
        except RuntimeError:
            self.broken = True
        while self._asked and self.usable():
            sleep(LOOK_SECONDS)

    def usable(self) -> bool:
        """Say whether new calls can run here."""
        return not self.broken and (not self._asked or monotonic() - self._asked < STUCK_SECONDS)

    def wait(self, awaitable: Awaitable[object]) -> object:
        """Run an awaitable on the loop and block the calling thread for its value."""

        async def value() -> object:
            return await awaitable

        return asyncio.run_coroutine_threadsafe(value(), self._loop).result()


class EventLoops:
    """The loop new calls run on, and those that user code blocked: one of them may react again."""

    __slots__ = ("_all", "_answer", "_current")

    def __init__(self, answer: Callable[[Call, dict[str, Any]], None]) -> None:
        self._answer = answer
        self._all: list[EventLoop] = []
        self._current: EventLoop | None = None

    def one(self) -> EventLoop:
        """Return a loop that reacts; raises RuntimeError when too many are blocked, or as a new one does."""
        if self._current is None or not self._current.usable():
            self._all = [loop for loop in self._all if not loop.broken]
            usable = [loop for loop in self._all if loop.usable()]
            if not usable and len(self._all) >= limits.MAX_LOOPS:
                raise RuntimeError
            if not usable:
                self._all += (usable := [EventLoop(self._answer)])
            self._current = usable[0]
        return self._current

    def look(self) -> None:
        """Find out whether the current loop still reacts."""
        if self._current is not None:
            self._current.look()
