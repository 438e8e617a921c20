"""The HTTP endpoint (Streamable HTTP): who is let in, and what GET, DELETE and the probes are answered.

What can be said from a request's head alone (`admit`) is said before its body is read: host, origin, path and method,
then who asks, then the kind of content. Only then a POST's message is looked at (`http_posts`).
"""

from __future__ import annotations

from ..wire.dialects import DIALECTS, MODERN_VERSIONS
from . import http_routing as routing
from .http_events import place_of
from .http_exchange import Listener
from .http_posts import Posts
from .http_problem import HttpProblem
from .http_request import Request
from .http_rules import ACTIVITY, METADATA, READY, check_content
from .http_runner import HttpRunner
from .http_straight import Straight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalog import Catalog
    from .http_activity import Activity
    from .http_connection import Connection
    from .http_guard import Guard
    from .http_head import Head
    from .http_metadata import Metadata
    from .http_rules import Rules
    from .http_sessions import HttpSession, Sessions


class Endpoint:
    """Answers admitted requests."""

    __slots__ = (
        "_activity",
        "_catalog",
        "_guard",
        "_metadata",
        "_posts",
        "_rules",
        "_runner",
        "_sessions",
        "_stopping",
    )

    def __init__(
        self,
        catalog: Catalog,
        posts: Posts,
        runner: HttpRunner,
        rules: Rules,
        sessions: Sessions,
        guard: Guard,
        *,
        metadata: Metadata | None = None,
        activity: Activity | None = None,
    ) -> None:
        self._catalog = catalog
        self._posts = posts
        self._runner = runner
        self._rules = rules
        self._sessions = sessions
        self._guard = guard
        self._metadata = metadata
        self._activity = activity
        self._stopping = False

    def admit(self, head: Head) -> Request:
        """Judge a head before its body is read; raises HttpProblem, or Verifying while its token is being judged."""
        if head.method == "OPTIONS" and self._rules.is_preflight(head):
            raise HttpProblem(200, "", self._rules.preflight(head))
        verdict = self._rules.judge(head)
        principal = None
        if not verdict.place or verdict.place == ACTIVITY:
            now = self._runner.books.server.now
            principal = self._guard.let_in(head, verdict.cors, now, basic=verdict.place == ACTIVITY)
            if not verdict.place and head.method == "POST" and not verdict.content_checked:
                check_content(head, verdict)
        return Request(head, verdict, principal)

    def handle(self, connection: Connection, head: Head, request: Request, body: bytes) -> bool:
        """Answer a request now or later; False when this thread lost the server's role on the way."""
        if request.verdict.place:
            self._tell(connection, request)
            return True
        if head.method == "POST":
            return self._posts.take(connection, request, body)
        try:
            session = self._session(request)
            if head.method == "DELETE":
                self._posts.end(session)
                connection.respond(200, b"", request.verdict.cors)
            else:
                self._listen(connection, request, session)
        except HttpProblem as problem:
            connection.respond_problem(problem)
        return True

    def straight(self) -> Straight | None:
        """Return the straight path for plain calls, None where it has to be known who asks, or how often."""
        if type(self._runner) is not HttpRunner or not self._guard.is_open() or self._posts.is_limited():
            return None
        return Straight(self._catalog, self._runner, self._posts, self._sessions)

    def sweep(self, now: float) -> None:
        """End sessions that are silent for too long."""
        self._sessions.sweep(now)
        self._guard.sweep(now)

    def stop(self) -> None:
        """Say no to /ready from now on, and end the streams on which nothing is expected."""
        self._stopping = True
        if self._catalog.hub is not None:
            self._catalog.hub.end()
        self._sessions.release()
        if self._activity is not None:
            self._activity.stop()

    def _tell(self, connection: Connection, request: Request) -> None:
        """Answer what is asked besides the endpoint."""
        head, place = request.head, request.verdict.place
        if place == METADATA and self._metadata is not None:
            body = self._metadata.document(head)
            connection.respond(200, body, request.verdict.cors, without_body=head.method == "HEAD")
        elif place == ACTIVITY and self._activity is not None:
            self._activity.answer(connection, request)
        else:
            self._probe(connection, head)

    def _probe(self, connection: Connection, head: Head) -> None:
        ready = head.path == READY
        state = b"stopping" if self._stopping else b"ready" if self._runner.is_ready() else b"starting"
        status = 503 if ready and state != b"ready" else 200
        body = b'{"status":"%s"}\n' % (state if ready else b"ok")
        connection.respond(status, body, without_body=head.method == "HEAD")

    def _session(self, request: Request) -> HttpSession:
        """Return the session that GET or DELETE is about; raises HttpProblem."""
        headers = request.head.headers
        session_id, version = headers.get(routing.SESSION), headers.get(routing.VERSION)
        if session_id is None or version in MODERN_VERSIONS:
            allow = ("Allow", "POST")
            raise HttpProblem(405, "without a session, this endpoint takes POST", (allow, *request.verdict.cors))
        if routing.VERSION in request.head.repeated or routing.SESSION in request.head.repeated:
            raise HttpProblem(400, "a header comes more than once", request.verdict.cors)
        if version is not None and version not in DIALECTS:  # whatever the method (2025-06-18, protocol version header)
            raise HttpProblem(400, "this protocol version is not supported", request.verdict.cors)
        session = self._sessions.find(session_id, request.principal, self._runner.books.server.now)
        if session is None:
            raise HttpProblem(404, "there is no such session, or not any more", request.verdict.cors)
        return session

    def _listen(self, connection: Connection, request: Request, session: HttpSession) -> None:
        if not request.verdict.events:
            raise HttpProblem(406, "GET is answered with text/event-stream", request.verdict.cors)
        place = place_of(request.head.headers.get("last-event-id", ""))
        stream = session.streams.get(place[0]) if place is not None else None
        if stream is None and session.changes is not None:
            own = place is not None and place[0] == session.changes.number
            session.changes.connect(connection, request, place[1] if place is not None and own else None)
        elif stream is not None and place is not None:
            Listener(connection, request, stream, place[1])
        else:
            Listener(connection, request, session.stream(), None)
