"""Servers that behave or misbehave as a test says: a script is run for each connection, on a thread, on a free port."""

from __future__ import annotations

import contextlib
import socket
import threading

from generator.runtime.client.message import Origin, Request, Response, TransportProblem, Watch
from generator.runtime.client.transport import Transport

PATIENCE = 10.0
"""Seconds after which a test that waits for a server, or a server for a test, gives up."""


class Asked:
    """A request as a server saw it; headers by lower-case name."""

    def __init__(self, raw: bytes, body: bytes) -> None:
        line, *rest = raw.decode("latin-1").split("\r\n")
        self.raw = raw
        self.method, self.target, self.version = line.split(" ")
        self.headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)}
        self.body = body


class Peer:
    """A server's side of one connection; `number` counts the server's connections from 0."""

    def __init__(self, server: Upstream, connection: socket.socket, number: int) -> None:
        self.server = server
        self.socket = connection
        self.number = number
        self._buffer = b""

    def read(self) -> Asked | None:
        """Return the next request, None at the end."""
        while b"\r\n\r\n" not in self._buffer:
            if not self._more():
                return None
        raw, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        asked = Asked(raw, b"")
        length = int(asked.headers.get("content-length", 0))
        while len(self._buffer) < length and self._more():
            pass
        asked.body, self._buffer = self._buffer[:length], self._buffer[length:]
        self.server.asked.append(asked)
        return asked

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def drip(self, data: bytes) -> None:
        """Send byte by byte, with a breath in between, until the test is over."""
        for position in range(len(data)):
            if self.server.over.wait(0.02):
                return
            self.send(data[position : position + 1])

    def _more(self) -> bool:
        piece = self.socket.recv(65536)
        self._buffer += piece
        return bool(piece)


class Upstream:
    """A running server: its origin, the requests it saw and the connections it got."""

    def __init__(self, script, wrap=None) -> None:
        self._script = script
        self._wrap = wrap
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.origin = Origin("https" if wrap else "http", "127.0.0.1", self.port)
        self.asked: list[Asked] = []
        self.connections = 0
        self.over = threading.Event()
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        self._run(self._accept)

    def stop(self) -> None:
        self.over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads), "a server's thread is stuck"

    def _run(self, target, *arguments) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.settimeout(PATIENCE)
            self._open.append(connection)
            self.connections += 1
            self._run(self._serve, connection, self.connections - 1)

    def _serve(self, connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError), contextlib.closing(connection):
            if self._wrap:
                connection = self._wrap(connection)
                self._open.append(connection)
            with contextlib.closing(connection):
                self._script(Peer(self, connection, number))


@contextlib.contextmanager
def serving(script, wrap=None):
    """Run a server for the length of a block."""
    server = Upstream(script, wrap)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def answering(*answers: bytes):
    """Script a server that answers each request with the next of these and goes on with the last."""
    given = iter(answers)
    last = [b""]

    def script(peer: Peer) -> None:
        while peer.read():
            last[0] = next(given, last[0])
            peer.send(last[0])

    return script


def answer(body: bytes = b"{}", *headers: str, status: str = "200 OK") -> bytes:
    """Spell an answer with a Content-Length."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "\r\n"]
    return "\r\n".join(lines).encode("latin-1") + body


def chunked(*pieces: bytes) -> bytes:
    """Spell a body in chunks."""
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (*pieces, b""))


def get(server: Upstream, target: str = "/", **more) -> Request:
    """Build a GET to a server."""
    return Request("GET", server.origin, target, **{"idempotent": True, "timeout": PATIENCE, **more})


def post(server: Upstream, body: bytes = b"{}", **more) -> Request:
    """Build a POST to a server, which is not idempotent."""
    return Request("POST", server.origin, "/", [("Content-Type", "application/json")], body, timeout=PATIENCE, **more)


def outcome(transport: Transport, request: Request, watch: Watch | None = None) -> Response | TransportProblem:
    """Return the answer, or the problem instead of it."""
    try:
        return transport.send(request, watch or patient())
    except TransportProblem as problem:
        return problem


def patient() -> Watch:
    """A watch that a test outlives."""
    return Watch(PATIENCE)
