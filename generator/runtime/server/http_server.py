"""The HTTP shell: one thread that holds the server's role, threads that run tools, around the session core.

Theory of operation. Like the reader's role of the stdio shell, the server's role is held by one thread at a time
(`role`): it waits for sockets, reads requests, hands messages to the core and writes answers. A tool that took under a
millisecond runs right there from its next call on. If such a call turns out slow, the watch gives the role to another
thread, which goes on with the events that are left; the one that runs the tool then leaves without touching anything of
the role's. Other threads never touch connections: what they have to say, answers and notifications, is *mail*, a
function and its arguments that the holder of the role calls. Mail keeps its order, also with what the holder itself has
to say. No wake-up is lost: whoever posts mail adds it first and asks then whether the holder was woken; the holder
takes the wake-ups first, notes that it was not woken then, and looks for mail last, before it waits.
"""

from __future__ import annotations

import errno
import socket
from collections import deque
from time import monotonic, sleep, time

from . import http_limits as limits
from . import logs, system
from .http_answers import USUAL_HEAD, Dates
from .http_connection import Connection
from .http_limits import KEEP_ALIVE_SECONDS, SWEEP_SECONDS
from .http_problem import HttpProblem
from .http_reader import KnownHeads
from .http_sockets import READ, WRITE, Waits, is_open, lifted
from .lifetime import POLL_SECONDS
from .mail import MAIL_AT_ONCE, hold_back
from .output import HOLD_SECONDS
from .role import Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .farm_process import Process
    from .http_endpoint import Endpoint
    from .http_runner import HttpRunner
    from .http_sending import Sending
    from .http_straight import Straight

ACCEPTED_AT_ONCE = 64
"""New connections taken in one turn, so that the others have theirs."""

RESUMED = 0
"""Stands for events of a connection whose next request was read already."""

EXIT_DEAF = 1
"""The exit code when user code closed the listening socket: whoever started the server can start it again."""

NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE)


