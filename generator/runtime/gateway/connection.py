"""What a link does whatever carries it: it begins once, on a thread, negotiates, and ends once (`links.Link`).

A kind of link adds how it connects (`_settle`), what it says once a legacy child is ready (`greet`), and what it lets
go of at its end (`_let_go`).
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread

from ..server import logs
from ..server.streams import message_limit
from . import delivering, failures
from .links import CLOSED, NEW, READY, STARTING
from .peer import LEGACY, Peer
from .spawning import Crowded, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .errand import Errand
    from .links import Ground, Link


class Connection:
    """The half of a link that all kinds share."""

    __slots__ = (
        "_ended",
        "_ground",
        "_limit",
        "_lock",
        "_row",
        "name",
        "on_notification",
        "on_pause",
        "on_renewed",
        "on_request",
        "peer",
        "state",
    )

    TELLS_WHY = True
    """Whether the text of an error at the start may be written to the log."""

    def __init__(self, name: str, row: Mapping[str, Any], ground: Ground) -> None:
        self.name = name
        self.state = NEW
        self.peer = Peer(ground.client, ground.offered)
        self.on_notification: Callable[[str, dict[str, Any]], None] | None = None
        self.on_request: Callable[[str | int, str, dict[str, Any]], None] | None = None
        self.on_pause: Callable[[], None] | None = None
        self.on_renewed: Callable[[], None] | None = None
        self._row = row
        self._ground = ground
        self._limit = message_limit()
        self._lock = allocate_lock()
        self._ended: Callable[[str, str], None] | None = None

    def start(self, ready: Callable[[], None], ended: Callable[[str, str], None]) -> None:
        """Connect and negotiate, on a thread."""
        with self._lock:
            closed = self.state == CLOSED  # before it began
            self.state = CLOSED if closed else STARTING
            self._ended = ended
        if closed:
            ended(failures.DISCONNECTED, "the gateway closed the connection")
        else:
            start_new_thread(self._start, (ready,))

    def close(self) -> None:
        """End the connection; what is waited for is lost."""
        self._finish(failures.DISCONNECTED, "the gateway closed the connection")

    def lose(self: Link, errand: Errand, reason: str, detail: str) -> None:
        """Have an errand end without an answer, unless it has ended."""
        if self.peer.close(errand):
            delivering.lose(self, errand, reason, detail)

    # -- what a kind of link adds

    def _settle(self) -> tuple[str, str]:
        """Connect and find out the child's era; return reason and detail of a failure. Raises Unavailable."""
        raise NotImplementedError

    def greet(self) -> None:
        """Tell a legacy child that all is ready."""
        raise NotImplementedError

    def _let_go(self, reason: str, detail: str) -> None:
        """Close what carries the link, and have its errands end."""
        raise NotImplementedError

    # -- beginning and end

    def _start(self, ready: Callable[[], None]) -> None:
        try:
            reason, detail = self._settle()
        except Unavailable as problem:
            reason, detail = failures.BUSY if isinstance(problem, Crowded) else failures.UNAVAILABLE, str(problem)
        except Exception as error:  # noqa: BLE001 # whatever went wrong here, the errands must not wait for ever
            why = f": {error}" if self.TELLS_WHY else ""
            logs.warning(f"{self.name}: the start failed ({type(error).__name__}{why})")
            reason, detail = failures.TRANSPORT, f"the start failed ({type(error).__name__})"
        if reason:
            self._ground.eras.learn(self._row, "")
            self._finish(reason, detail)
            return
        self._ground.eras.learn(self._row, self.peer.era)
        if self.peer.era == LEGACY:
            self.greet()
        with self._lock:
            if self.state == CLOSED:
                return
            self.state = READY
        ready()

    def _finish(self, reason: str, detail: str) -> None:
        """End the connection, once: errands are lost, and whoever started it is told."""
        with self._lock:
            if self.state == CLOSED:
                return
            self.state = CLOSED
            ended = self._ended
        self._let_go(reason, detail)
        if ended is not None:
            ended(reason, detail)
