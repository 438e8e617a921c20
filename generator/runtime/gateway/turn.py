"""One errand on its way through a child: it waits for its turn, is sent, and comes to one end."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .child import Child
    from .errand import Errand, Taker
    from .links import Link


class Turn:
    """Stands between a link and the taker of an errand; whoever takes it out of its child's books decides its end.

    `repeatable` says that the errand may be sent once more if the child ends before it answers; `link` is where it was
    sent, None while it waits.
    """

    __slots__ = ("_child", "errand", "link", "repeatable", "taker")

    def __init__(self, child: Child, errand: Errand, *, repeatable: bool) -> None:
        self._child = child
        self.errand = errand
        self.taker: Taker = errand.taker
        self.repeatable = repeatable
        self.link: Link | None = None
        errand.taker = self

    def submit(self) -> None:
        """Send the errand when its turn comes; it may have come to its end when this returns."""
        self._child.submit(self)

    def cancel(self, reason: str = "") -> bool:
        """Wait for no answer any more; False when the errand had its end before."""
        return self._child.cancel(self, reason)

    def reply(self, request_id: str | int, result: dict[str, Any] | None, error: dict[str, Any] | None) -> None:
        """Answer what the child asked."""
        if self.link is not None:
            self.link.reply(request_id, result, error)

    # -- what the link tells

    def answered(self, message: dict[str, Any]) -> None:
        """Pass an answer on."""
        if self._child.answered(self):
            self.errand.taker = self.taker  # the errand has its end, and leads here no more
            self.taker.answered(message)

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Pass on what comes before it."""
        self.taker.notified(method, params)

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Pass on what the child asks."""
        self.taker.asked(request_id, method, params)

    def lost(self, reason: str, detail: str) -> None:
        """Tell that no answer comes, unless the errand may be sent again."""
        if self._child.lost(self, reason, detail):
            self.taker.lost(reason, detail)
