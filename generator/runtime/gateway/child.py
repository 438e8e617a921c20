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

from ..server import logs
from .breaker import Breaker
from .failures import BUSY, DISCONNECTED, UNAVAILABLE
from .links import CLOSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .children import Children
    from .errand import Errand
    from .links import Link
    from .table import Server
    from .turn import Turn

IDLE, RESTING, STARTING, READY = "idle", "resting", "starting", "ready"
"""No child; one is to be started after a pause; it has not shaken hands yet; it takes calls."""

MAX_WAITING = 1_000
"""Calls that wait for one child; the next one is refused. More would only wait until they time out."""

PATIENCE = 0.5
"""Seconds a call waits for a child to be started again; if the pause is longer, it is refused at once."""


class Child:
    """One child of the gateway. `used` is when its last call ended, `kept` counts who needs it without a call."""

    __slots__ = (
        "_all", "_waiting", "active", "breaker", "kept", "link", "server", "starts", "state", "used",
    )  # fmt: skip

    def __init__(self, server: Server, children: Children) -> None:
        self.server = server
        self._all = children
        self.link: Link | None = None
        self.state = IDLE
        self.active: set[Turn] = set()
        self._waiting: deque[Turn] = deque()
        self.breaker = Breaker()
        self.kept = self.starts = 0
        self.used = 0.0

    def turn(self, errand: Errand, *, repeatable: bool = False) -> Turn:
        """Return the turn of an errand, which `submit` begins."""
        from .turn import Turn

        return Turn(self, errand, repeatable=repeatable)

    # -- turns

    def submit(self, turn: Turn) -> None:
        """Send a turn's errand now or later, or tell its taker why not."""
        begin: Link | None = None
        refused = ""
        with self._all.lock:
            if self.state == READY and not self._waiting and self._has_place():
                turn.link = begin = self.link
                self.active.add(turn)
            elif len(self._waiting) >= MAX_WAITING:
                refused = BUSY
            elif self._is_to_start():
                self._waiting.append(turn)
            else:
                refused = UNAVAILABLE
        if begin is not None:
            begin.send(turn.errand)
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
        if not self.ended(turn, well=False):
            return False
        if turn.link is not None:
            turn.link.cancel(turn.errand, reason)
        self._all.settle()  # what could go on now
        return True

    def ended(self, turn: Turn, *, well: bool) -> bool:
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
        if well and self.breaker.failures:
            self.breaker.succeeded()
        if everybody.places.contested:
            everybody.pass_places_on()
        if self._waiting:
            self.go_on()
        return True

    def try_again(self, turn: Turn, reason: str, detail: str) -> bool:
        """Send a turn once more after its child ended, if that does no harm."""
        if turn.link is not None and turn.link.state == CLOSED:
            self._ended(turn.link, reason, detail)  # here it is known first
        if reason != DISCONNECTED or not turn.repeatable or self._all.closing:
            return False
        turn.repeatable, turn.link = False, None
        self.submit(turn)
        return True

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
                turn.link.send(turn.errand)
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
        try:
            self.link = link = self._all.connect(self)
            link.start(lambda: self._ready(link), lambda reason, detail: self._ended(link, reason, detail))
        except Exception as error:  # noqa: BLE001 # whatever it is, the calls that wait must be answered
            self._ended(self.link, UNAVAILABLE, f"cannot be started: {error}")

    def ready_link(self) -> Link | None:
        """Return the link to a child that takes calls; None where there is none."""
        return self.link if self.state == READY else None

    def turns(self) -> list[Turn]:
        """Return the turns that were sent and have not come to their end."""
        with self._all.lock:
            return [*self.active]

    def _ready(self, link: Link) -> None:
        self._all.on_ready(self, link, lambda: self._go(link))

    def _go(self, link: Link) -> None:
        """Take calls from now on."""
        with self._all.lock:
            if link is not self.link or self.state != STARTING:
                return
            self.state = READY
            self.used = monotonic()
        logs.write(f"child {self.server.id} ready ({link.peer.era})", hold=True)
        self.go_on()
        self._all.alarm.at(self.used + self.server.idle, self._look)
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
        self.link, self.state = None, IDLE
        now = monotonic()
        self.breaker.failed(now)
        if was_ready and self.breaker.pause(now) <= PATIENCE and not self._all.closing:
            return []
        left = [*self._waiting]
        self._waiting.clear()
        return left

    def _tell_end(self, link: Link | None, reason: str, detail: str) -> None:
        if self._all.closing:
            return
        said = link.stderr_tail() if link is not None else ""
        tail = f"; its standard error ended in:\n{said}" if said else ""
        logs.warning(f"child {self.server.id} ended: {reason}{': ' + detail if detail else ''}{tail}")

    def _why(self) -> str:
        """Say why it is not started."""
        if self._all.closing:
            return "is not started any more, because the gateway ends"
        seconds = self.breaker.pause(monotonic())
        return f"failed {self.breaker.failures} times and is started again in {max(seconds, 1.0):.0f} s at the earliest"

    # -- ending

    def _look(self) -> None:
        """End a child that nobody has called for long."""
        now = monotonic()
        with self._all.lock:
            if self.state != READY:
                return
            busy = bool(self.active or self._waiting or self.kept)
            due = (now if busy else self.used) + self.server.idle
            link = self.link if due <= now else None
            if link is not None:
                self.link, self.state = None, IDLE
        if link is None:
            self._all.alarm.at(due, self._look)
            return
        self._all.leaving.add(link)
        link.close()
        self._all.on_gone(self)
        logs.write(f"child {self.server.id} ended: nobody called it for {self.server.idle:.0f} s")
