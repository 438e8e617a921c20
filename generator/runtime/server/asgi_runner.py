"""What runs calls under an ASGI server: threads and loops of our own, which never hold the server's loop up.

`AsgiServer` is to the endpoint what the own server is: the clock, and mail from other threads, which is read on the
event loop in the order in which it came.
"""

from __future__ import annotations

import asyncio
from _thread import get_ident
from collections import deque
from time import monotonic

from ..wire import limits
from .http_limits import SWEEP_SECONDS
from .http_runner import Books, HttpRunner, ServerWatch
from .lifetime import POLL_SECONDS
from .mail import hold_back
from .role import Role
from .runner import Runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .call import Call
    from .http_endpoint import Endpoint


class HostLifetime:
    """Stands for a process's end where that is the ASGI server's business."""

    __slots__ = ("farewell_seconds", "input_is_over", "started_user_code")

    def __init__(self, *_: Callable[[], object]) -> None:
        self.started_user_code = False
        self.input_is_over = False
        self.farewell_seconds = 0.0

    def end(self, code: int = 0, *, drain: float = 0.0) -> None:
        """Do nothing."""


class AsgiRunner(HttpRunner):
    """Runs the calls in the books, none of them on the event loop's thread."""

    __slots__ = ()

    LIFETIME = HostLifetime  # type: ignore[assignment] # all that the runner asks of a lifetime

    def start(self, call: Call, *, aside: bool = True) -> bool:  # noqa: ARG002 # always
        """Run a call."""
        super().start(call, aside=True)
        self.flush()  # nobody else does, once what came is read
        return True

    def _end_elsewhere(self) -> None:
        self.gateway.close()

    def give_up(self) -> None:
        """Answer what is still open; the server sends it."""
        Runner._give_up(self)  # noqa: SLF001 # what is between waits, which a loop must not


class AsgiServer:
    """The endpoint on one event loop. `stopping` says that the loop's server wants to end."""

    def __init__(self, books: Books) -> None:
        self.endpoint: Endpoint
        self.runner: AsgiRunner
        self.loop = asyncio.get_running_loop()
        self.stopping = False
        self.large_bodies = 0
        self._books = books
        self._thread = get_ident()
        self._mail: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._woken = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def now(self) -> float:
        """The clock."""
        return monotonic()

    def begin(self) -> None:
        """Look at the clock from now on; endpoint and runner must be attached."""
        self.runner.role = Role(_never)  # no call runs on the loop's thread
        self.runner.watch = ServerWatch(
            self._books.open,
            self.runner.role,
            hand_over=_never,
            overdue=self.runner.time_out,
            client_gone=bool,
            end=_never,
        )
        self.runner.watch.start()
        self._sweep()

    def post(self, function: Callable[..., object], *arguments: Any) -> None:
        """Have the event loop call a function; any thread."""
        self._mail.append((function, arguments))
        if not self._woken:
            self._woken = True
            try:
                self.loop.call_soon_threadsafe(self._read_mail)
            except RuntimeError:  # the loop was closed, and whoever waited is gone
                self._mail.clear()

    def tell(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function now if this is the loop's thread and nothing was posted before; otherwise post it."""
        if self._thread == get_ident() and not self._mail:
            function(*arguments)
        else:
            self.post(function, *arguments)

    def report(self, function: Callable[[bytes], object], line: bytes) -> None:
        """Post a notification, and hold back whoever says more than its client is sent."""
        self.post(function, line)
        hold_back(self._mail)

    def is_settled(self) -> bool:
        """Say whether all mail was read."""
        return not self._mail

    def stop(self) -> None:
        """End the streams on which nothing is expected."""
        self.stopping = True
        self.endpoint.stop()

    async def end(self) -> None:
        """End with the server: calls in flight have a moment, then they are told."""
        self.stop()
        until = monotonic() + limits.DRAIN_SECONDS
        while self._books.open and monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)
        self.runner.give_up()
        self._read_mail()
        until = monotonic() + self.runner.lifetime.farewell_seconds
        while self.runner.gateway is not None and not self.runner.gateway.children.is_closed() and monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)
        if self._timer is not None:
            self._timer.cancel()

    def _read_mail(self) -> None:
        self._woken = False
        while self._mail:
            function, arguments = self._mail[0]
            try:
                function(*arguments)
            except Exception:  # noqa: BLE001 # one connection's trouble must not end the others
                self.runner.restore()
            self._mail.popleft()  # not before: what is told meanwhile comes behind it

    def _sweep(self) -> None:
        self.endpoint.sweep(monotonic())
        self._timer = self.loop.call_later(SWEEP_SECONDS, self._sweep)


def _never(*_: object) -> None:
    """Stand for what cannot happen here: no call runs on the loop's thread."""
