"""One request of an ASGI server in the place of a connection: what the endpoint answers becomes events of ASGI.

Everything here is done by the thread of the event loop. The endpoint writes without waiting; `run` sends what it wrote
as fast as the client takes it, and notices when the client is gone.
"""

from __future__ import annotations

import asyncio
from collections import deque

from . import http_answers as answers
from .http_limits import KEEP_ALIVE_SECONDS, MAX_UNSENT_BYTES, SEND_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping
    from typing import Any, TypeAlias

    from .http_head import Head
    from .http_occupant import Occupant
    from .http_problem import HttpProblem

    Event: TypeAlias = MutableMapping[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[Event]]
    Send: TypeAlias = Callable[[Event], Awaitable[None]]

STREAM_HEADERS = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
)


class AsgiConnection:
    """What answers one request; `unsent` are the bytes that wait for the client.

    `can_close` says that an answer may ask the server to end the connection: only HTTP/1 has a word for that.
    """

    __slots__ = ("_can_close", "_done", "_gone", "_out", "_ready", "busy", "occupant", "unsent")

    def __init__(self, *, can_close: bool) -> None:
        self._can_close = can_close
        self.occupant: Occupant | None = None
        self.busy = True
        self.unsent = 0
        self._out: deque[Event] = deque()
        self._ready = asyncio.Event()
        self._done = False
        self._gone = False

    # -- for whoever answers

    def respond(
        self,
        status: int,
        body: bytes,
        headers: Iterable[tuple[str, str]] = (),
        *,
        close: bool = False,
        without_body: bool = False,
        kind: str = "application/json",
    ) -> None:
        """Answer the request with a whole body, or with only its size."""
        pairs = _encoded(headers)
        if body and not any(name == b"content-type" for name, _ in pairs):
            pairs.insert(0, (b"content-type", kind.encode("ascii")))
        pairs.append((b"content-length", str(len(body)).encode("ascii")))
        if close and self._can_close:
            pairs.append((b"connection", b"close"))
        self._put({"type": "http.response.start", "status": status, "headers": pairs})
        self._put({"type": "http.response.body", "body": b"" if without_body else body})
        self._end()

    def respond_problem(self, problem: HttpProblem, *, close: bool = False, without_body: bool = False) -> None:
        """Answer the request with an HTTP error."""
        body = answers.problem_body(problem) if problem.message else b""
        self.respond(problem.status, body, problem.headers, close=close, without_body=without_body)

    def begin_stream(self, head: Head, headers: Iterable[tuple[str, str]] = ()) -> None:  # noqa: ARG002 # for its version
        """Begin to answer with a stream of events."""
        self._put({"type": "http.response.start", "status": 200, "headers": [*STREAM_HEADERS, *_encoded(headers)]})
        self._put({"type": "http.response.body", "body": b"", "more_body": True})

    def push(self, data: bytes) -> None:
        """Send a part of the stream."""
        if data:
            if self.unsent + len(data) > MAX_UNSENT_BYTES:
                self.drop()
                return
            self._put({"type": "http.response.body", "body": data, "more_body": True})

    def end_stream(self) -> None:
        """End the stream, and with it the request."""
        self._put({"type": "http.response.body", "body": b""})
        self._end()

    def drop(self) -> None:
        """Let go of the client; whoever answers the request is told."""
        if self._gone or self._done:
            return
        self._gone = True
        self._out.clear()
        self._ready.set()
        occupant, self.occupant = self.occupant, None
        self.busy = False
        if occupant is not None:
            occupant.lost()

    def _put(self, event: Event) -> None:
        if not self._gone and not self._done:
            self.unsent += len(event.get("body", b""))
            self._out.append(event)
            self._ready.set()

    def _end(self) -> None:
        self._done = True
        self.busy = False
        self.occupant = None

    # -- for the server

    async def run(self, receive: Receive, send: Send) -> None:
        """Send the answer until it is complete or the client is gone."""
        if await self._sent(send):
            return
        watching = asyncio.ensure_future(self._watch(receive))
        try:
            while not await self._sent(send):
                self._ready.clear()
                try:
                    async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                        await self._ready.wait()
                except TimeoutError:
                    if self.occupant is not None:
                        self.occupant.keep_alive()
        finally:
            watching.cancel()
            self.drop()  # unless it is done, the server itself gave up the request

    async def _sent(self, send: Send) -> bool:
        """Send what is there; True when nothing more comes."""
        while self._out:
            event = self._out.popleft()
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await send(event)
            except (OSError, TimeoutError):
                self._done = False  # the rest of a whole answer is lost as well
                self.drop()
                return True
            self.unsent -= len(event.get("body", b""))
        return self._done or self._gone

    async def _watch(self, receive: Receive) -> None:
        while True:
            event = await receive()
            if event["type"] == "http.disconnect":
                self.drop()
                return


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
