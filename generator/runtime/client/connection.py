"""One connection to a server or a proxy: bytes out, bytes in, each within the turn's time."""

from __future__ import annotations

import socket

from .caps import READ_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .stopping import Turn


QUICK_ACKNOWLEDGEMENT = getattr(socket, "TCP_QUICKACK", None)
"""Linux's way to acknowledge at once (tcp(7)); it does not last, so it is asked for before each read.

A server that writes head and body one after the other, as Python's own does, sends the body only when the head was
acknowledged (Nagle), which the system otherwise puts off for 40 ms on every kept connection.
"""


class Ended(ConnectionError):
    """The other side closed the connection where more was to come."""


class Connection:
    """A socket and what was read from it and not used yet.

    `sent` says that bytes of the present request left, `answered` that bytes of its answer came; `uses` counts the
    exchanges before; `idle_since` is when the last one ended. Only the thread that uses a connection closes it:
    another could close a descriptor that already is somebody else's.
    """

    __slots__ = ("answered", "buffer", "idle_since", "sent", "socket", "turn", "uses", "via_proxy")

    def __init__(self, plain: socket.socket, turn: Turn, *, via_proxy: bool = False) -> None:
        self.socket = plain
        self.buffer = bytearray()
        self.turn = turn
        self.via_proxy = via_proxy
        self.uses = 0
        self.idle_since = 0.0
        self.sent = False
        self.answered = False

    def begin(self, turn: Turn) -> None:
        """Start an exchange."""
        self.turn = turn
        self.sent = False
        self.answered = False

    def send(self, data: bytes) -> None:
        """Write all of it. Raises OSError; `sent` tells whether anything left."""
        self.socket.settimeout(self.turn.left())
        written = self.socket.send(data)
        self.sent = True
        if written < len(data):
            self.socket.settimeout(self.turn.left())
            self.socket.sendall(memoryview(data)[written:])

    def fill(self) -> bool:
        """Read what has come, waiting for something; False at the end of the stream. Raises OSError."""
        self.socket.settimeout(self.turn.left())
        if QUICK_ACKNOWLEDGEMENT is not None:
            self.socket.setsockopt(socket.IPPROTO_TCP, QUICK_ACKNOWLEDGEMENT, 1)
        piece = self.socket.recv(READ_BYTES)
        if not piece:
            return False
        self.answered = True
        self.buffer += piece
        return True

    def require(self) -> None:
        """Read more. Raises Ended at the end of the stream, and OSError."""
        if not self.fill():
            raise Ended

    def take(self, count: int) -> bytes:
        """Take up to `count` bytes out of the buffer."""
        buffer = self.buffer
        if count >= len(buffer):
            taken = bytes(buffer)
            buffer.clear()
            return taken
        taken = bytes(memoryview(buffer)[:count])
        del buffer[:count]
        return taken

    def is_stale(self) -> bool:
        """Say whether an idle connection was closed meanwhile, or has bytes that nobody asked for."""
        try:
            self.socket.settimeout(0.0)
            # Of the plain socket under TLS: any record that comes unasked ends the connection or means nothing good.
            socket.socket.recv(self.socket, 1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except (OSError, ValueError):
            return True
        return True

    def abort(self) -> None:
        """End whatever blocks on this connection; safe from any thread."""
        try:
            # Of the plain socket: under TLS `shutdown` would go on in plain text.
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)
        except (OSError, ValueError):
            pass

    def close(self) -> None:
        """Give the descriptor back; only the thread that uses the connection may."""
        try:
            self.socket.close()
        except OSError:
            pass
