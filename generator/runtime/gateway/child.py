"""The life of one child: started by its first call, kept, ended when nobody calls, started again after a failure.

Theory of operation. A call is a `Turn`. It is sent at once if the child is ready and has a place free; otherwise it
waits in order, and if there is no child, that is what starts one. After a failure the next start waits (`Breaker`):
calls wait with it while that is short, and are refused when it is long. Rules: the lock is the one of all children and
guards books only; nobody holds it while a link or a taker is called, so a child that reads nothing, or ends, delays no
other. A turn is in `active` from when it is sent, and whoever takes it out decides how it ends.
"""

from __future__ import annotations

from collections import deque
from time import monotonic

from . import journal
from .breaker import Breaker
from .failures import BUSY, DISCONNECTED, UNAVAILABLE
from .links import CLOSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .children import Children
    from .links import Link
    from .table import Server
    from .turn import Turn

IDLE, RESTING, STARTING, READY = "idle", "resting", "starting", "ready"
"""No child; one is to be started after a pause; it has not shaken hands yet; it takes calls."""

MAX_WAITING = 1_000
"""Calls that wait for one child; the next one is refused. More would only wait until they time out."""

HUNG_AFTER = 3
"""Calls in a row without an answer in time after which another child is started, once no call is left in this one."""

REPLACE_SECONDS = 0.2
"""How often it is looked whether a child that is to be replaced has no call left."""

PATIENCE = 0.5
"""Seconds a call waits for a child to be started again; if the pause is longer, it is refused at once."""


