"""The link to a child process that speaks over its standard streams.

Theory of operation. `start` runs on a thread of its own: it spawns the child, puts the questions of the negotiation and
waits for their answers, and restarts a child once that cannot stand the first question. From then on the child's
reading thread does everything that its messages ask for, and senders write on their own threads, without waiting.
A child that breaks the rules of the wire (a line over the bound, nothing but garbage) is ended: nothing it says later
could be trusted to be what it seems.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.lines import LineBuffer
from . import failures, weighing
from .connection import Connection
from .delivering import answer, deliver, lose, pause, unreadable
from .errand import Errand
from .links import CLOSED, STARTING
from .negotiating import Negotiation
from .peer import LEGACY, cancellation, reply
from .process import READ_BYTES, ChildProcess, begun
from .quick import HEAD
from .restraint import Restraint
from .settling import settle, until_of
from .spawning import absent, missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .links import Ground

MAX_GARBAGE = 100
"""Lines in a row that are no messages: more than any banner."""

MAX_BROKEN = 100
"""Answers that cannot be used, of which a child may have as many."""

FIRST_BYTES = 1024 * 1024
"""Bound of a message while a child says what it is; whatever floods at once is ended the sooner."""

BEGINNING = b'{"jsonrpc":"2.0","id":%d,%b'
"""A request whose text from behind its id on is known."""

LITTLE = 8 * 1024
"""What is read in one piece of a child that says very much: as long as it is worked on, others wait."""


class StdioLink(Connection):
    """A connection to a child process; see `links.Link`."""

    __slots__ = (
        "_garbage",
        "_lines",
        "_over",
        "_process",
        "_restarting",
        "_restraint",
    )

    def __init__(self, name: str, row: Mapping[str, Any], ground: Ground) -> None:
        super().__init__(name, row, ground)
        self._process: ChildProcess | None = None
        self._over: ChildProcess | None = None  # one that ended and is going to be replaced
        self._restarting = False
        self._lines = LineBuffer(self._limit)
        self._restraint = Restraint()
        self._garbage = 0

    # -- from the gateway

    def send(self, errand: Errand) -> None:
        """Send an errand with the next flush."""
        peer = self.peer
        number = peer.open(errand)
        process = self._process
        try:
            line = peer.line(errand) if errand.tail is None else BEGINNING % (number, errand.tail)
        except (ValueError, TypeError, RecursionError):
            self.lose(errand, failures.UNWRITABLE, "the request cannot be written as JSON")
            return
        if self.state == CLOSED or process is self._over:
            self.lose(errand, failures.DISCONNECTED, "the connection is closed")
        elif process is None or not process.outbox.put(line):
            self.lose(errand, failures.TRANSPORT, "it does not read its input")

    def flush(self) -> None:
        """Write what was sent."""
        process = self._process
        if process is not None:
            process.outbox.flush()

    def cancel(self, errand: Errand, reason: str) -> None:
        """Wait for an errand no longer, and tell the child."""
        if self.peer.close(errand):
            self._write(cancellation(errand, reason))

    def reply(self, request_id: str | int, result: dict[str, Any] | None, error: dict[str, Any] | None = None) -> None:
        """Answer a request of the child."""
        self._write(reply(request_id, result, error))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Tell a legacy child something."""
        self._write({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def join(self, seconds: float) -> bool:
        """Wait until the child has ended."""
        process = self._process
        return process is None or process.gone.wait(seconds)

    def stderr_tail(self) -> str:
        """Return the last lines the child wrote to standard error."""
        process = self._process
        return process.overheard.tail() if process is not None else ""

    def _write(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is not None and process.outbox.put(jsonrpc.encode(message) + b"\n"):
            process.outbox.flush()

    # -- starting

    def _settle(self) -> tuple[str, str]:
        reason, detail = self._negotiate(self._ground.eras.known(self._row))
        if reason == "restart":
            reason, detail = self._negotiate(LEGACY)
        self._lines.limit = self._limit
        return reason, detail

    def greet(self) -> None:
        """Say that all is ready."""
        self.notify("notifications/initialized", {})

    def _negotiate(self, known: str) -> tuple[str, str]:
        """Spawn the child and find out its era; return reason and detail of a failure, or "restart"."""
        until = until_of(self._row)
        negotiation = Negotiation(self.peer, known)
        # What was made here stands the first question, and so does what has stood it before.
        self._restarting = not known and self._row.get("origin") != "generated"
        if not self._spawn():
            return failures.DISCONNECTED, "the connection was closed"
        outcome = settle(negotiation, self._send_now, until)
        if self._restarting and outcome[0] == failures.DISCONNECTED:
            return "restart", ""
        self._restarting = False
        return outcome

    def _send_now(self, errand: Errand) -> None:
        self.send(errand)
        self.flush()

    def _spawn(self) -> bool:
        """Start a process in place of the one before; False when the link was closed meanwhile."""
        if self.state == CLOSED:
            return False
        ground = self._ground
        overheard = ground.overheard
        told = None if overheard is None else lambda line: overheard(self.name, line)
        process = begun(self._row, ground.environment, ground.base, self._take, self._process_ended, told)
        with self._lock:
            closed = self.state == CLOSED
            self._lines = LineBuffer(min(self._limit, FIRST_BYTES))
            self._garbage = 0
            self._process = process
        process.begin()
        if closed:
            process.close()
        return not closed

    # -- from the child

    def _take(self, process: ChildProcess, chunk: bytes) -> bool:
        """Carry out what a piece of output says; False when nothing more of it is wanted."""
        if process is not self._process:
            return False
        lines = self._lines.feed(chunk)
        useful = False
        previous: bytes | None = b""
        for line in lines:
            if line is None:
                return self._mistrust(f"it wrote a message of more than {self._lines.limit} bytes")
            if line == previous and b"list_changed" in line:
                continue  # a change said twice in one breath is one
            previous = line
            useful |= self._read(line)
            if self.peer.broken > MAX_BROKEN:
                return self._mistrust(f"it wrote more than {MAX_BROKEN} answers that cannot be used")
            if self._garbage > MAX_GARBAGE:
                return self._mistrust(f"it wrote more than {MAX_GARBAGE} lines in a row that are no messages")
        if lines:
            pause(self)
            process.at_once = LITTLE if self._restraint.rest(0 if useful else len(lines)) else READ_BYTES
        else:
            self._restraint.go_on(len(chunk))
        return self.state != CLOSED

    def _read(self, line: bytes) -> bool:
        """Deliver what one line says; True when there is an answer in it."""
        try:
            if len(line) > weighing.WEIGHED_BYTES:
                weighing.check(line, self._limit)
            quick = self.peer.quick(line) if line.startswith(HEAD) else None
            message = weighing.read(line) if quick is None else None
        except jsonrpc.ParseFailure as problem:
            self._salvage(line, problem)
            return False
        self._garbage = 0
        if quick is not None:
            answer(self, *quick)
            return True
        if type(message) is list:  # 2025-03-26 has batches
            return sum(deliver(self, each) for each in message) > 0  # all of them, whatever the first one is
        return deliver(self, message)

    def _salvage(self, line: bytes, problem: jsonrpc.ParseFailure) -> None:
        """Fail the call that a line was meant to answer, which is no message, if that can be told."""
        from . import salvage

        whose = salvage.of_heavy if isinstance(problem, weighing.TooMuch) else salvage.of_line
        errands = whose(self.peer, line)
        unreadable(self, errands, problem)
        self._garbage += not errands and bool(line) and not line.isspace()

    # -- the end

    def _mistrust(self, detail: str) -> bool:
        self._finish(failures.BROKEN, detail)
        return False

    def _process_ended(self, process: ChildProcess, how: str) -> None:
        if process is not self._process:
            return
        if self._restarting:
            self._over = process
            process.close()
            self._lose_all(failures.DISCONNECTED, how)
            return
        if self.state == STARTING:  # an interpreter whose script is gone starts all the same
            gone = missing(self._row, self._ground.environment, self._ground.base)
            if gone:
                self._finish(failures.UNAVAILABLE, f"{absent(gone)} ({how})")
                return
        self._finish(failures.DISCONNECTED, how)

    def _let_go(self, reason: str, detail: str) -> None:
        process = self._process
        if process is not None:
            process.close()
        self._lose_all(reason, detail)

    def _lose_all(self, reason: str, detail: str) -> None:
        for errand in self.peer.close_all():
            lose(self, errand, reason, detail)
