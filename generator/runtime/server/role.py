"""The shell's role, to read and to answer, which one thread holds at a time, and how it passes from one to the next.

Theory of operation. The holder may run a quick tool itself, between `begin` and `end`; only then can the role be taken
from it, by `pass_on`, which the watch calls when that tool turns out slow. Whether the tool ended first or the role
went first is decided about that very call by who takes it out of `_open`, which is one step that threads cannot share:
the next holder may be running a call of its own by the time the slow one ends. Whoever takes a call out and may put one
back (`replace`) does so under the lock, which `end` waits for only if its call is out; a lock for every call would take
as long again as all else of `begin` and `end`. Rules: only the holder begins calls; a thread that is told it has lost
the role touches nothing that belongs to it, whatever happens on its way out.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any

    from .call import Call
    from .ticket import Ticket


class Role:
    """One role; `serve` is what its holder does. `running` is the call that the holder runs itself, or its ticket."""

    __slots__ = ("_changing", "_holder", "_open", "_serve", "running")

    def __init__(self, serve: Callable[[], None]) -> None:
        self._serve = serve
        self._changing = allocate_lock()
        self._holder = 0  # nobody, as between two holders: whatever is said then, others have to pass on
        self._open: dict[Call | Ticket, bool] = {}  # the running call, until somebody decides about it
        self.running: Any = None

    def hold(self) -> None:
        """Note that this thread, which was given the role, begins to serve."""
        self._holder = get_ident()

    def is_mine(self) -> bool:
        """Say whether this thread holds the role."""
        return self._holder == get_ident()

    def begin(self, call: Call | Ticket) -> None:
        """Note that the holder starts to run this call itself."""
        self._open[call] = True
        self.running = call

    def end(self, call: Call | Ticket) -> bool:
        """Note that it is done; False when the role went to another thread meanwhile, or the call has another name."""
        if not self._open.pop(call, False):
            with self._changing:
                if not self._open.pop(call, False):
                    return False
        self.running = None
        return True

    def while_running(self, call: Call, act: Callable[[Call], None]) -> None:
        """Do something about a call if the holder still runs it, and while it surely does."""
        with self._changing:
            if not self._open.pop(call, False):
                return
            try:
                act(call)
            finally:
                self._open[call] = True

    def replace(self, running: Ticket, make: Callable[[], Call]) -> Call | None:
        """Have what the holder runs, if it still does, go by the name of a call made meanwhile; return that call."""
        with self._changing:
            if not self._open.pop(running, False):
                return None
            known: Call | Ticket = running
            try:
                known = made = make()
            finally:
                self._open[known] = True
                self.running = known
            return made

    def keep(self) -> bool:
        """Find out after a failure whether this thread still holds the role; if so, it runs no call any more."""
        with self._changing:
            if self._holder != get_ident():
                return False
            self.running = None
            self._open.clear()
            return True

    def pass_on(self, call: Call) -> bool:
        """Give the role to a new thread if its holder still runs this call; raises RuntimeError without a thread."""
        gate = allocate_lock()
        gate.acquire()
        granted: list[Call] = []
        start_new_thread(self._serve_if, (gate, granted))
        try:
            with self._changing:
                if self._open.pop(call, False):
                    self.running = None
                    self._holder = 0
                    granted.append(call)
        finally:
            gate.release()
        return bool(granted)

    def _serve_if(self, gate: LockType, granted: list[Call]) -> None:
        gate.acquire()
        if granted:
            self._serve()