class Child:
    """One child of the gateway.

    `used` is when its last call ended, `kept` counts who needs it without a call, `overdue` the calls in a row that it
    took too long for, `last` is what it last died of.
    """

    __slots__ = (
        "_all", "_begun", "_waiting", "active", "breaker", "calls", "kept", "last", "link", "overdue", "server",
        "starts", "state", "used",
    )  # fmt: skip

    def __init__(self, server: Server, children: Children) -> None:
        self.server = server
        self._all = children
        self.link: Link | None = None
        self.state = IDLE
        self.active: set[Turn] = set()
        self._waiting: deque[Turn] = deque()
        self.breaker = Breaker()
        self.kept = self.starts = self.calls = self.overdue = 0
        self.used = self._begun = 0.0
        self.last = ""

    # -- turns

    def submit(self, turn: Turn) -> None:
        """Send a turn's errand now or later, or tell its taker why not."""
        self.calls += 1
        begin: Link | None = None
        refused = ""
        with self._all.lock:
            if self.state == READY and not self._waiting and self._has_place():
                turn.link = begin = self.link
                self.active.add(turn)
            elif len(self._waiting) >= MAX_WAITING:
                refused = BUSY
            elif self._is_to_start():
                if self.state != READY:
                    turn.tail = None  # it was written for a child that has ended meanwhile
                self._waiting.append(turn)
            else:
                refused = UNAVAILABLE
        if begin is not None:
            begin.send(turn)
            self._all.collected.add(begin)
        elif refused:
            turn.taker.lost(refused, self._why() if refused == UNAVAILABLE else "")
        elif self.state == IDLE:
            self.start()
        elif self.state == READY:
            self.go_on()  # a place may have become free before it was known that somebody waits

    def cancel(self, turn: Turn, reason: str) -> bool:
        """Give a turn up; False when it had its end before."""
        with self._all.lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return True
        if not self._take_out(turn):
            return False
        if turn.link is not None:
            turn.link.cancel(turn, reason)
        if self.overdue >= HUNG_AFTER and not self.active:
            self._leave(f"it answered none of the last {self.overdue} calls in time", failed=True)
        self._pass_on()
        self._all.settle()  # what could go on now
        return True

    def answered(self, turn: Turn) -> bool:
        """Take a turn that was answered out of the books; False when it had its end before."""
        if not self._take_out(turn):
            return False
        if self.breaker.failures or self.overdue:
            self.breaker.succeeded()
            self.overdue = 0
        if self._waiting or self._all.places.limited:
            self._pass_on()
        return True

    def lost(self, turn: Turn, reason: str, detail: str) -> bool:
        """Take a turn whose child gives no answer out of the books; False when nobody is to be told.

        It had its end before, or it is sent once more: because the child ended, and because that does no harm.
        """
        if not self._take_out(turn):
            return False
        if turn.link is not None and turn.link.state == CLOSED:
            self._ended(turn.link, reason, detail)  # here it is known first
        again = turn.repeatable and reason == DISCONNECTED and not self._all.closing
        if again:
            turn.repeatable, turn.link = False, None
            turn.tail = None  # the next child may be another one
            self.submit(turn)
        self._pass_on()
        return not again

    def _take_out(self, turn: Turn) -> bool:
        """Take a turn out of the books; True for the one caller that decides its end."""
        everybody = self._all
        try:
            if everybody.places.limited:
                with everybody.lock:
                    self.active.remove(turn)
                    everybody.places.give(self)
            else:
                self.active.remove(turn)  # in one step, so that only one caller can
        except KeyError:
            return False
        self.used = monotonic()
        return True

    def _pass_on(self) -> None:
        """Let those go on that wait for a place."""
        if self._all.places.contested:
            self._all.pass_places_on()
        if self._waiting:
            self.go_on()

    def go_on(self) -> None:
        """Send what waits, as far as there are places."""
        following = []
        with self._all.lock:
            while self.state == READY and self._waiting and self._has_place():
                turn = self._waiting.popleft()
                turn.link = self.link
                self.active.add(turn)
                following.append(turn)
        for turn in following:
            if turn.link is not None:
                turn.link.send(turn)
                self._all.collected.add(turn.link)

    def _has_place(self) -> bool:
        return len(self.active) < self.server.max_concurrent and self._all.places.take(self)

    # -- starting

    def _is_to_start(self) -> bool:
        """Say whether a turn may wait; the pause before the next start must not be long."""
        if self._all.closing:
            return False
        return self.state in (READY, STARTING) or self.breaker.pause(monotonic()) <= PATIENCE

    def start(self) -> None:
        """Start the child, now or after its pause."""
        now = monotonic()
        with self._all.lock:
            if self.state not in (IDLE, RESTING) or self._all.closing:
                return
            pause = self.breaker.pause(now)
            if pause:
                rest, self.state = self.state == IDLE, RESTING
            else:
                self.state = STARTING
        if not pause:
            self._start()
        elif rest:
            self._all.alarm.at(now + pause, self._wake)

    def _wake(self) -> None:
        with self._all.lock:
            if self.state != RESTING:
                return
            self.state = IDLE
        self.start()

    def _start(self) -> None:
        self.starts += 1
        self._begun = monotonic()
        try:
            self.link = link = self._all.connect(self)
            link.start(lambda: self._ready(link), lambda reason, detail: self._ended(link, reason, detail))
        except Exception as error:  # noqa: BLE001 # whatever it is, the calls that wait must be answered
            reason = BUSY if isinstance(error, RuntimeError) else UNAVAILABLE  # there is no thread left
            self._ended(self.link, reason, f"it cannot be started: {error}")

    def ready_link(self) -> Link | None:
        """Return the link to a child that takes calls; None where there is none."""
        return self.link if self.state == READY else None

    @property
    def is_absent(self) -> bool:
        """Whether it last could not be started at all: its files are gone, or a variable is not set."""
        return self.last.startswith(UNAVAILABLE)

    def turns(self) -> list[Turn]:
        """Return the turns that were sent and have not come to their end."""
        with self._all.lock:
            return [*self.active]

    def withdraw(self, wanted: Callable[[Turn], bool]) -> list[Turn]:
        """Return those of the turns that wait which are wanted; they wait no longer."""
        with self._all.lock:
            taken = [turn for turn in self._waiting if wanted(turn)]
            for turn in taken:
                self._waiting.remove(turn)
        return taken

    def _ready(self, link: Link) -> None:
        self._all.on_ready(self, link, lambda: self._go(link))

    def _go(self, link: Link) -> None:
        """Take calls from now on."""
        with self._all.lock:
            if link is not self.link or self.state != STARTING:
                return
            self.state = READY
            self.used = monotonic()
        journal.started(self.server.id, link.peer.era, self.used - self._begun)
        self._all.changed()
        self.go_on()
        self._all.alarm.at(self.used + self.server.idle, lambda: self._look(link))
        self._all.settle()

    def _ended(self, link: Link | None, reason: str, detail: str) -> None:
        """Take notice that the child is gone; what waited for its start is told, what was sent is told by the link."""
        with self._all.lock:
            current = link is self.link
            left = self._let_go() if current else []
        if current:
            self._tell_end(link, reason, detail)
            self._all.on_gone(self)
        for turn in left:
            turn.taker.lost(reason, detail)
        if current and self._waiting:
            self.start()
        self._all.settle()

    def _let_go(self) -> list[Turn]:
        """Have no child any more, under the lock; return the turns that wait for another one in vain."""
        was_ready = self.state == READY
        self.link, self.state, self.overdue = None, IDLE, 0
        now = monotonic()
        self.breaker.failed(now)
        if was_ready and self.breaker.pause(now) <= PATIENCE and not self._all.closing:
            for turn in self._waiting:
                turn.tail = None  # the next child may be another one
            return []
        left = [*self._waiting]
        self._waiting.clear()
        return left

    def _tell_end(self, link: Link | None, reason: str, detail: str) -> None:
        if self._all.closing:
            return
        self.last = f"{reason}: {detail}" if detail else reason
        journal.failed(self.server.id, reason, detail, link.stderr_tail() if link is not None else "")
        self._all.changed()

    def _why(self) -> str:
        """Say why it is not started."""
        if self._all.closing:
            return "it is not started any more, because the gateway ends"
        seconds = max(self.breaker.pause(monotonic()), 1.0)
        told = f"it failed {self.breaker.failures} times and is started again in {seconds:.0f} s at the earliest"
        return f"{told}; the last time: {self.last.partition(': ')[2] or self.last}" if self.last else told

    # -- ending

    def _look(self, link: Link) -> None:
        """End a child that nobody has called for long."""
        now = monotonic()
        with self._all.lock:
            if link is not self.link:
                return  # another one has its own look
            busy = bool(self.active or self._waiting or self.kept)
            due = (now if busy else self.used) + self.server.idle
        if due > now:
            self._all.alarm.at(due, lambda: self._look(link))
        else:
            self._leave(f"nobody called it for {self.server.idle:g} s")

    def replace(self, link: Link, why: str) -> None:
        """End a child once no call is left in it; the next call starts another one."""
        if link is not self.link:
            return
        self._leave(why)
        if link is self.link:
            self._all.alarm.at(monotonic() + REPLACE_SECONDS, lambda: self.replace(link, why))

    def _leave(self, why: str, *, failed: bool = False) -> None:
        """End the child; the next call starts another one."""
        with self._all.lock:
            link = self.link
            if self.state != READY or link is None or self.active or self._waiting:
                return  # somebody called it just now
            self.link, self.state, self.overdue = None, IDLE, 0
            if failed:
                self.breaker.failed(monotonic())
        self._all.leave(link)
        self.last = why if failed else self.last
        journal.left(self.server.id, why)
        self._all.changed()
        self._all.on_gone(self)
