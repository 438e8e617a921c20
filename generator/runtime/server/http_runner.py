"""Running calls of many clients: the stdio shell's runner, whose answers go to the exchange each call came from."""

from __future__ import annotations

from time import monotonic, sleep

from ..wire import limits
from .call import Spliced
from .lifetime import FLUSH_SECONDS, POLL_SECONDS, Lifetime
from .runner import FAILED, Runner
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .brief import Brief
    from .call import Call
    from .http_exchange import Exchange
    from .http_server import HttpServer
    from .http_straight import Straight
    from .options import Options
    from .session import Cancel
    from .ticket import Ticket
    from .tool import Tool


class Books:
    """All open calls and where each belongs; to the runner, this is the session whose calls it runs."""

    __slots__ = ("_exchanges", "open", "running", "server")

    server: HttpServer

    def __init__(self) -> None:
        self.open: set[Call] = set()
        self.running: dict[str | int, Call] = {}  # ids are only unique within a session
        self._exchanges: dict[Call, Exchange] = {}

    def enter(self, call: Call, exchange: Exchange) -> None:
        """Note where a call's answer goes."""
        call.answerable = exchange.takes_answers
        exchange.pending.add(call)
        self._exchanges[call] = exchange
        self.open.add(call)

    def finish(self, call: Call, result: dict[str, Any]) -> bytes | None:
        """Answer a call through its exchange; empty bytes, or None if it needs no answer any more."""
        exchange = self._exchanges.get(call)
        if exchange is None and call.task is None:
            return None
        core = call.session if exchange is None else exchange.core
        line = core.finish(call, result) if core is not None else None
        if call.task is not None:
            self.open.discard(call)  # its exchange ends by `hand_over`
            return line
        if exchange is None or line is None:
            return None
        try:
            if line:
                self.server.tell(exchange.answer, line)
        finally:
            self.leave(call)  # not before: with nothing open, the server may end, and an exchange without its answer
        return b""

    def leave(self, call: Call) -> Exchange | None:
        """Take a call out of the books."""
        self.open.discard(call)
        exchange = self._exchanges.pop(call, None)
        if exchange is not None:
            exchange.pending.discard(call)
        return exchange

    def hand_over(self, call: Call, line: bytes) -> None:
        """Answer the request of a call that goes on as a task."""
        exchange = self._exchanges.pop(call, None)
        if exchange is not None:
            exchange.pending.discard(call)
            self.server.post(exchange.answer, line)

    def sender(self, call: Call) -> Callable[[bytes], None]:
        """Return what sends a call's notifications, from any thread; always by mail, in order."""
        exchange = self._exchanges[call]
        return lambda line: self.server.report(exchange.notify, line)


class GracefulLifetime(Lifetime):
    """Ends as a server does: a signal leaves calls in flight a moment."""

    __slots__ = ()

    def end(self, code: int = 0, *, drain: float | None = None) -> None:
        """End the process with this exit code."""
        super().end(code, drain=limits.DRAIN_SECONDS if drain is None else drain)


class ServerWatch(Watch):
    """Ends calls over their time; a server lives on when whoever started it is gone."""

    __slots__ = ()

    def _end_alone(self) -> None:
        pass


class HttpRunner(Runner):
    """Runs the calls in the books."""

    __slots__ = ("_run_brief", "books")

    LIFETIME = GracefulLifetime

    def __init__(self, books: Books) -> None:
        self.books = books
        self._run_brief: Callable[[Brief, dict[str, Any], Ticket], str | dict[str, Any]]
        super().__init__(books, -1)  # no output of its own: every answer has its connection

    def begin(self, options: Options) -> None:
        """Start what runs calls, once the server is attached."""

    def is_ready(self) -> bool:
        """Say whether calls can run."""
        return True

    def runs_straight(self, tool: Tool) -> bool:
        """Say whether a call of this tool may run at once, outside the books (`http_straight`)."""
        plan = tool.plan
        return plan is not None and plan.plain and tool in self._quick and len(self.books.open) < limits.MAX_CALLS

    def run_straight(self, call: Call, path: Straight) -> bool:
        """Run a call that is not in the books, and answer it; False when the role went elsewhere."""
        self.begun(call, monotonic())
        self.watch.begin(call)
        return self._end_straight(call, self._result_of(call), path)

    def run_brief(self, brief: Brief, ticket: Ticket, path: Straight) -> bool:
        """Like `run_straight`, for a call that is made only if it turns out to need more than most."""
        ticket.started = monotonic()
        self.watch.begin(ticket)
        try:
            result = self._run_brief(brief, path.arguments, ticket)
        except:  # noqa: E722 # only if user code took away what `run_brief` itself stands on
            self.restore()
            result = FAILED
        if type(result) is str and self.role.end(ticket):
            path.answer_brief(brief, result, ticket.started)
            return True
        told = Spliced({}, result.encode("ascii")) if isinstance(result, str) else result
        return self._end_straight(ticket.made(), told, path)

    def begun(self, call: Call, started: float) -> None:
        """Note when a call that is not in the books began."""
        call.run_coroutine = self._run_coroutine
        call.started = started

    def _end_straight(self, call: Call, result: dict[str, Any], path: Straight) -> bool:
        if not self.role.end(call):
            self._end_late(call, result)
            return False
        if path.answer(call, result):
            self._log(call, result, monotonic() - call.started, hold=True)
        else:
            self._end_here(call, result)
        return True

    def entered(self, call: Call, exchange: Exchange) -> None:
        """Take a call that runs straight into the books."""
        self.books.enter(call, exchange)
        call.send = self._sender(call)
        call.deadline = call.started + (call.tool.timeout or limits.DEFAULT_TIMEOUT)

    def _named(self, running: Call | Ticket) -> Call | None:
        straight = self.books.server.straight
        return straight.enter(running) if straight is not None else running  # type: ignore[return-value]

    def _load(self) -> None:
        super()._load()
        from .invoke import run_brief

        self._run_brief = run_brief

    def _sender(self, call: Call) -> Callable[[bytes], None]:
        return self.books.sender(call)

    def _handing_over(self, call: Call) -> Callable[[bytes], None]:
        return lambda line: self.books.hand_over(call, line)

    def cancel(self, effect: Cancel) -> None:
        """Wait no longer for a call its client gave up; its exchange ends when nothing else is open."""
        exchange = self.books.leave(effect.call)
        answer, effect.answer, effect.reply = effect.answer, None, None
        super().cancel(effect)
        if exchange is None:
            return
        if answer is not None:
            self.books.server.tell(exchange.answer, answer)
        elif not exchange.pending and not exchange.reading:
            self.books.server.tell(exchange.nothing)

    def _is_busy(self) -> bool:
        server = self.books.server
        if not server.stopping:
            server.stopping = True
            server.post(server.stop)
        return super()._is_busy() or not server.is_settled()

    def _give_up(self) -> None:
        super()._give_up()
        self._end_workers()
        until = monotonic() + FLUSH_SECONDS
        while not self.books.server.is_settled() and monotonic() < until:
            sleep(POLL_SECONDS)

    def _end_workers(self) -> None:
        """End what runs calls, now that all are answered."""
