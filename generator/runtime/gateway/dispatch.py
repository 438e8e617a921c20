"""Calls of a gateway's tools: each goes to the child that has the tool, on no thread of its own."""

from __future__ import annotations

from time import monotonic

from ..server import logs
from ..server.ui import EXTENSION, MIME_TYPE
from ..wire import jsonrpc
from ..wire.dialects import LATEST_LEGACY
from ..wire.jsonrpc import MISSING_CAPABILITY, Refusal
from . import failures, journal, views
from .callers import Callers
from .child import READY
from .children import Children
from .links import Ground, make_link
from .names import Routing
from .offers import ProxyView
from .passage import Passage
from .peer import LEGACY
from .relay import Relay
from .retries import resumed
from .table import Table
from .telling import Telling
from .translate_results import renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call
    from ..server.catalog import Catalog
    from ..server.tool import Tool
    from .callers import Caller
    from .child import Child
    from .links import Link


OFFERED = {
    "elicitation": {"form": {}, "url": {}},
    "roots": {},
    "sampling": {"context": {}, "tools": {}},
    "extensions": {EXTENSION: {"mimeTypes": [MIME_TYPE]}},
}
"""What a legacy child is told that can be asked: all that some caller may have; each question is judged by its own."""


LINES_SECONDS = 0.1
"""How late lines of the log may be: they are written while a server works, not while its answer waits."""

HEAD = b'"method":"tools/call","params":{"name":%b,"arguments":'
"""How a call of a tool begins, behind its id."""


