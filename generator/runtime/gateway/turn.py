"""One errand on its way through a child: it waits for its turn, is sent, and comes to one end."""

from __future__ import annotations

from .errand import Errand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .callers import Caller
    from .child import Child
    from .links import Link
    from .passage import Passage


class Turn(Errand):
    """Stands between a link and its taker; whoever takes it out of its child's books decides its end.

    `repeatable` says that the errand may be sent once more if the child ends before it answers; `link` is where it was
    sent, None while it waits.
    """

    __slots__ = ("_child", "_passage", "link", "repeatable")

    def __init__(
        self,
        child: Child,
        method: str,
        params: dict[str, Any],
        taker: Passage,
        caller: Caller | None = None,
        *,
        repeatable: bool = False,
    ) -> None:
        if caller is None:
            super().__init__(method, params, taker)
        else:  # one is made for every call: what `Errand` does, without looking at what is given already
            self.method = method
            self.params = params
            self.taker = taker
            self.meta = caller.meta
            self.client = caller.client
            self.capabilities = caller.capabilities
            self.log_level = caller.level
            self.wants_progress = False
            self.schema = self.tail = None
            self.id = 0
        self._child = child
        self._passage = taker
        self.repeatable = repeatable
        self.link: Link | None = None

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
            self.taker.answered(message)

    def spliced(self, result: dict[str, Any], inner: bytes) -> None:
        """Pass on a result whose members may go on as they are written, which is `inner`."""
        if self._child.answered(self):
            self._passage.spliced(result, inner)

    def lost(self, reason: str, detail: str) -> None:
        """Tell that no answer comes, unless the errand may be sent again."""
        if self._child.lost(self, reason, detail):
            self.taker.lost(reason, detail)
