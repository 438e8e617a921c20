"""Children whose links do what a test says, without a process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.runtime.gateway.children import Children
from generator.runtime.gateway.links import CLOSED, NEW
from generator.runtime.gateway.table import Table
from generator.runtime.gateway.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.runtime.gateway.child import Child
    from generator.runtime.gateway.errand import Errand


class FakePeer:
    era = "modern"
    abandoned: dict = {}  # noqa: RUF012 - nothing is put into it


class FakeLink:
    """A link whose child says what the test has it say."""

    def __init__(self, child: Child) -> None:
        self.name = child.server.id
        self.state = NEW
        self.peer = FakePeer()
        self.sent: list[Errand] = []
        self.cancelled: list[Errand] = []
        self.on_pause = None

    def start(self, ready: Callable[[], None], ended: Callable[[str, str], None]) -> None:
        self.ready, self.ended = ready, ended

    def send(self, errand: Errand) -> None:
        if self.state == CLOSED:
            errand.lost("child_disconnected", "the connection is closed")
        else:
            self.sent.append(errand)

    def flush(self) -> None:
        pass

    def cancel(self, errand: Errand, _: str) -> None:
        self.sent.remove(errand)
        self.cancelled.append(errand)

    def close(self) -> None:
        self.die("closed")

    def stderr_tail(self) -> str:
        return ""

    # -- what the test does

    def answer(self, count: int = 1) -> None:
        for errand in [self.sent.pop(0) for _ in range(count)]:
            errand.answered({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})

    def die(self, why: str = "it ended", *, told_first: bool = False) -> None:
        if self.state == CLOSED:
            return
        self.state = CLOSED
        if told_first:
            self.ended("child_disconnected", why)
        lost, self.sent = self.sent, []
        for errand in lost:
            errand.lost("child_disconnected", why)
        if not told_first:
            self.ended("child_disconnected", why)


class Outcome:
    """What a taker was told."""

    def __init__(self) -> None:
        self.answers: list[dict] = []
        self.losses: list[tuple[str, str]] = []

    def answered(self, message: dict) -> None:
        self.answers.append(message)

    def notified(self, method: str, params: dict) -> None:
        pass

    def asked(self, request_id: str | int, method: str, params: dict) -> None:
        pass

    def lost(self, reason: str, detail: str) -> None:
        self.losses.append((reason, detail))

    @property
    def over(self) -> int:
        return len(self.answers) + len(self.losses)


class Family:
    """Children over fake links; `links` are those that were made, by child."""

    def __init__(self, *names: str, max_calls: int | None = None, **limits: Any) -> None:
        self.links: dict[str, list[FakeLink]] = {name: [] for name in names}
        servers = {name: {"command": [name], "limits": limits} for name in names}
        self.children = Children(Table({"servers": servers, "max_calls": max_calls}), self._connect)

    def _connect(self, child: Child) -> FakeLink:
        link = FakeLink(child)
        self.links[child.server.id].append(link)
        return link

    def call(self, name: str, *, repeatable: bool = False) -> Outcome:
        outcome = Outcome()
        self.turn(name, outcome, repeatable=repeatable).submit()
        return outcome

    def turn(self, name: str, outcome: Outcome, *, repeatable: bool = False) -> Turn:
        return Turn(self.children.of(name), "tools/call", {}, outcome, repeatable=repeatable)

    def ready(self, name: str) -> FakeLink:
        """Have a child's last link get ready."""
        link = self.links[name][-1]
        link.ready()
        return link
