"""The straight path: a plain call of a quick tool, from the bytes of its request to those of its answer.

Theory of operation. Most of what a busy server is sent are calls that end within microseconds; what costs then is not
the call but the books about it. A quick tool runs on the thread that holds the server's role, so while it runs nothing
else happens: no client is lost, nobody cancels, no other message is read. As long as that lasts, its call needs no
exchange, no session core of its own and no place in the books; it is answered as soon as it returns.

Most calls are not even made then: a tool whose calls can be told *in brief* (`brief`) runs under a ticket, and comes to
the text of its result. The `Call` is made when somebody needs it: whoever explains what is wrong, or the watch.

It is *entered* in the books, with core and exchange, when that ends: the watch found it slow and is about to give the
role to another thread. From then on it is a call like any other. Whether a call ended first or was entered first is
decided by the role (`Role.while_running`, `Role.replace`, `Role.end`).

Rules. Nothing is refused here. What is not plainly a good call (`http_plain`) of a plain tool (`Plan.plain`: it can say
nothing but its result) goes to the general path before anything was done, with the message that was read already. The
answers are the same to the byte. A server that asks who is there, or how often, has no straight path.
"""

from __future__ import annotations

from time import monotonic

from ..wire import jsonrpc
from ..wire.dialects import LATEST_LEGACY, META_CLIENT, META_LOG_LEVEL
from . import logs
from .call import Call
from .http_answers import LEGACY_STATUSES, MODERN_STATUSES, status_of
from .http_plain import Lane, agrees, lane_of
from .plain import NOTHING, plain_params
from .runner import FAILED
from .session import DEFAULT_LOG_LEVEL, Session
from .ticket import GOOD, Ticket, answer_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect
    from .brief import Brief
    from .catalog import Catalog
    from .http_connection import Connection
    from .http_head import Head
    from .http_posts import Posts
    from .http_runner import HttpRunner
    from .http_sessions import HttpSession, Sessions
    from .tool import Tool


