"""The server as an ASGI 3 application, for uvicorn, hypercorn, granian and whatever else speaks ASGI.

It is the endpoint of the own HTTP server with the same rules in the same order; the ASGI server owns the sockets, the
number of processes and their end. Sessions and tasks live in the process that opened them, so several processes
behind one address serve 2026-07-28, and handshake revisions only if requests of a session come to the same one.

Whom it serves is said by the environment (`asgi_options`). Without a token it answers this machine alone, because it
cannot know where its server listens.
"""

from __future__ import annotations

import asyncio

from .asgi_connection import AsgiConnection
from .asgi_head import head_of
from .asgi_options import served
from .http_limits import BODY_SECONDS, LARGE_BODY_BYTES, MAX_LARGE_BODIES, MAX_SKIPPED_BYTES
from .http_problem import HttpProblem
from .http_rules import PROBES
from .http_waiting import Verifying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .asgi_connection import Receive, Send
    from .asgi_options import Served
    from .http_head import Head
    from .http_request import Request

LOCAL_ONLY = "without a token only this machine is served; the operator can set MCPGEN_TOKENS or MCPGEN_TOKEN"


class Application:
    """Serves one package; its catalog is read when the server starts, or with the first request."""

    def __init__(self, package: str, folder: str) -> None:
        self._package = package
        self._folder = folder
        self._served: Served | None = None

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one connection of ASGI."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        else:
            message = f"{scope['type']} is not served"
            raise ValueError(message)

    def _here(self) -> Served:
        """Return what serves on the running loop; raises StartError, CatalogError."""
        if self._served is None or self._served.server.loop is not asyncio.get_running_loop():
            self._served = served(self._package, self._folder)
        return self._served

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start and end with the server."""
        await receive()
        try:
            here = self._here()
        except Exception as error:  # noqa: BLE001 # the server says it and does not start
            await send({"type": "lifespan.startup.failed", "message": f"{self._package}: {error}"})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await here.server.end()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        here = self._here()
        connection = AsgiConnection(can_close=str(scope.get("http_version", "1.1")).startswith("1"))
        unread = True
        try:
            head = head_of(scope, here.path)
            unread = head.length is None or head.length > MAX_SKIPPED_BYTES
            request = await _admitted(here, head)
            if here.local_only and head.path not in PROBES:
                _check_local(scope)
            body = await _body(here, head, receive)
            if body is None:
                return
            here.server.endpoint.handle(connection, head, request, body)  # type: ignore[arg-type] # in the place of one
        except HttpProblem as problem:
            connection.respond_problem(problem, close=unread, without_body=scope["method"] == "HEAD")
        await connection.run(receive, send)


async def _admitted(here: Served, head: Head) -> Request:
    """Let a request in, as soon as it is known who sends it; raises HttpProblem."""
    while True:
        try:
            return here.server.endpoint.admit(head)
        except Verifying as pending:
            judged = asyncio.Event()
            pending.ticket.then(judged.set)
            await judged.wait()


async def _body(here: Served, head: Head, receive: Receive) -> bytes | None:
    """Read a request's body, None when its client is gone; raises HttpProblem."""
    large = head.length is None or head.length > LARGE_BODY_BYTES
    if not large:
        return await _read(here, receive)
    if here.server.large_bodies >= MAX_LARGE_BODIES:
        raise HttpProblem(503, "too many large requests at once", (("Retry-After", "1"),))
    here.server.large_bodies += 1
    try:
        return await _read(here, receive)
    finally:
        here.server.large_bodies -= 1


async def _read(here: Served, receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                event = await receive()
                if event["type"] == "http.disconnect":
                    return None
                parts.append(event.get("body", b""))
                size += len(parts[-1])
                if size > here.limit:
                    raise HttpProblem(413, f"a body is at most {here.limit} bytes")
                if not event.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise HttpProblem(408, "the request took too long") from None


def _check_local(scope: Mapping[str, Any]) -> None:
    """Refuse a client on another machine; one without an address came by a socket in the file system."""
    client = scope.get("client")
    address = client[0] if client is not None else ""
    if address and address != "::1" and not address.startswith(("127.", "::ffff:127.")):
        raise HttpProblem(403, LOCAL_ONLY)
