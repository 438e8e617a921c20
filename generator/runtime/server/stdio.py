"""The stdio shell: one reader, threads that run tools, one writer, around the session core.

Theory of operation. One thread at a time holds the role of the reader: it reads a chunk, hands each line to the
session and carries out the effects. A tool that took under a millisecond runs right there from its next call on; any
other runs on a worker thread, an asynchronous one on the event loop. If a call on the reading thread turns out slow,
the watch gives the role to another thread (`role`), this one becomes an ordinary worker, and the tool counts as slow
again.
Answers and log lines are collected and written when the chunk is done, so a burst of quick calls costs a handful of
system calls in all; that is worth 2-3x in calls per second.
"""

from __future__ import annotations

from _thread import start_new_thread
from time import monotonic

from ..wire import jsonrpc
from ..wire.limits import READ_BYTES
from ..wire.lines import LineBuffer
from . import system
from .call import Call
from .role import Role
from .runner import FAILED, Runner
from .session import Cancel
from .streams import message_limit
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from .batch import Batch
    from .session import Session


class Stdio:
    """Serves one session over a pair of descriptors."""

    __slots__ = ("_limit", "_lines", "_pending", "_role", "_runner", "_session", "_source", "_watch")

    def __init__(self, session: Session, source: int, sink: int) -> None:
        self._session = session
        self._source = source
        self._limit = message_limit()
        self._lines = LineBuffer(self._limit)
        self._pending: list[bytes | None] = []
        self._runner = Runner(session, sink)
        self._role = self._runner.role = Role(self._read)
        self._runner.events = session.catalog.events
        self._runner.straighten = self._straighten
        if session.catalog.header.get("listens"):
            output = self._runner.output
            session.tell = lambda line, _: output.send(line)
            self._runner.farewell = self._end_listening
        self._watch = self._runner.watch = Watch(
            session.open,
            self._role,
            hand_over=self._runner.hand_over,
            overdue=self._runner.time_out,
            client_gone=self._runner.output.is_unread,
            end=self._runner.lifetime.end,
        )

    def serve(self) -> NoReturn:
        """Serve until the input ends; leaves the process."""
        self._runner.lifetime.catch_signals()
        start_new_thread(self._read, (True,))
        self._runner.lifetime.wait()

    def _straighten(self) -> None:
        """Give plain calls the straight path, where nobody is told of them."""
        runner = self._runner
        if runner.events is not None or runner.straight is not None:
            return
        if self._session.catalog.header.get("gateway"):  # only some servers carry it, hence the computed name
            from importlib import import_module

            runner.straight = import_module("..gateway.straight", __package__).Straight(self._session, runner)
            return
        from .stdio_straight import Straight

        runner.straight = Straight(self._session, runner)

    def _end_listening(self) -> None:
        """Answer the requests that listen, because the server ends."""
        hub = self._session.catalog.hub
        if hub is not None:
            hub.end()

    # -- reading

    def _read(self, first: bool = False) -> None:  # noqa: FBT001, FBT002 # a thread's start argument
        """Hold the reader's role until the input ends or the watch gives it to another thread."""
        self._role.hold()
        while True:
            while self._pending:
                if not self._line(self._pending.pop()):
                    return
            self._runner.flush()
            self._runner.restore()
            if first:
                self._watch.start()
            first = False
            try:
                chunk = system.read(self._source, READ_BYTES)
            except BlockingIOError:
                _wait_readable(self._source)
                continue
            except OSError:
                chunk = b""
            if not chunk:
                rest = self._lines.end()
                if rest is None or self._line(rest):
                    self._runner.flush()
                self._runner.lifetime.input_ended()
                return
            try:
                self._pending = self._lines.feed(chunk)
            except MemoryError:  # what this line held so far is lost, and said to be no message when it ends
                self._lines = LineBuffer(self._limit)
            self._pending.reverse()  # taken from the end

    def _line(self, line: bytes | None) -> bool:
        """Carry out what one line asks; False when this thread lost the reader's role on the way.

        Never raises: whatever user code has broken, the next line is read.
        """
        if self._runner.lifetime.is_over:  # what would run now could be answered no more
            return False
        try:
            return self._carry_out(line)
        except:  # noqa: E722 # user code may have deleted the very names of exceptions
            if not self._role.keep():
                return False
            self._runner.restore()
            self._excuse(line)
            return True

    def _excuse(self, line: bytes | None) -> None:
        """Answer a request whose handling failed in a way nobody foresaw; its client must not wait for ever."""
        runner = self._runner
        try:
            request_id = jsonrpc.parse(line or b"").get("id")
            call = self._session.running.get(request_id)
            if call is None:
                body = jsonrpc.error_body(jsonrpc.INTERNAL_ERROR, "Internal error")
                runner.output.put(jsonrpc.error_line(request_id, body))
                return
            answer = self._session.finish(call, FAILED)
            if answer is not None:
                runner.output.put(answer)
                runner.log(call, FAILED, monotonic() - call.started)
        except Exception:  # noqa: BLE001, S110 # it was no request
            pass

    def _carry_out(self, line: bytes | None) -> bool:
        if line is None:
            body = f"Invalid request: a message is at most {self._limit} bytes"
            self._runner.output.put(self._session.unreadable(jsonrpc.INVALID_REQUEST, body))
            return True
        if not line or line.isspace():
            return True
        straight = self._runner.straight
        try:
            if straight is None:
                message = jsonrpc.parse(line)
            else:
                done: bool | None = straight.take(line)
                if done is not None:
                    return done
                message = straight.message
            effect = self._session.receive(message, line)
        except jsonrpc.ParseFailure as failure:
            effect = self._session.unreadable(jsonrpc.PARSE_ERROR, str(failure))
        if isinstance(effect, Call):
            return self._runner.start(effect)
        if isinstance(effect, bytes):
            self._runner.output.put(effect)
        elif isinstance(effect, Cancel):
            self._runner.cancel(effect)
        elif effect is not None:
            self._carry_out_batch(effect)
        return True

    def _carry_out_batch(self, batch: Batch) -> None:
        """Carry out a batch; its calls run on workers, so that the reader's role stays here."""
        for effect in batch.effects:
            if type(effect) is Call:
                self._runner.start(effect, aside=True)
            elif type(effect) is Cancel:
                self._runner.cancel(effect)
        line = batch.settle(None)
        if line is not None:
            self._runner.output.put(line)


def _wait_readable(descriptor: int) -> None:
    """Wait for input on a descriptor somebody made non-blocking."""
    from select import select

    select([descriptor], [], [], 1.0)
