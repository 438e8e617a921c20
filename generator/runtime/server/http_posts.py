"""POSTs: which messages reach which session core, and what comes back how (Streamable HTTP: sending messages).

Each POST is judged on its own (decision 12). It belongs to the era without sessions when its header or its `_meta`
names a revision of it, or when it asks `server/discover`; such a request gets a core of its own. Otherwise
`Mcp-Session-Id` names a session that `initialize` opened; without that header it is served by a core of its own too,
so that a client that never shakes hands works as well.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import DIALECTS, META_VERSION, MODERN_VERSIONS
from . import http_routing as routing
from .call import Call
from .carried import attach
from .http_answers import LEGACY_STATUSES, MODERN_STATUSES
from .http_exchange import Exchange
from .http_problem import RpcProblem
from .http_sessions import FIRST_PRIMED
from .session import Cancel, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .batch import Batch
    from .catalog import Catalog
    from .http_connection import Connection
    from .http_guard import Guard
    from .http_head import Head
    from .http_listening import ListenStream
    from .http_rates import ToolRates
    from .http_request import Request
    from .http_runner import HttpRunner
    from .http_sessions import HttpSession, Sessions
    from .http_views import Views
    from .tool import Tool

CANCELLED = "notifications/cancelled"
LISTEN = "subscriptions/listen"
FORBIDDEN = "Forbidden: the token lacks a scope that this needs"


class Posts:
    """Takes the POSTs of one server."""

    __slots__ = (
        "_catalog", "_guard", "_listed", "_listening", "_marked", "_rates", "_runner", "_sessions", "_views",
    )  # fmt: skip

    def __init__(
        self,
        catalog: Catalog,
        runner: HttpRunner,
        sessions: Sessions,
        guard: Guard,
        *,
        rates: ToolRates | None = None,
        views: Views | None = None,
    ) -> None:
        self._catalog = catalog
        self._guard = guard
        self._rates = rates
        self._views = views
        self._runner = runner
        self._sessions = sessions
        self._listed: dict[str, bytes] = {}
        self._listening: set[ListenStream] = set()
        self._marked: dict[Tool, list[tuple[str, tuple[str, ...]]]] = {}

    def take(self, connection: Connection, request: Request, body: bytes, message: Any = None) -> bool:
        """Answer a POST now or later, whose message may have been read; False when the server's role was lost."""
        version = request.head.headers.get(routing.VERSION)
        statuses = MODERN_STATUSES if version in MODERN_VERSIONS else LEGACY_STATUSES
        try:
            if message is None:
                message = jsonrpc.parse(body)
            if statuses is MODERN_STATUSES or _is_modern(message):
                statuses = MODERN_STATUSES
                return self._modern(connection, request, message, body)
            return self._legacy(connection, request, message, body, version)
        except jsonrpc.ParseFailure as failure:
            return self._refuse(connection, request, None, RpcProblem(jsonrpc.PARSE_ERROR, str(failure)), statuses)
        except RpcProblem as problem:
            if self._catalog.events is not None and type(message) is dict:
                self._catalog.events.refused(self.core(request), message, problem)
            return self._refuse(connection, request, message, problem, statuses)

    def _refuse(
        self, connection: Connection, request: Request, message: Any, problem: RpcProblem, statuses: dict[int, int]
    ) -> bool:
        line = jsonrpc.error_line(
            request_id := _id_of(message),
            jsonrpc.error_body(problem.code, problem.message, problem.data),
            with_id=request_id is not None or statuses is not MODERN_STATUSES,  # decision 13
        )
        status = problem.status or statuses.get(problem.code, 200)
        headers = (*problem.headers, *request.verdict.cors)
        connection.respond(status, line, headers, close=problem.code == jsonrpc.PARSE_ERROR)
        return True

    def is_limited(self) -> bool:
        """Say whether tools may be called so often and no more."""
        return self._rates is not None

    def end(self, session: HttpSession) -> None:
        """End a session and the calls that run in it."""
        for call in session.core.open.copy():
            self._give_up(session.core, call)
        self._sessions.close(session)

    # -- the eras

    def _modern(self, connection: Connection, request: Request, message: Any, body: bytes) -> bool:
        if type(message) is not dict or message.get("jsonrpc") != "2.0" or type(message.get("method")) is not str:
            what = "Invalid request: one object with jsonrpc and method is needed"
            raise RpcProblem(jsonrpc.INVALID_REQUEST, what)
        if "id" not in message:
            connection.respond(202, b"", request.verdict.cors)
            return True
        if _id_of(message) is None:
            raise RpcProblem(jsonrpc.INVALID_REQUEST, "Invalid request: id must be a string or an integer")
        method, params = message["method"], message.get("params")
        routing.check(request.head, method, params)
        if method == "tools/call":
            self._check_arguments(request.head, params)
        self._check_called(request, message)
        core = self.core(request)
        if method == LISTEN and self._catalog.header.get("listens"):
            from .http_listening import listen

            if self._is_guarded(request):
                from .http_scopes import permitted

                message = permitted(self._catalog, request.principal, message)
            refused = listen(connection, request, core, message, self._listening)
            return refused is None or self._carry_out(connection, request, core, None, refused, MODERN_STATUSES)
        effect = core.receive(message, body)
        return self._carry_out(connection, request, core, None, effect, MODERN_STATUSES)

    def _check_arguments(self, head: Head, params: Any) -> None:
        name = params.get("name")
        tool = self._catalog.tools.get(name) if type(name) is str else None
        if tool is None:
            return
        marked = self.marks_of(tool)
        if marked:
            routing.check_arguments(head, marked, params.get("arguments"))

    def marks_of(self, tool: Tool) -> list[tuple[str, tuple[str, ...]]]:
        """Return the parameters of a tool that headers repeat (2026-07-28)."""
        marked = self._marked.get(tool)
        if marked is None:
            marked = self._marked[tool] = routing.marks(tool)
        return marked

    def _legacy(self, connection: Connection, request: Request, message: Any, body: bytes, version: str | None) -> bool:
        head = request.head
        if routing.VERSION in head.repeated or routing.SESSION in head.repeated:
            raise RpcProblem(jsonrpc.INVALID_REQUEST, "Invalid request: a header comes more than once")
        if version is not None and version not in DIALECTS:
            data = {"supported": MODERN_VERSIONS, "requested": routing.shown(version)}
            raise RpcProblem(jsonrpc.UNSUPPORTED_VERSION, "Unsupported protocol version", data)
        if type(message) is dict and message.get("method") == "initialize" and "id" in message:
            return self._initialize(connection, request, message, body)
        self._check_called(request, message)
        session_id = head.headers.get(routing.SESSION)
        if session_id is None:
            core = self.core(request)
            if version is not None:
                core.dialect = DIALECTS[version]
            effect = core.receive(message, body)
            return self._carry_out(connection, request, core, None, effect, LEGACY_STATUSES)
        session = self._sessions.find(session_id, request.principal, self._runner.books.server.now)
        if session is None:
            what = "Session not found: it ended, or never was; initialize again"
            raise RpcProblem(jsonrpc.INVALID_REQUEST, what, status=404)
        effect = session.core.receive(message, body)
        return self._carry_out(connection, request, session.core, session, effect, LEGACY_STATUSES)

    def _initialize(self, connection: Connection, request: Request, message: Any, body: bytes) -> bool:
        core = self.core(request)
        effect = core.receive(message, body)
        if type(effect) is not bytes or not core.client:  # it was refused
            return self._carry_out(connection, request, core, None, effect, LEGACY_STATUSES)
        session = self._sessions.open(core, request.principal, self._runner.books.server.now)
        if self._catalog.header.get("changes"):
            from .http_changes import Changes

            session.changes = Changes(primes=core.dialect.version >= FIRST_PRIMED)
            core.tell = session.changes.take
            attach(core)
        connection.respond(200, effect, (("Mcp-Session-Id", session.id), *request.verdict.cors))
        return True

    def core(self, request: Request) -> Session:
        """Return a session core of a request's own."""
        principal = request.principal
        if principal is None:
            return Session(self._catalog, self._listed)
        if self._views is None:
            return Session(self._catalog, self._listed, principal.name)
        catalog, listed = self._views.of(principal)
        return Session(catalog, listed, principal.name)

    # -- effects

    def _carry_out(
        self,
        connection: Connection,
        request: Request,
        core: Session,
        session: HttpSession | None,
        effect: bytes | Call | Cancel | Batch | None,
        statuses: dict[int, int],
    ) -> bool:
        if type(effect) is Call and request.principal is None:  # most of what comes
            exchange = self.exchange(connection, request, core, session, statuses)
            exchange.reading = False
            self._runner.books.enter(effect, exchange)
            return self._runner.start(effect)
        if effect is None or isinstance(effect, Cancel):
            reply = effect.reply if effect is not None else None
            if effect is not None:
                self._runner.cancel(effect)
            connection.respond(202 if reply is None else 200, reply or b"", request.verdict.cors)
            return True
        exchange = self.exchange(connection, request, core, session, statuses)
        if isinstance(effect, bytes):
            exchange.answer(effect)
            return True
        calls = [effect] if isinstance(effect, Call) else [each for each in effect.effects if isinstance(each, Call)]
        self._check_scopes(request, core, calls)
        for call in calls:
            self._runner.books.enter(call, exchange)
        if isinstance(effect, Call):
            exchange.reading = False
            return self._start(effect)
        self._carry_out_batch(exchange, effect)
        return True

    def exchange(
        self,
        connection: Connection,
        request: Request,
        core: Session,
        session: HttpSession | None,
        statuses: dict[int, int],
    ) -> Exchange:
        """Return what brings the answers to a request back to its connection."""
        return Exchange(connection, request, core, session, statuses=statuses, cancel=self._give_up)

    def _carry_out_batch(self, exchange: Exchange, batch: Batch) -> None:
        """Carry out a batch; its calls run on workers, so that the server's role stays here."""
        for effect in batch.effects:
            if isinstance(effect, Call):
                self._start(effect, aside=True)
            else:
                self._runner.cancel(effect)
        exchange.reading = False
        line = batch.settle(None)
        if line is not None:
            self._runner.books.server.tell(exchange.answer, line)
        elif not exchange.pending:
            self._runner.books.server.tell(exchange.nothing)

    def _start(self, call: Call, *, aside: bool = False) -> bool:
        """Run a call, unless its tool was called too often."""
        if self._rates is not None:
            seconds = self._rates.wait(call, self._runner.books.server.now)
            if seconds:
                from .http_rates import limited

                self._runner.refuse(call, limited(call, seconds))
                return True
        return self._runner.start(call, aside=aside)

    def _check_scopes(self, request: Request, core: Session, calls: list[Call]) -> None:
        """Refuse calls of tools whose scopes the token does not have (RFC 6750 §3.1); raises RpcProblem."""
        problem = self._lacking(request, [scope for call in calls for scope in call.tool.entry.get("scopes") or ()])
        if problem is not None:
            for call in calls:
                core.finish(call, {})
            raise problem

    def _check_called(self, request: Request, message: Any) -> None:
        """Refuse what is answered without a call and the token does not have the scopes of; raises RpcProblem."""
        if self._is_guarded(request):
            from .http_scopes import needed

            problem = self._lacking(request, needed(self._catalog, message))
            if problem is not None:
                raise problem

    def _is_guarded(self, request: Request) -> bool:
        """Say whether it matters who asks for resources and prompts: there are some, and tokens."""
        header = self._catalog.header
        return request.principal is not None and bool(header.get("offers") or header.get("gateway"))

    def _lacking(self, request: Request, scopes: list[str]) -> RpcProblem | None:
        """Return the refusal of a request whose token lacks one of these scopes; None when it has them all."""
        needed = sorted(set(scopes))
        missing = request.principal.lacks(needed) if request.principal is not None else []
        if not missing:
            return None
        challenge = self._guard.challenge(request.head, "insufficient_scope", needed)
        data = {"errorCode": "M-AUTH-002", "reason": "insufficient_scope", "missing": missing}
        headers = (("WWW-Authenticate", challenge),)
        return RpcProblem(jsonrpc.INTERNAL_ERROR, FORBIDDEN, data, status=403, headers=headers)

    def _give_up(self, core: Session, call: Call) -> None:
        """Cancel a call as its client would."""
        params = {"requestId": call.request_id}
        effect = core.receive({"jsonrpc": "2.0", "method": CANCELLED, "params": params})
        if isinstance(effect, Cancel):
            self._runner.cancel(effect)


def _is_modern(message: Any) -> bool:
    if type(message) is not dict:
        return False
    if message.get("method") == "server/discover":
        return True
    params = message.get("params")
    meta = params.get("_meta") if type(params) is dict else None
    return type(meta) is dict and META_VERSION in meta


def _id_of(message: Any) -> str | int | None:
    request_id = message.get("id") if type(message) is dict else None
    return request_id if type(request_id) is int or type(request_id) is str else None
