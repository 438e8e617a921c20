"""How the process ends: quietly, in bounded time, whatever user code still does.

The main thread does nothing but wait here; user code never runs on it, so signals are always handled at once and a tool
can neither block nor replace them.
"""

from __future__ import annotations

import sys
from _thread import start_new_thread
from time import monotonic, sleep

from ..wire import limits
from . import system
from .streams import move_aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


SIGNAL_EXITS = {"SIGINT": 130, "SIGTERM": 143}
POLL_SECONDS = 0.005
LOST_SECONDS = 0.05
"""How often to look for the end when the pipe that tells of it was lost."""

FLUSH_SECONDS = 0.2
"""How long a client that reads slowly may take for the last answers."""


class Lifetime:
    """Waits for the end and carries it out.

    Calls are drained as long as `is_busy` says so, and until the earliest moment that any cause of the end leaves them:
    a signal, or a client that is gone, cuts short what the end of the input allowed. `give_up` answers those that are
    not done in time. The main thread sleeps on a pipe that `end` and the interpreter's own signal handler write to: a
    lock would lose a signal that comes just before the thread goes to sleep. `farewell_seconds` are what `give_up` may
    take besides.
    """

    __slots__ = (
        "_code", "_ending", "_give_up", "_is_busy", "_moments", "_signals", "_waker", "_wakes", "farewell_seconds",
        "input_is_over", "started_user_code",
    )  # fmt: skip

    def __init__(self, is_busy: Callable[[], bool], give_up: Callable[[], None]) -> None:
        self._is_busy = is_busy
        self._give_up = give_up
        self._wakes, self._waker = map(move_aside, system.pipe())
        self._ending = False
        self._signals: dict[int, int] = {}
        self._code = 0
        self._moments: list[float] = []  # added to by any thread, the earliest counts
        self.started_user_code = False
        self.input_is_over = False
        self.farewell_seconds = 0.0

    @property
    def is_over(self) -> bool:
        """Whether the process ends: nothing more is to be begun."""
        return self._ending

    def end(self, code: int = 0, *, drain: float = 0.0) -> None:
        """End the process with this exit code; calls in flight get `drain` seconds. Any thread, any number of times."""
        self._code = code
        self._moments.append(monotonic() + drain)
        self._ending = True
        try:
            system.write(self._waker, b"\0")
        except OSError:
            pass  # the pipe is full of wake-ups already

    def input_ended(self) -> None:
        """End because the client closed the input (MCP stdio: shutdown)."""
        self.input_is_over = True
        self.end(0, drain=limits.DRAIN_SECONDS)

    def catch_signals(self) -> None:
        """End on SIGINT and SIGTERM; `_signal` is the C half of `signal`, which would import enum."""
        import _signal  # type: ignore[import-not-found]  # a private module, without a stub

        for name, code in SIGNAL_EXITS.items():
            number = getattr(_signal, name, None)
            if number is not None:
                self._signals[int(number)] = code
                _signal.signal(number, lambda *_, code=code: self.end(code))
        if system.set_blocking is not None:
            system.set_blocking(self._waker, False)
            _signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)

    def wait(self) -> NoReturn:
        """Block until the end, then leave; whatever user code does to this thread or its descriptors."""
        while not self._ending:
            try:
                noticed = system.read(self._wakes, 1)
                if not noticed:
                    sleep(LOST_SECONDS)
                elif noticed[0] in self._signals:  # its handler may have met an exception that user code threw in
                    self.end(self._signals[noticed[0]])
            except:  # noqa: E722 # a closed descriptor, or an exception that user code threw into this thread
                sleep(LOST_SECONDS)
        try:
            self._close(monotonic())
        except:  # noqa: E722, S110 # user code broke something; there is nothing to do but leave
            pass
        system.leave(self._code)

    def _close(self, begun: float) -> None:
        start_new_thread(self._leave_late, (FLUSH_SECONDS + self.farewell_seconds + limits.ATEXIT_SECONDS,))
        while self._is_busy() and monotonic() < min(self._moments):
            sleep(POLL_SECONDS)
        self._moments.append(max(monotonic(), begun + limits.DRAIN_SECONDS))  # from here on it has to be quick
        self._give_up()
        self._run_exit_handlers()

    def _run_exit_handlers(self) -> None:
        """Run what user code registered with atexit, and flush what it printed."""
        if self.started_user_code:
            import atexit

            atexit._run_exitfuncs()  # noqa: SLF001 # _exit skips them, and the interpreter's own way joins threads
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:  # noqa: BLE001, S110 # a closed stream is no reason to stay
                pass

    def _leave_late(self, seconds: float) -> None:
        """Leave so long after the calls' time is over, whatever still goes on."""
        while (left := min(self._moments) + seconds - monotonic()) > 0:
            sleep(max(POLL_SECONDS, min(left, LOST_SECONDS)))  # their time may be cut short meanwhile
        system.leave(self._code)
