"""The link to a child behind a URL (Streamable HTTP, both eras).

Theory of operation. Each errand is one POST, carried by a thread of a small crew for as long as its answer takes; a
legacy child has a session besides, and a stream that says what belongs to no errand. A session that the child has
forgotten is begun anew, once, and the errand repeated. An answer that comes as a stream of events and breaks off is
taken up behind its last event. Replies and notifications have a crew of their own: a call that waits for a reply must
not keep it from leaving.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from threading import Event as Flag

from ..client.stopping import Watch
from ..wire import jsonrpc
from . import failures, http_headers, salvage, weighing
from .connection import Connection
from .crew import Crew
from .delivering import deliver, lose, pause, unreadable
from .errand import Errand
from .http_errands import carry, session_id
from .http_standing import STANDING, listen
from .http_wire import Stream, Wire, WireProblem
from .links import CLOSED, NEW
from .negotiating import INITIALIZE, Negotiation
from .peer import LEGACY, cancellation, reply
from .settling import settle, until_of
from .spawning import Unavailable, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..client.head import Head
    from .event_stream import Event
    from .links import Ground

MAX_OPEN = 64
"""Errands that are open at once; the table's own bound is lower."""

MAX_ASIDE = 8
"""Replies and notifications that leave at once."""

OPENING_SECONDS = 0.5
"""Wait for the head of the stream that stays open; some servers send it with the first event only."""

FAREWELL_SECONDS = 3.0
"""How long the end of a session may take."""

LASTING = frozenset(("subscriptions/listen",))
"""Errands that last as long as the link: each has a thread of its own."""


class HttpLink(Connection):
    """A connection to a child behind a URL; see `links.Link`."""

    __slots__ = (
        "_aside",
        "_crew",
        "_gone",
        "_watches",
        "fresh",
        "renewing",
        "session",
        "wire",
    )

    TELLS_WHY = False  # the text may hold a header

    def __init__(self, name: str, row: Mapping[str, Any], ground: Ground) -> None:
        super().__init__(name, row, ground)
        self.session = ""  # of the errands; `fresh` is the one that a handshake has just begun
        self.fresh = ""
        self.wire: Wire
        self.renewing = allocate_lock()
        self._gone = Flag()
        self._crew = Crew(MAX_OPEN)
        self._aside = Crew(MAX_ASIDE)
        self._watches: dict[object, Watch] = {}

    # -- from the gateway

    def send(self, errand: Errand) -> None:
        """Send an errand."""
        self.peer.open(errand)
        if self.state == CLOSED:
            self.lose(errand, failures.DISCONNECTED, "the connection is closed")
            return
        try:
            if errand.method in LASTING:
                start_new_thread(carry, (self, errand))
            else:
                self._crew.do(lambda: carry(self, errand))
        except RuntimeError:
            self.lose(errand, failures.TRANSPORT, "the system has no thread left")

    def flush(self) -> None:
        """Do nothing: what is sent leaves at once."""

    def cancel(self, errand: Errand, reason: str) -> None:
        """Wait for an errand no longer, and tell the child."""
        if self.peer.close(errand):
            watch = self._watches.get(errand.id)
            if watch is not None:
                watch.stop()
                if self.peer.era == LEGACY:
                    self.tell(cancellation(errand, reason))

    def reply(self, request_id: str | int, result: dict[str, Any] | None, error: dict[str, Any] | None = None) -> None:
        """Answer a request of the child."""
        self.tell(reply(request_id, result, error))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Tell a legacy child something."""
        if self.peer.era == LEGACY:
            self.tell({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def join(self, seconds: float) -> bool:
        """Wait until the session has ended."""
        return self.state == NEW or self._gone.wait(seconds)

    def stderr_tail(self) -> str:
        """Return nothing: what such a child writes stays where it runs."""
        return ""

    # -- starting

    def _settle(self) -> tuple[str, str]:
        variables, base = self._ground.environment, self._ground.base
        fixed = [(name, filled(value, variables, base)) for name, value in (self._row.get("headers") or {}).items()]
        try:
            self.wire = Wire(filled(self._row["url"], variables, base), fixed, variables, self._limit)
        except ValueError as error:
            raise Unavailable(f"its address is none: {error}") from None
        negotiation = Negotiation(self.peer, self._ground.eras.known(self._row))
        return settle(negotiation, self.send, until_of(self._row))

    def greet(self) -> None:
        """Say that a session has begun, use it from then on, and listen to what belongs to no errand in it."""
        session = self.fresh
        self._post_aside({"jsonrpc": "2.0", "method": "notifications/initialized"}, session)
        self.session = session
        before = self._watches.get(STANDING)
        if before is not None:
            before.stop()
        opened = Flag()
        start_new_thread(listen, (self, session, opened.set))
        opened.wait(OPENING_SECONDS)  # a child may ask on it in the very first call

    # -- asides

    def stream(self, errand: Errand | None, opened: Callable[[Head], None] | None = None) -> Stream:
        """Return what takes the events of a stream; that of an errand ends with its answer."""

        def take(event: Event) -> bool:
            try:
                message = weighing.parsed(event.data, self._limit)
            except jsonrpc.ParseFailure as problem:
                if errand is None or not salvage.is_answer(event.data) or not self.peer.close(errand):
                    return False
                unreadable(self, [errand], problem)
                message = []
            for each in message if type(message) is list else (message,):
                deliver(self, each, errand)
            pause(self)
            return self.state == CLOSED or (errand is not None and self.peer.pending.get(errand.id) is not errand)

        def begin(head: Head) -> None:
            self.fresh = session_id(head)

        begins = errand is not None and errand.method == INITIALIZE
        return Stream(take, self._limit, begin if begins else opened)

    def watch(self, key: object, watch: Watch) -> None:
        """Have something stopped when the link ends, or when the errand of that id is cancelled."""
        self._watches[key] = watch

    def unwatch(self, key: object) -> None:
        """Let go of what has ended."""
        self._watches.pop(key, None)

    def tell(self, message: dict[str, Any]) -> None:
        """Post a notification or a response, on a thread."""
        if self.state != CLOSED:
            self._aside.do(lambda: self._post_aside(message, self.session))

    def _post_aside(self, message: dict[str, Any], session: str) -> None:
        try:
            headers = http_headers.post_headers(self.peer, session, None)
            self.wire.exchange("POST", headers, jsonrpc.encode(message), Watch(FAREWELL_SECONDS), self.stream(None))
        except (WireProblem, ValueError, TypeError):
            pass  # nobody waits for an answer

    # -- the end

    def _let_go(self, reason: str, detail: str) -> None:
        errands = self.peer.close_all()
        for watch in list(self._watches.values()):
            watch.stop()
        for errand in errands:
            lose(self, errand, reason, detail)
        start_new_thread(self._leave, ())

    def _leave(self) -> None:
        """End the session and let go of the connections."""
        try:
            session = self.session or self.fresh
            if session:
                headers = http_headers.end_headers(self.peer, session)
                self.wire.exchange("DELETE", headers, None, Watch(FAREWELL_SECONDS), self.stream(None))
        except WireProblem:
            pass  # it ends by itself
        finally:
            wire = getattr(self, "wire", None)
            if wire is not None:
                wire.close()
            self._gone.set()
