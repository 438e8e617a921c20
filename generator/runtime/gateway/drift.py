"""Children that are not what the table says any more: found, told of once, and refused or followed (B22).

A child's lists are looked at when it starts and when it says that they changed. What then happens is the policy of its
row: `warn` tells the operator, `refuse` also refuses calls of what changed, because a definition somebody approved must
not become another one behind their back, and `refresh` puts the child's new definitions into the table of this process.
Resources come and go while servers work, so they are followed but are no news.
"""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

from ..server import logs
from . import failures
from .drift_compare import CHANGED, GONE, differences
from .inspecting import Inspection
from .passage import Passage
from .spawning import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .child import Child
    from .dispatch import Gateway
    from .drift_compare import Difference
    from .links import Link
    from .turn import Turn

WARN, REFUSE, REFRESH = "warn", "refuse", "refresh"

NEWS = ("tools", "prompts", "templates")
"""Kinds whose changes are told of."""

MAX_TOLD = 20
"""Differences that one message names."""

KIND_OF = {"tools/call": "tools", "prompts/get": "prompts"}
"""Calls that are refused where their definition changed."""

FILES_CHANGED = "its files changed since the gateway was built; build it again once you have looked at the change"

LATER_SECONDS = 1.0
"""How long after its start a child's files are looked at: its first call should not wait for that."""

LONGEST_LOOK = 10.0
"""Seconds that the calls of a child wait for its lists to be compared, where changed ones are to be refused."""


class Drift:
    """What is known of the drift of each child."""

    __slots__ = ("_again", "_gateway", "_lock", "_looking", "_told", "refused")

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._lock = allocate_lock()
        self._looking: set[str] = set()
        self._again: set[str] = set()
        self.refused: dict[str, frozenset[tuple[str, str]]] = {}
        self._told: dict[str, str] = {}

    def policy(self, child: Child) -> str:
        """Return what is to be done about a child's drift."""
        found: str = child.server.row.get("drift") or WARN
        return found

    def refuses(self, child: Child, method: str, original: str) -> bool:
        """Say whether a call is refused because what it is for changed."""
        return (KIND_OF.get(method, ""), original) in self.refused.get(child.server.id, ())

    def started(self, child: Child, link: Link, go: Callable[[], None]) -> None:
        """Look at a child that has just started; `go` lets its calls go, which wait where changes are refused."""
        if self.policy(child) != REFUSE:
            go()
            self.inspect(child, link)
            self._gateway.children.alarm.at(monotonic() + LATER_SECONDS, lambda: self._look_at_files(child))
            return
        gone: list[bool] = []

        def once() -> None:
            with self._lock:
                first, gone[:] = not gone, [True]
            if first:
                self._refuse_waiting(child)
                go()

        self._gateway.children.alarm.at(monotonic() + LONGEST_LOOK, once)
        self.inspect(child, link, once)

    def _refuse_waiting(self, child: Child) -> None:
        """Answer the calls of what changed that waited for the comparison."""

        def is_refused(turn: Turn) -> bool:
            return self.refuses(child, turn.method, turn.params.get("name", ""))

        for turn in child.withdraw(is_refused):
            if isinstance(turn.taker, Passage):
                turn.taker.end(failures.drifted(turn.taker.call, child.server.id))

    def admit(self, child: Child) -> None:
        """Raise Unavailable for a child that must not even be started, because its files changed."""
        if self.policy(child) == REFUSE and self._files_changed(child):
            raise Unavailable(FILES_CHANGED)

    def _look_at_files(self, child: Child) -> None:
        if self._files_changed(child):
            self._tell(f"{child.server.id}: files", f"child {child.server.id} runs other files: {FILES_CHANGED}")

    def _files_changed(self, child: Child) -> bool:
        if not child.server.row.get("files"):
            return False
        from .package_drift import files_changed  # hashing and reading folders: not needed to start

        return files_changed(child.server.row, self._gateway.ground)

    def inspect(self, child: Child, link: Link, then: Callable[[], None] | None = None) -> None:
        """Look at a child's lists; one look at a time, and another after it if something changed meanwhile."""
        server = child.server.id
        with self._lock:
            if server in self._looking:
                self._again.add(server)
                return
            self._looking.add(server)

        def done(found: dict[str, list[Any]] | None, problem: str) -> None:
            try:
                self._compare(child, link, found, problem)
            finally:
                with self._lock:
                    self._looking.discard(server)
                    again = server in self._again
                    self._again.discard(server)
                if then is not None:
                    then()
            if again and child.ready_link() is link:
                self.inspect(child, link)

        Inspection(link, done).begin()

    def _compare(self, child: Child, link: Link, found: dict[str, list[Any]] | None, problem: str) -> None:
        server = child.server.id
        if found is None:
            if problem:
                self._tell(
                    server, f"child {server}: its lists could not be compared with the gateway's table: {problem}"
                )
            return
        data = self._gateway.catalog.data
        news: list[Difference] = []
        any_at_all = False
        for kind, live in found.items():
            entries = [entry for entry in data.get(kind) or () if entry["call"].get("server") == server]
            of_kind = [*differences(kind, entries, live, link.peer.dialect, (server, child.server.row))]
            any_at_all = any_at_all or bool(of_kind)
            news += of_kind if kind in NEWS else []
        policy = self.policy(child)
        if policy == REFUSE:
            bad = frozenset((each.kind, each.original) for each in news if each.what in (CHANGED, GONE))
            self.refused[server] = bad
        if news:
            self._tell(server, _message(server, news, policy))
        else:
            self._told.pop(server, None)
        if policy == REFRESH and any_at_all:
            from .refreshing import refresh

            self._gateway.relay.fanout.announce(refresh(self._gateway, server, found))

    def _tell(self, server: str, message: str) -> None:
        if self._told.get(server) != message:
            self._told[server] = message
            logs.warning(message)


def _message(server: str, news: list[Difference], policy: str) -> str:
    told = "; ".join(map(str, news[:MAX_TOLD]))
    more = f"; and {len(news) - MAX_TOLD} more" if len(news) > MAX_TOLD else ""
    then = {
        WARN: "The table stays as it is: build the gateway again once you have looked at the change.",
        REFUSE: "Calls of what changed are refused until the gateway is built again.",
        REFRESH: "The table of this process follows.",
    }[policy]
    return f"child {server} is not what the gateway's table says: {told}{more}. {then}"
