"""HTTP to one child: requests out on pooled connections, answers in whole or as events while they come.

The address is the table's, so private networks are allowed; only where clouds keep credentials nothing is ever called.
TLS is always verified. Redirects are followed within the origin, so that credentials go nowhere else.
"""

from __future__ import annotations

from ..client.address import Guard
from ..client.body import BadFraming, read_body
from ..client.caps import FRESH_SECONDS, IDLE_SECONDS
from ..client.decompress import BadEncoding, Collector
from ..client.dial import Dialler
from ..client.head import BadHead, write_head
from ..client.media import EVENT_STREAM, essence
from ..client.message import Request, Response, split_url
from ..client.pool import Pool
from ..client.problem import BAD_ANSWER, TIMED_OUT, TransportProblem
from ..client.redirect import redirected
from ..client.round_trip import collector_for, final_head, write
from ..client.stopping import LONGEST_SECONDS, Turn
from . import failures
from .event_stream import Event, EventReader, TooLong
from .restraint import Restraint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..client.connection import Connection
    from ..client.head import Head
    from ..client.stopping import Watch

MAX_REDIRECTS = 3
"""Within one origin: a missing slash at the end, mostly."""


class WireProblem(Exception):
    """There is no answer: `reason` is one of the words for lost errands."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Stream:
    """Takes events as they come, by a function that returns True when it wants no more; `opened` gets the head."""

    __slots__ = ("_limit", "_restraint", "_take", "events", "opened", "reader")

    def __init__(self, take: Callable[[Event], bool], limit: int, opened: Callable[[Head], None] | None = None) -> None:
        self._take = take
        self.opened = opened
        self._limit = limit
        self._restraint = Restraint()
        self.reader = EventReader(limit)
        self.events = 0

    def begin_again(self) -> None:
        """Go on behind the last event, on a new connection."""
        last, retry = self.reader.last, self.reader.retry
        self.reader = EventReader(self._limit)
        self.reader.last, self.reader.retry = last, retry

    def feed(self, piece: bytes) -> bool:
        """Take a piece of the body; True when nothing more is wanted. Raises TooLong."""
        events = self.reader.feed(piece)
        for event in events:
            self.events += 1
            if self._take(event):
                return True
        if events:
            self._restraint.rest(len(events))
        return False


class _Pouring(Collector):
    """Pours a body into a stream of events instead of keeping it."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        super().__init__("", 0)
        self._stream = stream

    def feed(self, piece: bytes) -> None:
        self.full = self._stream.feed(piece)


class Reply:
    """An answer: `streamed` says that its events were taken as they came, and `body` is empty then."""

    __slots__ = ("body", "head", "status", "streamed")

    def __init__(self, head: Head, body: bytes, *, streamed: bool) -> None:
        self.status = head.status
        self.head = head
        self.body = body
        self.streamed = streamed


class Wire:
    """The way to one child; safe for any number of threads. Raises ValueError for what is no URL."""

    __slots__ = ("_dialler", "_fixed", "_limit", "_pool", "_target", "origin")

    def __init__(self, url: str, fixed: list[tuple[str, str]], environment: Mapping[str, str], limit: int) -> None:
        self.origin, self._target = split_url(url, query=True)
        self._fixed = fixed
        self._limit = limit
        self._dialler = Dialler(Guard(None, allow_private=True), environment)
        self._pool = Pool()

    def exchange(
        self,
        method: str,
        headers: list[tuple[str, str]],
        body: bytes | None,
        watch: Watch,
        stream: Stream,
        *,
        again: bool = False,
    ) -> Reply:
        """Send one request and take its answer. `again` says that it may be sent twice. Raises WireProblem."""
        turn = Turn(watch, LONGEST_SECONDS)
        named = {name.lower() for name, _ in headers}
        fixed = [pair for pair in self._fixed if pair[0].lower() not in named]
        every = [*fixed, *headers, ("Accept-Encoding", "identity")]
        request = Request(method, self.origin, self._target, every, body, idempotent=again)
        for _ in range(MAX_REDIRECTS):
            reply = self._persist(request, turn, stream)
            following = redirected(request, Response(reply.status, "", reply.head.headers))
            if following is None or following.method != method:
                break
            request = following
            self._target = following.target
        return reply

    def close(self) -> None:
        """Close what is idle."""
        self._pool.close()

    def _persist(self, request: Request, turn: Turn, stream: Stream) -> Reply:
        """Send the request; a connection that died while it was idle is replaced where that is safe."""
        key = (request.origin, None)
        connection = self._pool.take(key, IDLE_SECONDS if request.idempotent else FRESH_SECONDS)
        while True:
            try:
                if connection is None:
                    connection = self._dialler.dial(request, turn)
                return self._once(connection, request, turn, stream)
            except TransportProblem as problem:
                raise WireProblem(_reason(problem), problem.message) from None
            except (BadHead, BadFraming, BadEncoding) as error:
                raise WireProblem(failures.BROKEN, f"its answer cannot be read: {error}") from None
            except TooLong:
                raise WireProblem(failures.BROKEN, f"it sent a message of more than {self._limit} bytes") from None
            except OSError as error:
                if connection is None or not _may_retry(connection, request, error, turn):
                    raise WireProblem(failures.DISCONNECTED, _broken(connection, error)) from None
                connection = None

    def _once(self, connection: Connection, request: Request, turn: Turn, stream: Stream) -> Reply:
        """Send the request and read its answer; in any case the connection is kept or closed."""
        connection.begin(turn)
        turn.watch.on_stop(connection.abort)
        reusable = False
        try:
            plain_proxy = connection.via_proxy and request.origin.scheme == "http"
            extra = self._dialler.proxy_headers(request) if plain_proxy else ()
            broken = write(connection, write_head(request, absolute=plain_proxy, extra=extra), request.body)
            head = final_head(connection)
            streamed = head.status == 200 and essence(head.fields.get("content-type", [""])[0]) == EVENT_STREAM
            if streamed and stream.opened is not None:
                stream.opened(head)
            collector = _Pouring(stream) if streamed else collector_for(head, self._limit)[1]
            complete = read_body(connection, head, request.method, collector)
            if not streamed and collector.truncated:
                raise TooLong
            body = b"" if streamed else collector.finish()
            reusable = complete and head.keeps_alive and broken is None and not connection.buffer
        finally:
            turn.watch.forget(connection.abort)
            if reusable and not turn.watch.cancelled:
                self._pool.give((request.origin, None), connection)
            else:
                connection.close()
        return Reply(head, body, streamed=streamed)


def _may_retry(connection: Connection, request: Request, error: OSError, turn: Turn) -> bool:
    """Say whether a kept connection had died before, and the request may be sent on a new one."""
    if not connection.uses or connection.answered or isinstance(error, TimeoutError) or turn.watch.cancelled:
        return False
    return request.idempotent or not connection.sent


def _broken(connection: Connection | None, error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    answered = connection is not None and connection.answered
    return f"the connection broke {'in the middle of' if answered else 'before'} its answer"


def _reason(problem: TransportProblem) -> str:
    return {TIMED_OUT: failures.TIMEOUT, BAD_ANSWER: failures.BROKEN}.get(problem.code, failures.TRANSPORT)
