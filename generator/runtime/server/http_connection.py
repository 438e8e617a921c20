"""One client's connection: bytes in, requests to the endpoint, answers and streams out, never blocking.

A connection has one request at a time: what comes behind it waits in the reader, so pipelined requests are answered in
order. All of it happens on the thread that holds the server's role; `readable` and `process` return False when that
thread lost the role on the way (see `http_server`) and must not touch the connection any more.
"""

from __future__ import annotations

from time import monotonic

from . import http_answers as answers
from .http_limits import (
    BODY_SECONDS,
    HEAD_SECONDS,
    IDLE_SECONDS,
    LARGE_BODY_BYTES,
    LINGER_SECONDS,
    MAX_LARGE_BODIES,
    MAX_PIPELINED_BYTES,
    MAX_SKIPPED_BYTES,
    SEND_SECONDS,
)
from .http_problem import HttpProblem
from .http_reader import Reader
from .http_sending import Sending
from .http_waiting import Verifying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from socket import socket
    from typing import Any

    from .http_head import Head
    from .http_occupant import Occupant
    from .http_request import Request
    from .http_server import HttpServer

READ_BYTES = 64 * 1024
"""Read at once of a body that goes on."""

FIRST_BYTES = 16 * 1024
"""Read at once of anything else. Most requests are far smaller, and more memory each time costs a microsecond."""

NEVER = float("inf")