class Straight:
    """The straight path of one server. At any time it has one call, or none; `arguments` are its."""

    __slots__ = (
        "_body", "_briefs", "_catalog", "_connection", "_desk", "_dialect", "_lane", "_message", "_posts", "_runner",
        "_running", "_session", "_sessions", "_ticket", "_tool", "arguments",
    )  # fmt: skip

    def __init__(self, catalog: Catalog, runner: HttpRunner, posts: Posts, sessions: Sessions) -> None:
        self._catalog = catalog
        self._runner = runner
        self._posts = posts
        self._sessions = sessions
        self._desk = Session(catalog)  # nobody's: it only makes the bytes of answers
        self._briefs: dict[Tool, Brief | None] = {}
        self._ticket = Ticket(self)
        self._running: Call | Ticket | None = None
        self._connection: Connection
        self._lane: Lane
        self._body: bytes
        self._message: dict[str, Any]
        self._tool: Tool
        self._dialect: Dialect
        self._session: HttpSession | None = None
        self.arguments: dict[str, Any]

    def is_idle(self) -> bool:
        """Say whether everything that came here was answered, or entered."""
        return self._running is None

    def take(self, connection: Connection, head: Head, body: bytes) -> bool | None:
        """Answer a request, now or later; None if its head must be judged first, False when the role was lost."""
        lane: Lane | None = head.lane
        if type(lane) is not Lane:
            lane = lane_of(head)
        if lane is None or self._runner.books.server.stopping:
            return None
        try:
            message = jsonrpc.parse(body)
        except jsonrpc.ParseFailure:
            return None
        if not self._is_plain(lane, message):
            connection.occupy(lane.request)
            return self._posts.take(connection, lane.request, body, message)
        self._connection, self._lane, self._body, self._message = connection, lane, body, message
        try:
            brief = self._briefs[self._tool]
        except KeyError:
            brief = self._brief()
        try:
            if brief is not None and (self._dialect is LATEST_LEGACY or lane.modern):
                self._running = ticket = self._ticket
                return self._runner.run_brief(brief, ticket, self)
            self._running = call = self._made()
            return self._runner.run_straight(call, self)
        except:
            if self._runner.role.keep():
                self._running = None
            raise

    def _brief(self) -> Brief | None:
        """Return how the tool is called if it can be called in brief, where nobody wants to be told of calls."""
        from .brief import brief_of

        found = self._briefs[self._tool] = brief_of(self._tool) if self._runner.events is None else None
        return found

    def _is_plain(self, lane: Lane, message: Any) -> bool:
        """Say whether a message plainly is a call, and note of what."""
        params = plain_params(message)
        if params is None:
            return False
        name = params["name"]
        tool = self._catalog.tools.get(name)
        if tool is None or not self._runner.runs_straight(tool):
            return False
        if (lane.modern or len(params) != 2) and not agrees(lane, name, params.get("_meta", NOTHING)):
            return False
        if lane.modern and self._posts.marks_of(tool):
            return False
        self._session, self._dialect = None, lane.dialect
        if lane.session_id is not None:
            session = self._sessions.find(lane.session_id, None, self._runner.books.server.now)
            if session is None or session.core.listening is not None or message["id"] in session.core.running:
                return False
            self._session, self._dialect = session, session.core.dialect
        self._tool, self.arguments = tool, params["arguments"]
        return True

    def _made(self) -> Call:
        """Make the call that runs here."""
        params, session, dialect = self._message["params"], self._session, self._dialect
        meta, client, level = params.get("_meta", NOTHING), NOTHING, DEFAULT_LOG_LEVEL
        if dialect.modern:
            client, level = meta.get(META_CLIENT), meta.get(META_LOG_LEVEL)
        elif session is not None:
            client, level = session.core.client, session.core.log_level
        call = Call(
            self._tool,
            self._message["id"],
            self.arguments,
            raw=self._body,
            meta=meta,
            dialect=dialect,
            log_level=level,
            client=client if type(client) is dict else NOTHING,
            session=session.core if session is not None else None,
        )
        call.params = params
        return call

    def name(self, ticket: Ticket) -> Call | None:
        """Have what runs under a ticket run as a call from now on; None if it has ended."""

        def make() -> Call:
            call = self._made()
            self._runner.begun(call, ticket.started)
            ticket.call = self._running = call
            self._ticket = Ticket(self)
            return call

        self._runner.role.replace(ticket, make)
        return ticket.call

    def answer_brief(self, brief: Brief, members: str, started: float) -> None:
        """Answer the call that has just ended, well; nobody wanted it made."""
        now = monotonic()
        number = self._message["id"]
        about = self._desk.about_server(self._dialect).decode("ascii") if self._lane.modern else ""
        self._connection.reply_usual(answer_line(number, members, about), self._lane.request, now)
        self._running = None
        if not logs.held(brief.name, number, now - started):
            self._runner.log(self._made(), GOOD, now - started)

    def answer(self, call: Call, result: dict[str, Any]) -> bool:
        """Answer the call that has just ended; False if it was entered, and is answered as others are."""
        if self._running is not call:
            return False
        try:
            line = self._desk.answer_line(call, result)
        except:  # noqa: E722 # only if user code took away what this itself stands on
            self._runner.restore()
            line = self._desk.answer_line(call, FAILED)
        call.finished = True
        status = 200
        if "rpcError" in result:
            status = status_of(line, _statuses(call))
        self._connection.reply(status, line, self._lane.request)
        self._running = None
        return True

    def enter(self, running: Call | Ticket) -> Call | None:
        """Enter what runs here in the books unless it has ended; any thread. Return the call it is, None if it ended.

        Where it ran under a ticket, the next may be running under that by now, and is entered: a slow call, like that
        of any quick tool whose thread had to wait.
        """
        call = self.name(running) if isinstance(running, Ticket) else running
        if call is not None:
            self._runner.role.while_running(call, self._enter)
        return call

    def _enter(self, call: Call) -> None:
        if self._running is not call:
            return
        lane, session, connection = self._lane, self._session, self._connection
        if session is not None:
            core = session.core
        else:
            core = call.session = self._posts.core(lane.request)
            if not lane.dialect.modern:
                core.dialect = lane.dialect
        core.adopt(call)
        connection.occupy(lane.request)
        exchange = self._posts.exchange(connection, lane.request, core, session, _statuses(call))
        exchange.reading = False
        self._runner.entered(call, exchange)
        self._running = None


def _statuses(call: Call) -> dict[int, int]:
    return MODERN_STATUSES if call.dialect.modern else LEGACY_STATUSES
