"""The one thread that looks at the clock.

It does four things. It **takes over reading**: a quick tool runs on the reading thread itself, which saves two thread
switches a call; if such a call is not done within a few milliseconds, the watch makes another thread the reader, so one
slow call never holds up the others. It **ends waiting** for calls over their time. It **notices a dead parent** whose
pipe somebody else keeps open, and a client that closed its reading end. While nothing runs it sleeps for seconds; it
polls only during calls. Nothing that user code breaks ends it.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from time import monotonic

from . import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .call import Call
    from .congestion import Congestion

TICK = 0.002
"""Seconds between looks while a call runs on the reading thread.

The longest a quick-looking call delays others is two.
"""

LINGER_TICKS = 25
"""Ticks without a call before the watch slows down: waking it costs more than a few idle looks."""

DEADLINE_SECONDS = 0.05
"""How exact time-outs are."""

PARENT_SECONDS = 2.0
"""How often an idle server looks whether its parent and its client are still there."""

BUSY_SECONDS = 0.5
"""The same while calls run: work for nobody is stopped early."""


class Watch:
    """Watches the calls of one shell. `open_calls` are those not answered yet."""

    __slots__ = (
        "_alarm",
        "_asleep",
        "_client_gone",
        "_congestion",
        "_end",
        "_inline",
        "_open",
        "_overdue",
        "_parent",
        "_take_over",
        "_turns",
    )

    def __init__(
        self,
        open_calls: set[Call],
        *,
        take_over: Callable[[Callable[[], Call]], None],
        overdue: Callable[[Call], None],
        client_gone: Callable[[], bool],
        end: Callable[[], None],
    ) -> None:
        self._open = open_calls
        self._take_over = take_over
        self._overdue = overdue
        self._client_gone = client_gone
        self._end = end
        self._inline: list[Call] = []
        self._turns = 0
        self._congestion: Congestion | None = None
        self._asleep = False
        self._parent = system.getppid()
        self._alarm = allocate_lock()

    def start(self) -> None:
        """Start the thread."""
        self._alarm.acquire()
        start_new_thread(self._run, ())

    def begin(self, call: Call) -> None:
        """Note that the reading thread starts to run this call itself."""
        self._turns += 1
        self._inline.append(call)
        if self._asleep:
            self.wake()

    def end(self, call: Call) -> bool:
        """Note that it is done; False when another thread has become the reader meanwhile.

        The list decides between this thread and the watch: whoever takes this very call out of it wins. Another one
        that is there belongs to the thread that is the reader now.
        """
        try:
            self._inline.remove(call)
        except ValueError:
            return False
        return True

    def attend(self) -> None:
        """Look at the clock closely from now on: a call runs elsewhere."""
        if self._asleep:
            self.wake()

    def wake(self) -> None:
        """Have the watch look now instead of when its sleep ends."""
        self._asleep = False
        try:
            self._alarm.release()
        except RuntimeError:  # somebody else woke it already
            pass

    def _run(self) -> None:
        seen: Call | None = None
        turns, quiet = 0, 0
        next_deadlines = next_ends = monotonic()
        while True:
            self._alarm.acquire(timeout=self._pause(quiet))
            self._asleep = False
            seen = self._hand_over(seen)
            quiet = 0 if turns != self._turns else quiet + 1
            turns = self._turns
            now = monotonic()
            if self._open and now >= next_deadlines:
                next_deadlines = now + DEADLINE_SECONDS
                self._end_overdue(now)
                self._relieve()
            if now >= next_ends:
                next_ends = now + (BUSY_SECONDS if self._open else PARENT_SECONDS)
                self._end_alone()

    def _hand_over(self, seen: Call | None) -> Call | None:
        """Have another thread read if the call seen last time still runs; return the one that runs now."""
        inline = self._inline[-1:]
        if inline and inline[0] is seen:
            try:
                self._take_over(self._inline.pop)
            except (RuntimeError, MemoryError):
                return seen  # no thread can be started now: look again in a moment
        return inline[0] if inline else None

    def _pause(self, quiet: int) -> float:
        if self._inline or quiet < LINGER_TICKS:
            return TICK
        self._asleep = True
        if self._inline:  # a call began between the two lines above
            return TICK
        return DEADLINE_SECONDS if self._open else PARENT_SECONDS

    def _end_overdue(self, now: float) -> None:
        for call in self._open.copy():
            if now >= call.deadline:
                try:
                    self._overdue(call)
                except:  # noqa: E722, S112 # user code may have deleted the names of exceptions; the next look succeeds
                    continue

    def _relieve(self) -> None:
        """Keep a standard error that nobody reads from holding up everything that prints."""
        try:
            if self._congestion is None:
                from .congestion import Congestion

                self._congestion = Congestion()
            self._congestion.look()
        except:  # noqa: E722 # as above, or a standard error that cannot be watched
            return

    def _end_alone(self) -> None:
        """End the process when nobody is there to answer to."""
        try:
            if system.getppid() != self._parent or self._client_gone():
                self._end()
        except:  # noqa: E722 # as above
            return
