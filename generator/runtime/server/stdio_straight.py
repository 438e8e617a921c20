"""The straight path over stdio: a plain call of a quick tool, from the bytes of its line to those of its answer.

Theory of operation. It is that over HTTP (`http_straight`), for one client: a quick tool runs on the thread that
reads, so while it runs nothing else happens to its call, and nothing needs to be noted about it. A tool whose calls can
be told in brief (`brief`) runs under a ticket; the `Call` is made, and taken into the session's books, when somebody
needs it: whoever explains what is wrong, or the watch before it gives the role to another thread.

A client of 2026-07-28 ends all its calls with the same words about itself. They are read once (`_Words`): a line that
ends so is read without them.

Rules. Nothing is refused here, and the answers are those of the general path to the byte.
"""

from __future__ import annotations

from time import monotonic

from ..wire import jsonrpc
from ..wire.dialects import LATEST_LEGACY, LATEST_MODERN, META_CLIENT, META_LOG_LEVEL, META_VERSION
from ..wire.limits import MAX_CALLS
from . import logs
from .brief import Brief, brief_of
from .call import Call, Spliced
from .invoke import run_brief
from .plain import NOTHING, is_plain, plain_params
from .runner import FAILED
from .ticket import GOOD, Ticket, answer_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .runner import Runner
    from .session import Session
    from .tool import Tool

META = b',"_meta":'
END = b"}}"
"""What a request ends with whose last member is an object."""

NOT_YET = b"\n"
"""An end that no line has."""

LONGEST_WORDS = 4096
"""Bytes of words about a client that are kept."""


class _Words:
    """What one client says of itself at the end of each call; `end` is how it writes that."""

    __slots__ = ("_told", "end")

    def __init__(self) -> None:
        self.end = NOT_YET
        self._told: dict[str, Any] = NOTHING

    def read(self, line: bytes) -> dict[str, Any] | None:
        """Return the message of a line that ends with the words; None if it is to be read as it is."""
        try:
            message = jsonrpc.parse(line[: -len(self.end)] + END)
        except jsonrpc.ParseFailure:
            return None
        if type(message) is not dict or len(message) != 4 or next(reversed(message)) != "params":
            return None  # what ended so was not its params
        params = message["params"]
        if type(params) is not dict or "_meta" in params:
            return None
        params["_meta"] = self._told
        return message

    def learn(self, line: bytes, meta: dict[str, Any]) -> None:
        """Note how a call ends, if it ends with what its `_meta` says."""
        end = line[line.rfind(META) :]
        if not end.startswith(META) or not end.endswith(END) or len(end) > LONGEST_WORDS or "progressToken" in meta:
            return
        try:
            told = jsonrpc.parse(end[len(META) : -len(END)])
        except jsonrpc.ParseFailure:
            return
        if type(told) is dict and told == meta:
            self.end, self._told = end, told


class Straight:
    """The straight path of one session. At any time it has one call, or none; `message` is what was read last."""

    __slots__ = (
        "_about", "_briefs", "_line", "_meta", "_runner", "_session", "_ticket", "_tool", "_words", "message",
    )  # fmt: skip

    def __init__(self, session: Session, runner: Runner) -> None:
        self._session = session
        self._runner = runner
        self._briefs: dict[Tool, Brief | None] = {}
        self._words = _Words()
        self._ticket = Ticket(self)
        self._about = session.about_server(LATEST_MODERN).decode("ascii")
        self.message: Any
        self._meta: dict[str, Any]
        self._line: bytes
        self._tool: Tool

    def take(self, line: bytes) -> bool | None:
        """Run a plain call: True when it was answered, False when the role was lost meanwhile.

        None leaves the message of the line, `message`, to the general path. Raises ParseFailure.
        """
        words = self._words
        message = words.read(line) if line.endswith(words.end) else None
        known = message is not None
        self.message = message if known else jsonrpc.parse(line)
        params = plain_params(self.message)
        brief = self._brief_of(params["name"]) if params is not None else None
        if params is None or brief is None or not self._is_free(params, known=known):
            if known:
                self.message = jsonrpc.parse(line)
            return None
        self._meta = meta = params.get("_meta", NOTHING)
        if meta and not known:
            words.learn(line, meta)
        self._line, self._tool = line, brief.plan.tool
        return self._run(brief, params["arguments"])

    def _brief_of(self, name: str) -> Brief | None:
        """Return how a quick tool is called, None for one whose calls take another path."""
        tool = self._session.catalog.tools.get(name)
        if tool is None or tool.plan is None or not self._runner.is_quick(tool):
            return None  # it has no plan yet where its module could not be imported, which also is quick
        try:
            return self._briefs[tool]
        except KeyError:
            found = self._briefs[tool] = brief_of(tool)
            return found

    def _is_free(self, params: dict[str, Any], *, known: bool) -> bool:
        """Say whether nothing about this client or this call asks for more than its answer."""
        session, meta = self._session, params.get("_meta", NOTHING)
        return (
            (known or is_plain(meta))
            and (session.dialect is LATEST_LEGACY or META_VERSION in meta)
            and not session.has_id(self.message["id"])
            and len(session.open) < MAX_CALLS
        )

    def _run(self, brief: Brief, arguments: dict[str, Any]) -> bool:
        runner, ticket = self._runner, self._ticket
        ticket.started = monotonic()
        runner.watch.begin(ticket)
        try:
            result = run_brief(brief, arguments, ticket)
        except:  # noqa: E722 # only if user code took away what `run_brief` itself stands on
            runner.restore()
            result = FAILED
        if type(result) is str:
            runner.answering.add(ticket)  # nothing runs any more before its answer is on its way
            try:
                if runner.role.end(ticket):
                    self._answer(brief, result, ticket.started)
                    return True
            finally:
                runner.answering.discard(ticket)
        told = Spliced({}, result.encode("ascii")) if isinstance(result, str) else result
        return runner.end_quick(ticket.made(), told)

    def _answer(self, brief: Brief, members: str, started: float) -> None:
        """Answer the call that has just ended, well; nobody wanted it made."""
        now = monotonic()
        number = self.message["id"]
        line = answer_line(number, members, self._about if META_VERSION in self._meta else "")
        if not logs.held(brief.name, number, now - started):  # first: should it fail, the call is still to be answered
            self._runner.log(self._made(), GOOD, now - started)
        self._runner.output.put(line.encode("ascii"), now)

    def _made(self) -> Call:
        """Make the call that runs here."""
        meta, session = self._meta, self._session
        modern = META_VERSION in meta
        client = meta.get(META_CLIENT) if modern else session.client
        params = self.message["params"]
        call = Call(
            self._tool,
            self.message["id"],
            params["arguments"],
            raw=self._line,
            meta={**meta},
            dialect=LATEST_MODERN if modern else session.dialect,
            log_level=meta.get(META_LOG_LEVEL) if modern else session.log_level,
            client=client if type(client) is dict else NOTHING,
            session=session,
        )
        call.params = params
        return call

    def named(self, running: Call | Ticket) -> Call | None:
        """Return the call that runs, made now if it runs under a ticket; None if it has ended."""
        return self.name(running) if isinstance(running, Ticket) else running

    def name(self, ticket: Ticket) -> Call | None:
        """Have what runs under a ticket run as a call from now on; None if it has ended."""

        def make() -> Call:
            call = self._made()
            self._runner.prepare(call, ticket.started)
            self._session.adopt(call)
            ticket.call = call
            self._ticket = Ticket(self)
            return call

        self._runner.role.replace(ticket, make)
        return ticket.call
