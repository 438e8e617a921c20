"""The sending half of a connection: at once as far as its client takes it, the rest as it goes on, never blocking.

What waits is bounded, for each connection and for all together. Everything here is done by the thread that holds the
server's role.
"""

from __future__ import annotations

from .http_limits import MAX_UNSENT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

    from .http_server import HttpServer


class Sending:
    """What leaves over a socket; `active` is when that last went on, `reads` and `writes` what the socket waits for."""

    __slots__ = ("_closing", "_out", "_server", "active", "reads", "socket", "writes")

    def __init__(self, server: HttpServer, connected: socket) -> None:
        self._server = server
        self.socket = connected
        self._out = bytearray()
        self._closing = False
        self.reads, self.writes = True, False
        self.active = server.now

    def send(self, data: bytes) -> None:
        """Send bytes, now as far as the client takes them."""
        if self._out:
            self._keep(data)
            return
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.drop()
            return
        self.active = self._server.now
        if sent < len(data):
            self._watch(writes=True)
            self._keep(memoryview(data)[sent:])

    def _keep(self, data: bytes | memoryview) -> None:
        self._out += data
        if len(self._out) > MAX_UNSENT_BYTES:
            self.drop()
        self._server.count_unsent(len(data))

    def writable(self) -> None:
        """Go on sending."""
        if not self._out:
            return
        try:
            sent = self.socket.send(self._out)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.drop()
            return
        self.active = self._server.now
        del self._out[:sent]
        if self._out and not self.writes:
            self._server.count_unsent(len(self._out))
            self._watch(writes=True)
        elif self.writes and not self._out:
            self._watch(writes=False)
        if self._closing and not self._out:
            self._linger()

    @property
    def unsent(self) -> int:
        """Bytes that wait for the client."""
        return len(self._out)

    def _watch(self, *, reads: bool | None = None, writes: bool | None = None) -> None:
        if self.socket.fileno() < 0:
            return
        self.reads = self.reads if reads is None else reads
        self.writes = self.writes if writes is None else writes
        self._server.watch(self)

    def drop(self, *, closed: bool = False) -> None:
        """Close at once, unless user code `closed` it already."""
        raise NotImplementedError

    def _linger(self) -> None:
        """End, now that the last has left."""
        raise NotImplementedError
