"""The straight path of a gateway over stdio: a plain call of a tool, from its line to its child and back.

Theory of operation. Others come before a call of a child's ends, so it is in the same books as any other, with a
passage and a turn, and whatever becomes of it but the usual is the general path's. The usual is done here in one go
each: the call is judged, made, entered and sent (`take`), and answered with its result as the child wrote it (`_told`).

Rules. Nothing is refused here: what is not plainly a good call (`plain`) of a plain tool of a child that is ready goes
to the general path before anything was done. A gateway that tells others of calls has no straight path.
"""

from __future__ import annotations

from time import monotonic

from ..server import logs
from ..server.call import Call
from ..server.faults import failed
from ..server.plain import CALL, NOTHING, is_plain, plain_params
from ..wire import jsonrpc
from ..wire.dialects import LATEST_LEGACY, LATEST_MODERN, META_CLIENT, META_LOG_LEVEL, META_VERSION
from ..wire.limits import DEFAULT_TIMEOUT, MAX_CALLS, WATCH_SECONDS
from .child import READY
from .passage import Passage
from .translate_requests import TOKEN
from .turn import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.runner import Runner
    from ..server.session import Session
    from ..server.tool import Tool
    from .child import Child
    from .dispatch import Remote


class Lane:
    """Where the calls of a plain tool go; `name` is the tool's in the log."""

    __slots__ = ("child", "name", "original", "remote", "repeatable", "schema", "tool")

    def __init__(self, tool: Tool, remote: Remote) -> None:
        self.tool = tool
        self.remote = remote
        self.child: Child = remote.child
        self.original = remote.original
        self.repeatable = remote.repeatable
        self.schema = remote.schema
        self.name = logs.name_of(tool)


class Straight:
    """The straight path of one session; `message` is what was read last."""

    __slots__ = ("_edition", "_lanes", "_runner", "_session", "message")

    def __init__(self, session: Session, runner: Runner) -> None:
        self._session = session
        self._runner = runner
        self._lanes: dict[str, Lane | None] = {}
        self._edition = session.catalog.edition
        self.message: Any = None

    def named(self, running: Call) -> Call:
        """Return the call that runs: here each has been made."""
        return running

    def take(self, line: bytes) -> bool | None:
        """Send a plain call to its child: True; None leaves the message of the line, `message`, to the general path.

        Raises ParseFailure.
        """
        self.message = message = jsonrpc.parse(line)
        params = plain_params(message)
        if params is None:
            return None
        name, session = params["name"], self._session
        if self._edition != session.catalog.edition:  # the table followed its children
            self._lanes.clear()
            self._edition = session.catalog.edition
        lane = self._lanes[name] if name in self._lanes else self._lane(name)
        if (
            lane is None
            or lane.child.state != READY
            or session.has_id(message["id"])
            or len(session.open) >= MAX_CALLS
            or lane.remote.gateway.relay.drift.refused
        ):
            return None
        call = self._call(lane, message["id"], params, line)
        if call is None:
            return None
        self._runner.prepare(call, monotonic())
        session.adopt(call)
        self._begin(lane, call, params["arguments"])
        return True

    def _lane(self, name: str) -> Lane | None:
        """Find out where calls of a tool go, None where each has to be looked at."""
        tool = self._session.catalog.tools.get(name)
        if tool is None:
            return None
        lane = self._lanes[name] = Lane(tool, tool.remote) if _is_plain(tool) else None
        return lane

    def _call(self, lane: Lane, number: str | int, params: dict[str, Any], line: bytes) -> Call | None:
        """Make a call; None where its `_meta` or its revision asks for a second look."""
        session = self._session
        dialect, level, client, meta = session.dialect, session.log_level, session.client, NOTHING
        if len(params) != 2:
            meta = params["_meta"]
            if TOKEN in meta or not is_plain(meta):
                return None
            if META_VERSION in meta:
                dialect, level, client = LATEST_MODERN, meta.get(META_LOG_LEVEL), meta.get(META_CLIENT, NOTHING)
        if dialect is not LATEST_LEGACY and dialect is not LATEST_MODERN:
            return None
        call = Call(
            lane.tool,
            number,
            params["arguments"],
            raw=line,
            meta=meta,
            dialect=dialect,
            log_level=level,
            client=client,
            session=session,
        )
        call.params = params
        return call

    def _begin(self, lane: Lane, call: Call, arguments: dict[str, Any]) -> None:
        """Send a call that is in the books, or answer why not."""
        runner, remote = self._runner, lane.remote
        passage = Passage(call, remote, lambda result: runner.answer_later(call, result))
        passage.express = self._told
        try:
            gateway = remote.gateway
            caller = gateway.callers.of(call)
            asked = {"name": lane.original, "arguments": arguments}
            passage.turn = turn = Turn(lane.child, CALL, asked, passage, caller, repeatable=lane.repeatable)
            turn.schema = lane.schema
            turn.tail = remote.tail(arguments, caller)
            call.on_cancel = passage.cancel
            gateway.relay.wants_log(lane.child, call.log_level)
            lane.child.submit(turn)
        except jsonrpc.Refusal as refusal:
            passage.answer({"rpcError": refusal.body, "content": [], "isError": True})
        except Exception as error:  # noqa: BLE001 # whatever it is, the call must be answered
            passage.answer(failed(call, error))

    def _told(self, call: Call, result: dict[str, Any], inner: bytes) -> None:
        """Answer a call with the members of its result; on the thread that reads of its child."""
        session, runner = self._session, self._runner
        answering = runner.answering
        answering.add(call)  # it leaves the open calls before its answer is on its way
        try:
            try:
                session.open.remove(call)
            except KeyError:  # somebody else answered it
                return
            number = call.request_id
            session.running.pop(number, None)
            call.finished = True
            if call.dialect is LATEST_MODERN:
                inner = b'"resultType":"complete",%b%b' % (inner, session.about_server(LATEST_MODERN)[:-1])
            told = b"%d" % number if type(number) is int else jsonrpc.encode(number)
            now = monotonic()
            runner.output.put(b'{"jsonrpc":"2.0","id":%b,"result":{%b}}\n' % (told, inner), now)
            lane = self._lanes.get(call.params["name"])
            if lane is None or not logs.held(lane.name, number, now - call.started):
                runner.log(call, result, now - call.started)
        finally:
            answering.discard(call)


def _is_plain(tool: Tool) -> bool:
    """Say whether all that there is to a tool's calls is to send them, and nobody has to look at the clock closely."""
    remote: Remote | None = tool.remote
    if remote is None or remote.head is None or remote.is_view:
        return False
    special = tool.framing is not None or tool.task is not None or tool.max_concurrent
    return not special and (tool.timeout or DEFAULT_TIMEOUT) >= WATCH_SECONDS