class HttpServer:
    """Serves an endpoint on a listening socket. `now` is the clock as the current turn began."""

    def __init__(self, listener: socket.socket, runner: HttpRunner, endpoint: Endpoint, body_limit: int) -> None:
        self.heads = KnownHeads()
        self.body_limit = body_limit
        self.endpoint = endpoint
        self.keep_alive_seconds = KEEP_ALIVE_SECONDS
        self.now = monotonic()
        self.stopping = False
        self.large_bodies = 0
        self.straight: Straight | None = None  # a server that has to know who asks has none
        self._runner = runner
        self._wakes: socket.socket
        self._waker: socket.socket
        self._listener: socket.socket | None
        self._waits: Waits
        self._connections: set[Connection] = set()
        self._pending: list[tuple[Any, int]] = []
        self._mail: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._woken = False
        self._held: list[Connection] = []
        self._hold_until = 0.0
        self._unsent = 0
        self.role = Role(self.serve)
        self._dates = Dates()
        self._date, self._usual, self._date_until = b"", "", 0.0
        self._next_sweep = self.now
        self._closed: list[object] = []  # waits whose descriptors were closed; ending them would close others'
        self._listener = lifted(listener)
        self._prepare_to_wait()
        if system.register_at_fork is not None:
            system.register_at_fork(after_in_child=self._let_go)

    # -- for connections

    def date(self) -> bytes:
        """Return the `Date` header line, made anew once a second."""
        if self.now >= self._date_until:
            clock = time()
            self._date = self._dates.line(clock)
            self._usual = USUAL_HEAD % self._date.decode("ascii")
            self._date_until = self.now + 1 - clock % 1
        return self._date

    def usual(self) -> str:
        """Return most answers' head up to the value of its last line, which is the length of what follows."""
        if self.now >= self._date_until:
            self.date()
        return self._usual

    def resume(self, connection: Connection) -> None:
        """Go on with what a connection has read already, after the events that are there."""
        self._pending.insert(0, (connection, RESUMED))

    def hold(self, connection: Connection, now: float) -> bool:
        """Say whether an answer may wait for others that are about to be ready, a moment at most from `now`.

        Answers that leave together wake their clients together, which costs less than the answers themselves do.
        """
        if not self._pending:
            return False
        if not self._held:
            self._hold_until = now + HOLD_SECONDS
        elif now > self._hold_until:
            self._send_held()
            return False
        self._held.append(connection)
        return True

    def _send_held(self) -> None:
        """Send the answers that waited for each other."""
        while self._held:
            self._held.pop(0).writable()

    def watch(self, connection: Sending | Process) -> None:
        """Wait for what the connection, or the one to a worker process, waits for now."""
        events = (READ if connection.reads else 0) | (WRITE if connection.writes else 0)
        self._waits.remove(connection.socket)
        if events:
            self._waits.add(connection.socket, events, connection)

    def forget(self, connection: Connection | Process) -> None:
        """Wait no more for a connection that closes."""
        self._connections.discard(connection)
        self._waits.remove(connection.socket)

    # -- for other threads

    def post(self, function: Callable[..., object], *arguments: Any) -> None:
        """Have the holder of the role call a function; any thread."""
        self._mail.append((function, arguments))
        if not self._woken:
            self._woken = True
            try:
                self._waker.send(b"\0")
            except OSError:
                pass  # it is full of wake-ups, or closed at the end

    def tell(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function now if this thread holds the role and nothing was posted before; otherwise post it."""
        if self.role.is_mine() and not self._mail:
            function(*arguments)
        else:
            self.post(function, *arguments)

    def report(self, function: Callable[[bytes], object], line: bytes) -> None:
        """Post a notification, and hold back whoever says more than its client is sent."""
        self.post(function, line)
        hold_back(self._mail)

    def is_settled(self) -> bool:
        """Say whether all that was said has left."""
        if self._mail or (self.straight is not None and not self.straight.is_idle()):
            return False
        return not any(connection.unsent for connection in self._connections.copy())

    # -- the role

    def serve(self) -> None:
        """Hold the role until another thread gets it; the process ends without asking."""
        self.role.hold()
        while True:
            try:
                while self._pending:
                    if not self._turn(*self._pending.pop()):
                        return
                if self._held:
                    self._send_held()
                self._read_mail()
                if not self._pending:
                    self._wait()
            except:  # noqa: E722 # user code has broken what this stands on, or no descriptor is left
                if not self.role.keep():
                    return
                self._pause()

    def _wait(self) -> None:
        """Wait for what happens next, and look at the clock."""
        self._runner.flush()
        self._runner.restore()
        self._pending = self._events()
        self.now = monotonic()
        if self.now >= self._next_sweep:
            self._next_sweep = self.now + SWEEP_SECONDS
            self._sweep()

    def _pause(self) -> None:
        """Mend what can be mended, and let others end what they do. Never raises."""
        try:
            self._runner.restore()
            sleep(POLL_SECONDS)
        except:  # noqa: E722, S110 # the next round tries again
            pass

    def _events(self) -> list[tuple[Any, int]]:
        """Return what happened, at the latest after a moment, and at once while there is mail."""
        moment = 0 if self._mail else SWEEP_SECONDS
        try:
            return self._waits.ready(moment)
        except OSError:  # user code closed descriptors that are not its own
            self._recover()
            return []

    def _recover(self) -> None:
        """Go on with the sockets that are left, and new ones to wait with.

        A number that was closed may belong to somebody else soon, so what had it lets go of it without closing it.
        """
        for connection in [*self._connections]:
            if not is_open(connection.socket):
                connection.drop(closed=True)
        for each in (self._wakes, self._waker):
            if not is_open(each):
                each.detach()
        if self._listener is not None and not is_open(self._listener):
            self._listener.detach()
            self._listener = None
            logs.warning("a tool closed the socket that clients connect to: the server ends")
            self._runner.lifetime.end(EXIT_DEAF)
        ruined = self._waits
        self._prepare_to_wait()
        self._closed.append(ruined)
        for connection in [*self._connections]:
            self.watch(connection)

    def _prepare_to_wait(self) -> None:
        """Wait for the listener and for mail anew; raises OSError when no descriptor is left."""
        waits = Waits()
        self._wakes, self._waker = (lifted(each) for each in socket.socketpair())
        waits.add(self._wakes, READ, self._wakes)
        if self._listener is not None:
            waits.add(self._listener, READ, self._listener)
        self._waits = waits
        self._woken = False  # last: who finds it so wakes through the new pair, and all earlier mail is read next

    def _turn(self, who: Any, mask: int) -> bool:
        """Carry out one event; False when the role was lost on the way. Never raises, whatever user code has broken."""
        try:
            if type(who) is Connection:
                if mask == RESUMED:
                    return who.process()
                if mask != READ and mask & WRITE:
                    who.writable()
                return who.readable() if mask & READ and who in self._connections else True
            if who is self._listener:
                self._accept()
            elif who is self._wakes:
                self._wake_up()
            else:
                self._worker_turn(who, mask)
        except:  # noqa: E722 # user code may have deleted the very names of exceptions
            if not self.role.keep():
                return False
            self._runner.restore()
            self._excuse(who)
        return True

    def _worker_turn(self, process: Process, mask: int) -> None:
        if mask & WRITE:
            process.writable()
        if mask & READ:
            process.readable()

    def _wake_up(self) -> None:
        """Take the wake-ups. In this order: who posts after the last line wakes again, and earlier mail is read now."""
        try:
            self._wakes.recv(4096)
        except BlockingIOError:
            pass
        self._woken = False

    def _excuse(self, who: Any) -> None:
        """Answer a request whose handling failed in a way nobody foresaw."""
        try:
            if type(who) is Connection:
                if who.busy and who.occupant is None:
                    who.respond_problem(HttpProblem(500, "the request could not be handled"), close=True)
                else:
                    who.drop()
        except Exception:  # noqa: BLE001, S110 # it is gone
            pass

    def _read_mail(self) -> None:
        """Read what mail there is, up to a bound: a tool that says much must not keep all others waiting."""
        for _ in range(MAIL_AT_ONCE):
            if not self._mail:
                break
            function, arguments = self._mail[0]
            try:
                function(*arguments)
            except:  # noqa: E722 # one connection's trouble must not end the others
                self._runner.restore()
            self._mail.popleft()  # not before: the server is settled once this is empty, and the process may end then

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            if self._listener is None:
                return
            try:
                connected, _ = self._listener.accept()
            except OSError as error:
                if error.errno in NO_DESCRIPTOR and not self._make_room():
                    self._waits.remove(self._listener)  # the next sweep tries again
                    self._next_sweep = self.now + SWEEP_SECONDS
                return
            if len(self._connections) >= limits.MAX_CONNECTIONS and not self._make_room():
                connected.close()
                continue
            connected = lifted(connected)
            try:
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError:
                pass  # it is gone already, which reading will tell
            connection = Connection(self, connected)
            self._connections.add(connection)
            self._waits.add(connected, READ, connection)

    def _make_room(self) -> bool:
        """Drop the connection whose patience ends first among those without a running request."""
        idle = [connection for connection in self._connections if not connection.busy]
        if not idle:
            return False
        min(idle, key=lambda connection: connection.deadline).drop()
        return True

    def count_unsent(self, size: int) -> None:
        """Count bytes that wait for a client; when too many do for all together, those with the most are dropped."""
        self._unsent += size
        if self._unsent <= limits.MAX_ALL_UNSENT_BYTES:
            return
        self._unsent = sum(connection.unsent for connection in self._connections)  # much was sent meanwhile
        while self._unsent > limits.MAX_ALL_UNSENT_BYTES:
            slowest = max(self._connections, key=lambda connection: connection.unsent)
            self._unsent -= slowest.unsent
            slowest.drop()

    def _sweep(self) -> None:
        self._woken = False  # mail is read next; whatever user code did to a wake-up, it costs a moment and no more
        for connection in [*self._connections]:
            try:
                connection.look(self.now)
            except Exception:  # noqa: BLE001 # as above
                connection.drop()
        self.endpoint.sweep(self.now)
        if self._listener is not None and not self._waits.has(self._listener):
            self._waits.add(self._listener, READ, self._listener)

    def _let_go(self) -> None:
        """Keep a forked copy of this process from holding the port and its clients' connections."""
        listener = [] if self._listener is None else [self._listener]
        for each in [*listener, self._wakes, self._waker, *(known.socket for known in self._connections)]:
            each.close()

    def stop(self) -> None:
        """Take no more connections; end those that are idle or only listen."""
        self.stopping = True
        listener, self._listener = self._listener, None
        if listener is not None:
            self._waits.remove(listener)
            listener.close()
        self.endpoint.stop()
        for connection in [*self._connections]:
            if not connection.busy and not connection.unsent:
                connection.drop()