class Connection(Sending):
    """A connection. `deadline` is when its patience ends.

    `_timed` says that the deadline of the current phase, head or body, is set: it runs from that phase's first byte.
    """

    __slots__ = (
        "_chunked",
        "_ended",
        "_head",
        "_held",
        "_large",
        "_lingers",
        "_reader",
        "_request",
        "_skipping",
        "_timed",
        "busy",
        "deadline",
        "occupant",
    )

    def __init__(self, server: HttpServer, connected: socket) -> None:
        super().__init__(server, connected)
        self._reader = Reader(server.heads, server.body_limit)
        self._head: Head | None = None
        self._held: Head | None = None  # its token is being judged
        self._request: Any = None
        self._timed = self._skipping = self._chunked = self._ended = self._lingers = False
        self._large = False
        self.busy = False
        self.occupant: Occupant | None = None
        self.deadline = server.now + HEAD_SECONDS

    # -- in

    def readable(self) -> bool:
        """Take what came and go on with it."""
        try:
            data = self.socket.recv(FIRST_BYTES if self._head is None else READ_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            self.drop()
            return True
        if not data:
            self._input_ended()
            return True
        if self._lingers or self._closing:
            return True  # nothing is read any more; it is only taken off the wire
        if not self.busy and self._head is None:
            whole = self._reader.whole(data)
            if whole is not None:
                straight = self._server.straight
                done = straight.take(self, *whole) if straight is not None else None
                return self._take(*whole) if done is None else done
        self._reader.feed(data)
        if self.busy:
            if self._reader.waiting > MAX_PIPELINED_BYTES:
                self._watch(reads=False)
            return True
        return self.process()

    def process(self) -> bool:
        """Handle the requests that are there, until one of them is not done at once."""
        while not self.busy and not self._closing:
            try:
                done = self._next()
            except HttpProblem as problem:
                self._refuse_framing(problem)
                return True
            if done is None:
                return True
            if not done:
                return False
            if not self._reader.waiting:
                return True
        return True

    def _take(self, head: Head, body: bytes) -> bool:
        """Handle a request that came in one piece; False when the role was lost."""
        self._timed = False
        try:
            self._request = self._server.endpoint.admit(head)
        except Verifying as pending:
            self._reader.keep(body)
            self._wait(head, pending)
            return True
        except HttpProblem as problem:
            self._refuse(head, problem)
            self._skipping = False  # its body is here already
            return True
        return self._handle(head, body)

    def _handle(self, head: Head, body: bytes) -> bool:
        self.occupy(self._request)
        return self._server.endpoint.handle(self, head, self._request, body)

    def occupy(self, request: Request) -> None:
        """Note that a request is being answered, which has come whole."""
        self._request = request
        self._timed = False
        self.busy = True
        self.deadline = NEVER
        self.active = self._server.now

    def _next(self) -> bool | None:
        """Handle one request; None while it is incomplete, False when the role was lost."""
        head = self._head or self._begin()
        if head is None:
            return None
        body = self._reader.body()
        if body is None:
            if not self._timed:
                self._timed = True
                self.deadline = self._server.now + BODY_SECONDS
            return None
        self._head, self._timed = None, False
        self._end_large()
        if self._skipping:
            self._skipping = False
            self.deadline = self._server.now + IDLE_SECONDS
            return True
        return self._handle(head, body)

    def _begin(self) -> Head | None:
        """Read a head and let it in, or refuse it; None when there is nothing to go on with."""
        head, self._held = self._held or self._reader.head(), None
        if head is None:
            if self._reader.waiting and not self._timed:
                self._timed = True
                self.deadline = self._server.now + HEAD_SECONDS
            return None
        self._head, self._timed = head, False
        try:
            self._request = self._server.endpoint.admit(head)
            if head.length is None or head.length > LARGE_BODY_BYTES:
                self._begin_large()
        except Verifying as pending:
            self._wait(head, pending)
            return None
        except HttpProblem as problem:
            return head if self._refuse(head, problem) else None
        if head.expects and head.length != 0 and head.minor > 0:
            self.send(answers.CONTINUE)  # also when the body is there already, as clients that count on it expect
        return head

    def _wait(self, head: Head, pending: Verifying) -> None:
        """Do nothing until it is known who sends a request; who finds that out bounds the time."""
        self._head, self._held = None, head
        self.busy, self.deadline = True, NEVER
        pending.ticket.then(self._go_on)

    def _go_on(self) -> None:
        if self._held is not None and not self._closing:
            self.busy = False
            self._server.resume(self)

    def _begin_large(self) -> None:
        """Count a body that may take much memory; raises HttpProblem when there are too many."""
        if self._server.large_bodies >= MAX_LARGE_BODIES:
            raise HttpProblem(503, "too many large requests at once", (("Retry-After", "1"),))
        self._server.large_bodies += 1
        self._large = True

    def _end_large(self) -> None:
        self._server.large_bodies -= self._large
        self._large = False

    def _refuse(self, head: Head, problem: HttpProblem) -> bool:
        """Answer a head; True when its body is short enough to be skipped and the connection goes on."""
        goes_on = head.keep_alive and not head.expects and head.length is not None and head.length <= MAX_SKIPPED_BYTES
        self._skipping = True
        self.busy = True
        self.respond_problem(problem, close=not goes_on, without_body=head.method == "HEAD")
        return goes_on and not self._closing

    def _refuse_framing(self, problem: HttpProblem) -> None:
        """Answer what is no request; where the next one would begin is unknown, so there is none."""
        self.busy = True
        self.respond_problem(problem, close=True)

    def _input_ended(self) -> None:
        self._ended = True
        if self.busy or self._lingers or not self._out:
            if not self.busy and not self._lingers and not self._closing and (self._reader.waiting or self._head):
                self._refuse_framing(HttpProblem(400, "the request ended too early"))
            if self.busy or not self._out:
                self.drop()
                return
        self._closing = True
        self._watch(reads=False)

    # -- out

    def respond(
        self,
        status: int,
        body: bytes,
        headers: Iterable[tuple[str, str]] = (),
        *,
        close: bool = False,
        without_body: bool = False,
        kind: str = answers.JSON,
    ) -> None:
        """Answer the request with a whole body, or with only its size."""
        close = close or self._must_close()
        date = self._server.date()
        data = answers.answer(status, body, date, headers=headers, close=close, without_body=without_body, kind=kind)
        if not self._out and self._server.hold(self, monotonic()):
            self._keep(data)
        else:
            self.send(data)
        self._done(close=close)

    def reply(self, status: int, body: bytes, request: Request) -> None:
        """Answer a request at once that did not occupy the connection; its client takes JSON and stays."""
        server = self._server
        if status != 200 or server.stopping or len(body) > READ_BYTES:
            self.occupy(request)
            self.respond(status, body)
        else:
            self.reply_usual(body.decode("ascii"), request, monotonic())

    def reply_usual(self, line: str, request: Request, now: float) -> None:
        """Like `reply`, with status 200 and an answer in ASCII; the clock stands at `now`."""
        server = self._server
        if server.stopping or len(line) > READ_BYTES:
            self.occupy(request)
            self.respond(200, line.encode("ascii"))
            return
        self._timed = False
        data = f"{server.usual()}{len(line)}\r\n\r\n{line}".encode("ascii")
        if not self._out and server.hold(self, now):
            self._out += data  # it leaves in a moment; only what does not is counted
        else:
            self.send(data)
        self.deadline = server.now + IDLE_SECONDS

    def respond_problem(self, problem: HttpProblem, *, close: bool = False, without_body: bool = False) -> None:
        """Answer the request with an HTTP error."""
        body = answers.problem_body(problem) if problem.message else b""
        self.respond(problem.status, body, problem.headers, close=close, without_body=without_body)

    def begin_stream(self, head: Head, headers: Iterable[tuple[str, str]] = ()) -> None:
        """Begin to answer with a stream of events; HTTP/1.0 has no chunks, so there the connection ends it."""
        self._chunked = head.minor > 0
        self.send(answers.stream_head(self._server.date(), headers=headers, chunked=self._chunked))

    def push(self, data: bytes) -> None:
        """Send a part of the stream."""
        if data:
            self.send(b"%x\r\n%s\r\n" % (len(data), data) if self._chunked else data)

    def end_stream(self) -> None:
        """End the stream, and with it the request."""
        if self._chunked:
            self.send(answers.LAST_CHUNK)
        self._done(close=not self._chunked or self._must_close())

    def _must_close(self) -> bool:
        is_last = self._request is not None and not self._request.head.keep_alive
        return is_last or self._ended or self._server.stopping

    def _done(self, *, close: bool) -> None:
        """Note that the request is answered."""
        self.occupant = None
        self.busy = self._chunked = False
        self._request = None
        if close:
            self._closing = True
            if not self._out:
                self._linger()
            return
        self.deadline = self._server.now + IDLE_SECONDS
        if self._reader.waiting:
            if not self.reads:
                self._watch(reads=True)
            self._server.resume(self)

    # -- the end

    def look(self, now: float) -> None:
        """End what took too long, and keep alive what is only silent."""
        if self._out:
            if now - self.active > SEND_SECONDS:
                self.drop()
        elif now > self.deadline:
            if self._lingers or self._closing or not (self._reader.waiting or self._head) or self._skipping:
                self.drop()
            else:
                self._refuse_framing(HttpProblem(408, "the request took too long"))
        elif self.busy and self.occupant is not None and now - self.active > self._server.keep_alive_seconds:
            self.active = now
            self.occupant.keep_alive()

    def _linger(self) -> None:
        """Say that nothing more is sent, and read on for a moment so that the last answer arrives."""
        if self._ended:
            self.drop()
            return
        self._lingers = True
        self.deadline = self._server.now + LINGER_SECONDS
        try:
            self.socket.shutdown(1)  # SHUT_WR
        except OSError:
            self.drop()
            return
        if not self.reads:
            self._watch(reads=True)

    def drop(self, *, closed: bool = False) -> None:
        """Close at once, unless user code `closed` it already; whoever answers the request is told."""
        if self.socket.fileno() < 0:
            return
        self._server.forget(self)
        self._end_large()
        if closed:
            self.socket.detach()
        self._closing = self._ended = True
        self._out.clear()
        occupant, self.occupant = self.occupant, None
        self.busy = False
        self.socket.close()
        if occupant is not None:
            occupant.lost()
