"""The straight path: a plain call of a quick tool, from the bytes of its request to those of its answer.

Theory of operation. Most of what a busy server is sent are calls that end within microseconds; what costs then is not
the call but the books about it. A quick tool runs on the thread that holds the server's role, so while it runs nothing
else happens: no client is lost, nobody cancels, no other message is read. As long as that lasts, its call needs no
exchange, no session core of its own and no place in the books; it is answered as soon as it returns.

It is *entered* in the books, with core and exchange, when that ends: the watch found it slow and is about to give the
role to another thread. From then on it is a call like any other. Whether a call ended first or was entered first is
decided under the role's lock (`Role.while_running`, `Role.end`).

Rules. Nothing is refused here. What is not plainly a good call (`http_plain`) of a plain tool (`Plan.plain`: it can say
nothing but its result) goes to the general path before anything was done, with the message that was read already. The
answers are the same to the byte. A server that asks who is there, or how often, has no straight path.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import META_CLIENT, META_LOG_LEVEL
from .call import Call
from .http_answers import LEGACY_STATUSES, MODERN_STATUSES, status_of
from .http_plain import NOTHING, Lane, agrees, lane_of, plain_params
from .runner import FAILED
from .session import DEFAULT_LOG_LEVEL, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .catalog import Catalog
    from .http_connection import Connection
    from .http_head import Head
    from .http_posts import Posts
    from .http_runner import HttpRunner
    from .http_sessions import HttpSession, Sessions


class Straight:
    """The straight path of one server. At any time it has one call, or none."""

    __slots__ = ("_call", "_catalog", "_connection", "_desk", "_lane", "_posts", "_runner", "_session", "_sessions")

    def __init__(self, catalog: Catalog, runner: HttpRunner, posts: Posts, sessions: Sessions) -> None:
        self._catalog = catalog
        self._runner = runner
        self._posts = posts
        self._sessions = sessions
        self._desk = Session(catalog)  # nobody's: it only makes the bytes of answers
        self._call: Call | None = None
        self._connection: Connection
        self._lane: Lane
        self._session: HttpSession | None = None

    def is_idle(self) -> bool:
        """Say whether everything that came here was answered, or entered."""
        return self._call is None

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
        call = self._plain_call(lane, message, body)
        if call is None:
            connection.occupy(lane.request)
            return self._posts.take(connection, lane.request, body, message)
        self._connection, self._lane, self._call = connection, lane, call
        try:
            return self._runner.run_straight(call, self)
        except:
            if self._call is call and self._runner.role.keep():
                self._call = None
            raise

    def _plain_call(self, lane: Lane, message: Any, body: bytes) -> Call | None:
        """Return the call that a message plainly is."""
        params = plain_params(message)
        if params is None:
            return None
        name, meta = params["name"], params.get("_meta", NOTHING)
        tool = self._catalog.tools.get(name)
        if tool is None or not self._runner.runs_straight(tool) or not agrees(lane, name, meta):
            return None
        modern = lane.dialect.modern
        if modern and self._posts.marks_of(tool):
            return None
        dialect, client, level = lane.dialect, NOTHING, DEFAULT_LOG_LEVEL
        session = core = None
        if modern:
            client, level = meta.get(META_CLIENT), meta.get(META_LOG_LEVEL)
        elif lane.session_id is not None:
            session = self._sessions.find(lane.session_id, None, self._runner.books.server.now)
            if session is None or session.core.listening is not None or message["id"] in session.core.running:
                return None
            core = session.core
            dialect, client, level = core.dialect, core.client, core.log_level
        self._session = session
        call = Call(
            tool,
            message["id"],
            params["arguments"],
            raw=body,
            meta=meta,
            dialect=dialect,
            log_level=level,
            client=client if type(client) is dict else NOTHING,
            session=core,
        )
        call.params = params
        return call

    def answer(self, call: Call, result: dict[str, Any]) -> bool:
        """Answer the call that has just ended; False if it was entered, and is answered as others are."""
        if self._call is not call:
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
        self._call = None
        return True

    def enter(self, call: Call) -> None:
        """Enter a call in the books if it runs here and has not ended; any thread."""
        self._runner.role.while_running(call, self._enter)

    def _enter(self, call: Call) -> None:
        if self._call is not call:
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
        self._call = None


def _statuses(call: Call) -> dict[int, int]:
    return MODERN_STATUSES if call.dialect.modern else LEGACY_STATUSES
