"""Asking a child for all its lists, page by page, without waiting for any of them."""

from __future__ import annotations

from ..wire.dialects import APPS, VIEW_TYPE
from .errand import Errand
from .page_walk import LISTS, PageWalk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .links import Link


class Inspection:
    """One look at a child's lists; `done` gets them by kind, or why they could not be had ("" when the child ended)."""

    __slots__ = ("_done", "_found", "_left", "_link", "_walk")

    def __init__(self, link: Link, done: Callable[[dict[str, list[Any]] | None, str], None]) -> None:
        self._link = link
        self._done = done
        self._left = [row for row in LISTS if row[1] in link.peer.capabilities]
        self._found: dict[str, list[Any]] = {}
        self._walk = PageWalk("")

    def begin(self) -> None:
        """Ask for the first page of the next list, or tell that there are no more lists."""
        if not self._left:
            self._done(self._found, "")
            return
        self._walk = PageWalk(self._left[0][3])
        self._ask()

    def _ask(self) -> None:
        capabilities = {"extensions": {APPS: {"mimeTypes": [VIEW_TYPE]}}}
        self._link.send(Errand(self._left[0][2], self._walk.params, self, capabilities=capabilities))
        self._link.flush()

    def answered(self, message: dict[str, Any]) -> None:
        """Take a page."""
        kind, _, method, _ = self._left[0]
        error = message.get("error")
        if error is not None:
            if kind == "templates":  # many servers with resources know no templates
                self._left.pop(0)
                self._found[kind] = []
                self.begin()
                return
            self._done(None, f"{method} was answered with error {error.get('code')}")
            return
        walk = self._walk
        if walk.take(message["result"]):
            self._ask()
        elif walk.endless:
            self._done(None, f"{method} does not end: {walk.endless}")
        else:
            self._found[kind] = walk.items
            self._left.pop(0)
            self.begin()

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Take what comes before it."""

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:  # noqa: ARG002 # a taker's form
        """Refuse what is asked: no caller is there."""
        self._link.reply(request_id, None, {"code": -32603, "message": "No call is under way"})

    def lost(self, reason: str, detail: str) -> None:  # noqa: ARG002 # a taker's form
        """Take notice that the child ended, which others tell of."""
        self._done(None, "")
