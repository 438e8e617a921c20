"""What children are asked to tell, and the takers of what they are asked for."""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .child import Child
    from .errand import Errand
    from .fanout import Fanout
    from .links import Link

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


class Ear:
    """What one child is asked to tell: `wanted` leads from its own URIs to ours, `tasks` from its ids to who asks.

    `link` is the way to it from when it may be asked; `old` are listen requests whose place `listen` takes.
    """

    __slots__ = (
        "asking", "changed", "due", "link", "listen", "noted", "old", "said", "spent", "subscribed", "tasks", "told",
        "wanted",
    )  # fmt: skip

    def __init__(self) -> None:
        self.wanted: dict[str, set[str]] = {}
        self.tasks: dict[str, dict[str, str]] = {}
        self.changed: set[str] = set()
        self.noted = False  # a look at what is wanted is on its way
        self.due = False  # telling what changed is on its way
        self.told = 0.0
        self.spent = 0.0  # up to when it was asked as often as may be
        self.asking = allocate_lock()
        self.forget(None)

    def forget(self, link: Link | None) -> None:
        """Have nothing asked, because the child is another one now, or none."""
        self.link = link
        self.listen: Errand | None = None
        self.old: list[Errand] = []
        self.said: dict[str, Any] = {}
        self.subscribed: set[str] = set()


class Listen:
    """The taker of a listen request."""

    __slots__ = ("_child", "_fanout", "_link", "errand")

    def __init__(self, fanout: Fanout, child: Child, link: Link) -> None:
        self._fanout = fanout
        self._child = child
        self._link = link
        self.errand: Errand | None = None

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Tell a change on."""
        if method != ACKNOWLEDGED:
            self._fanout.heard(self._child, method, params)
        elif self.errand is not None:
            self._fanout.stands(self._child, self._link, self.errand)

    def answered(self, message: dict[str, Any]) -> None:
        """Open it again: the child ended it, perhaps to have its connections elsewhere."""
        self._end(again="error" not in message)

    def lost(self, reason: str, detail: str) -> None:  # noqa: ARG002 # a taker's form
        """Open it again if the child is still there."""
        self._end(again=self._child.ready_link() is self._link)

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Do nothing: in this era nobody asks."""

    def _end(self, *, again: bool) -> None:
        if self.errand is not None:
            self._fanout.ended(self._child, self.errand, again=again)


class Unheard:
    """The taker of what nobody waits for."""

    __slots__ = ()

    def answered(self, message: dict[str, Any]) -> None:
        """Take the answer."""

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Take what comes before it."""

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Take a question, which belongs to no call."""

    def lost(self, reason: str, detail: str) -> None:
        """Take notice that there is no answer."""
