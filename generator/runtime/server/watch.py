"""The one thread that looks at the clock.

It does four things. It **hands the role on**: a quick tool runs on the thread that holds the shell's role, which saves
two thread switches a call; if such a call is not done within a few milliseconds, the watch gives the role to another
thread (`role`), so one slow call never holds up the others. It **ends waiting** for calls over their time. It **notices
a dead parent** whose pipe somebody else keeps open, and a client that closed its reading end. While nothing runs it
sleeps for seconds; it polls only during calls. Nothing that user code breaks ends it.
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
    from .role import Role
    from .ticket import Ticket

SLOW_SECONDS = 0.002
"""A call that has run for so long on the thread that holds the role is slow."""

SUSPECT_SECONDS = 0.0005
"""One that has run for so long is looked at again as soon as it would be slow; quick calls take a tenth of that."""

TICK = 0.004
"""Seconds between other looks while calls run there, after one was slow.

The longest that a quick-looking call delays others is this and what makes it suspect.
"""

CALM_SECONDS = 1.0
CALM_TICK = 0.008
"""The same once no call was slow for so long. Looking more often would cost more than it brings.

A look wants the interpreter's lock. A busy thread lets go of it for microseconds only, at each of its system calls, and
each time wakes the watch in vain; with a look every 2 ms, that was a tenth of what a call over HTTP cost.
"""

LINGER_TICKS = 8
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
        "_calm_from",
        "_client_gone",
        "_congestion",
        "_end",
        "_hand_over",
        "_open",
        "_overdue",
        "_parent",
        "_role",
        "_turns",
    )

    def __init__(
        self,
        open_calls: set[Call],
        role: Role,
        *,
        hand_over: Callable[[Call], None],
        overdue: Callable[[Call], None],
        client_gone: Callable[[], bool],
        end: Callable[[], None],
    ) -> None:
        self._open = open_calls
        self._role = role
        self._hand_over = hand_over
        self._overdue = overdue
        self._client_gone = client_gone
        self._end = end
        self._turns = 0
        self._calm_from = 0.0
        self._congestion: Congestion | None = None
        self._asleep = False
        self._parent = system.getppid()
        self._alarm = allocate_lock()

    def start(self) -> None:
        """Start the thread."""
        self._alarm.acquire()
        start_new_thread(self._run, ())

    def begin(self, call: Call | Ticket) -> None:
        """Note that the role's holder starts to run this call itself."""
        self._turns += 1
        self._role.begin(call)
        if self._asleep:
            self.wake()

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
        turns, quiet = 0, 0
        pause = TICK
        next_deadlines = next_ends = monotonic()
        while True:
            self._alarm.acquire(timeout=pause)
            self._asleep = False
            now = monotonic()
            left = self._look_at_role(now)
            quiet = 0 if turns != self._turns else quiet + 1
            turns = self._turns
            if self._open and now >= next_deadlines:
                next_deadlines = now + DEADLINE_SECONDS
                self._end_overdue(now)
                self._relieve()
            if now >= next_ends:
                next_ends = now + (BUSY_SECONDS if self._open else PARENT_SECONDS)
                self._end_alone()
            pause = left or self._pause(quiet, now)

    def _look_at_role(self, now: float) -> float:
        """Hand the role on if its holder runs a slow call; return after how long to look again, 0 for as usual."""
        running = self._role.running
        if running is None:
            return 0
        age = now - running.started
        if age < SLOW_SECONDS:
            return SLOW_SECONDS - age if age > SUSPECT_SECONDS else 0
        self._calm_from = now + CALM_SECONDS
        try:
            self._hand_over(running)
        except:  # noqa: E722 # no thread can be started now, or user code broke something: look again in a moment
            return TICK
        return 0

    def _pause(self, quiet: int, now: float) -> float:
        tick = TICK if now < self._calm_from else CALM_TICK
        if self._role.running is not None or quiet < LINGER_TICKS:
            return tick
        self._asleep = True
        if self._role.running is not None:  # a call began between the two lines above
            return tick
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