class Gateway:
    """The gateway of one catalog: its table and its children."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.table = Table(catalog.data["gateway"])
        self.children = Children(self.table, self._connect)
        self._telling: Telling | None = None
        self._due = False
        self._lines: Callable[[], None] = logs.flush
        self._routing: Routing | None = None
        server = catalog.header["server"]
        self.ground = Ground(
            catalog.folder.rpartition("/")[0] or "/",
            client={"name": server["name"], "version": server["version"]},
            offered=OFFERED,
            overheard=journal.overheard if logs.options.dev else None,
        )
        self.callers = Callers(self.ground.client)
        self.relay = Relay(self)
        catalog.tasks = self.relay.fanout  # tasks are found by their ids, and kept by the children

    @property
    def routing(self) -> Routing:
        """Whose things are whose, as the table says now."""
        if self._routing is None:
            self._routing = Routing(self.catalog.data)
        return self._routing

    def forget_routing(self) -> None:
        """Read the table again: it changed."""
        self._routing = None

    def remote(self, tool: Tool, call: dict[str, Any]) -> Remote:
        """Return where the calls of a tool go; `call` is how its entry says it is called."""
        return Remote(self, tool, call)

    def serve(self, answers: Callable[[], None], lines: Callable[[], None]) -> Callable[[], None]:
        """Have answers written by `answers` after each burst, and lines of the log by `lines` a moment later.

        Return what writes the requests that were collected.
        """
        self._lines = lines

        def settle() -> None:
            answers()
            if not self._due:
                self._due = True
                self.children.alarm.at(monotonic() + LINES_SECONDS, write)

        def write() -> None:
            self._due = False
            lines()

        self.children.settle = settle
        self._telling = Telling(self.children, self.catalog.header["id"], self.catalog.folder)
        self.children.changed = self._telling.changed
        return self.children.flush

    def close(self) -> None:
        """Begin to end all children."""
        self._lines()
        self.children.close()
        if self._telling is not None:
            self._telling.end()

    def _connect(self, child: Child) -> Link:
        self.relay.drift.admit(child)
        link = make_link(child.server.id, child.server.row, self.ground)
        link.on_pause = self._settle
        self.relay.attach(child, link)
        return link

    def _settle(self) -> None:
        self.children.settle()


class Remote:
    """Where the calls of one tool go: to `original` of the server `child`.

    `repeatable` says that its author promised that a second call does no harm, `is_view` that it is a view that is read
    (MCP Apps).
    """

    __slots__ = ("_tool", "child", "gateway", "head", "is_view", "original", "repeatable", "schema")

    def __init__(self, gateway: Gateway, tool: Tool, call: dict[str, Any]) -> None:
        self._tool = tool
        self.gateway = gateway
        self.child = gateway.children.of(call["server"])
        self.original: str = call["original"]
        self.schema: dict[str, Any] | None = (
            tool.entry["definition"].get("inputSchema") if tool.framing is None else None
        )
        self.is_view = isinstance(tool, ProxyView)
        self.head = (
            HEAD % jsonrpc.encode(self.original)
            if tool.framing is None and "command" in self.child.server.row
            else None
        )
        hints = tool.entry["definition"].get("annotations") or {}
        self.repeatable = bool(hints.get("readOnlyHint") or hints.get("idempotentHint"))
        if not (tool.entry.get("limits") or {}).get("timeout"):
            tool.timeout = self.child.server.timeout or tool.timeout

    def begin(self, call: Call, answer: Callable[[dict[str, Any]], None]) -> None:
        """Send a call to its child; `answer` takes its result, once, from any thread."""
        drift = self.gateway.relay.drift
        if drift.refused and drift.refuses(self.child, call.method, self.original):
            answer(failures.drifted(call, self.child.server.id))
            return
        try:
            if call.resumes:
                resumed(call, self, answer)
            else:
                Passage(call, self, answer).begin()
        except Refusal as refusal:
            answer({"rpcError": refusal.body, "content": [], "isError": True})

    def tail(self, arguments: dict[str, Any], caller: Caller) -> bytes | None:
        """Return a request's text from behind its id on, for the child as it is now; None when it is not there yet.

        Raises jsonrpc.Refusal for arguments that cannot be written: 1e400 can be read.
        """
        link = self.child.link
        if link is None or self.child.state != READY or self.head is None:
            return None
        end = caller.plain if link.peer.era == LEGACY else caller.end
        try:
            return self.head + jsonrpc.encode(arguments) + end
        except (ValueError, RecursionError):
            raise Refusal(jsonrpc.INVALID_PARAMS, failures.UNWRITABLE_PARAMS) from None

    @property
    def era(self) -> str:
        """The era of the child, as it was found, or as the table says before it runs."""
        link = self.child.link
        found: str = link.peer.era if link is not None and link.peer.era else self.child.server.row.get("era", "")
        return found

    @property
    def version(self) -> str:
        """The revision that the child speaks."""
        link = self.child.link
        return link.peer.dialect.version if link is not None else LATEST_LEGACY.version

    def refused(self, call: Call, body: dict[str, Any]) -> dict[str, Any]:
        """Build the outcome of a call that its child answered with an error."""
        if isinstance(self._tool, ProxyView):
            body = views.refused(call, self._tool.owned, body)
        elif call.method == "prompts/get" and type(body.get("data")) is dict and "errorCode" in body["data"]:
            message = renamed(body["message"], f"prompt {self.original}", f"prompt {call.params['name']}")
            body = {**body, "message": message}
        elif self._tool.framing is None and body["code"] == MISSING_CAPABILITY and not call.dialect.modern:
            return failures.incapable(call, body)
        return {"rpcError": body, "content": [], "isError": True}

    def facts(self) -> dict[str, str]:
        """Return what an event tells of where a call went."""
        return {"server": self.child.server.id, "original": self.original}

    def lost(self, call: Call, reason: str, detail: str, *, sent: bool) -> dict[str, Any]:
        """Build the outcome of a call that its child did not answer; `sent` says whether it got the call."""
        hopeless = reason == failures.UNAVAILABLE and self.child.is_absent
        name = self.child.server.id
        return failures.lost(call, name, reason, detail, repeatable=self.repeatable, sent=sent, hopeless=hopeless)

    def late(self, call: Call, seconds: float) -> dict[str, Any]:
        """Build the outcome of a call that its child took too long for."""
        self.child.overdue += 1
        return failures.late(call, self.child.server.id, seconds, repeatable=self.repeatable)
