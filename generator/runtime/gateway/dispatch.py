"""Calls of a gateway's tools: each goes to the child that has the tool, on no thread of its own."""

from __future__ import annotations

from ..server import logs
from ..server.ui import EXTENSION, MIME_TYPE
from . import failures, journal
from .children import Children
from .links import Ground, make_link
from .table import Table
from .telling import Telling
from .translate import CallTaker, errand_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call
    from ..server.catalog import Catalog
    from ..server.tool import Tool
    from .child import Child
    from .links import Link


class Gateway:
    """The gateway of one catalog: its table and its children."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.table = Table(catalog.data["gateway"])
        self.children = Children(self.table, self._connect)
        self._telling: Telling | None = None
        server = catalog.header["server"]
        self._ground = Ground(
            catalog.folder.rpartition("/")[0] or "/",
            client={"name": server["name"], "version": server["version"]},
            offered={"extensions": {EXTENSION: {"mimeTypes": [MIME_TYPE]}}},
            overheard=journal.overheard if logs.options.dev else None,
        )

    def remote(self, tool: Tool, call: dict[str, Any]) -> Remote:
        """Return where the calls of a tool go; `call` is how its entry says it is called."""
        return Remote(self, tool, call)

    def serve(self, flush: Callable[[], None]) -> Callable[[], None]:
        """Have answers collected and written by `flush`; return what writes the requests that were collected."""
        self.children.settle = flush
        self._telling = Telling(self.children, self.catalog.header["id"], self.catalog.folder)
        self.children.changed = self._telling.changed
        return self.children.flush

    def close(self) -> None:
        """Begin to end all children."""
        self.children.close()
        if self._telling is not None:
            self._telling.end()

    def _connect(self, child: Child) -> Link:
        link = make_link(child.server.id, child.server.row, self._ground)
        link.on_pause = self._settle
        return link

    def _settle(self) -> None:
        self.children.settle()


class Remote:
    """Where the calls of one tool go: to `original` of the server `child`.

    `repeatable` says that its author promised that a second call does no harm.
    """

    __slots__ = ("child", "gateway", "original", "repeatable")

    def __init__(self, gateway: Gateway, tool: Tool, call: dict[str, Any]) -> None:
        self.gateway = gateway
        self.child = gateway.children.of(call["server"])
        self.original: str = call["original"]
        hints = tool.entry["definition"].get("annotations") or {}
        self.repeatable = bool(hints.get("readOnlyHint") or hints.get("idempotentHint"))
        if not (tool.entry.get("limits") or {}).get("timeout"):
            tool.timeout = self.child.server.timeout or tool.timeout

    def begin(self, call: Call, answer: Callable[[dict[str, Any]], None]) -> None:
        """Send a call to its child; `answer` takes its result, once, from any thread."""
        taker = CallTaker(call, self, answer)
        turn = taker.turn = self.child.turn(errand_of(call, self.original, taker), repeatable=self.repeatable)
        call.on_cancel = turn.cancel
        turn.submit()

    def facts(self) -> dict[str, str]:
        """Return what an event tells of where a call went."""
        return {"server": self.child.server.id, "original": self.original}

    def lost(self, call: Call, reason: str, detail: str) -> dict[str, Any]:
        """Build the outcome of a call that its child did not answer."""
        return failures.lost(call, self.child.server.id, reason, detail, repeatable=self.repeatable)

    def late(self, call: Call, seconds: float) -> dict[str, Any]:
        """Build the outcome of a call that its child took too long for."""
        self.child.overdue += 1
        return failures.late(call, self.child.server.id, seconds, repeatable=self.repeatable)
