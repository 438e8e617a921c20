"""Whose is what a child says unasked: its questions, its log, its changes.

On a pipe nothing says which call a question or a log message belongs to. It is told to the one caller whose calls are
under way; where it could be that of several, a question is refused and a message dropped: what one principal's call
brought up must not be shown to another. For questions a call that was given up counts as under way until its child
answers it after all, or is replaced; that is done once a question could not be asked because of it, and no call is left
in the child.
"""

from __future__ import annotations

from time import monotonic

from ..server import logs
from ..server.call import LEVELS
from ..wire import jsonrpc
from .drift import REFRESH, Drift
from .ears import Unheard
from .errand import Errand
from .fanout import Fanout
from .held import Held
from .passage import ELICITATION_COMPLETE, Passage
from .peer import LEGACY
from .states import principal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .child import Child
    from .dispatch import Gateway
    from .links import Link

NOBODY: dict[str | int, str] = {}

MAX_TOLD = 20
"""Refused questions of a running child that the log tells of: one that asks whatever it is answered fills no disk."""

ASSUMED_LEVEL = "info"
"""What a legacy child is taken to log from, as long as nobody told it otherwise."""


class Relay:
    """What is between a gateway's callers and its children besides calls and answers."""

    __slots__ = ("_gateway", "_levels", "_refused", "_swept", "drift", "fanout", "held")

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._levels: dict[str, str] = {}
        self._refused: dict[str, int] = {}
        self._swept = False
        self.held = Held()
        self.drift = Drift(gateway)
        self.fanout = Fanout(gateway, self._inspect)
        gateway.children.on_ready = self.ready
        gateway.children.on_gone = self.fanout.gone

    # -- the life of a child

    def attach(self, child: Child, link: Link) -> None:
        """Hear what a child says that belongs to no errand."""
        link.on_notification = lambda method, params: self.notified(child, method, params)
        link.on_renewed = lambda: self._renewed(child, link)
        link.on_request = lambda request_id, method, params: self.asked(child, link, request_id, method, params)

    def ready(self, child: Child, link: Link, go: Callable[[], None]) -> None:
        """Tell a child that has just started what is wanted of it, before its first call; `go` lets that go."""
        self._refused.pop(child.server.id, None)
        self._tell_level(child, link)
        self.fanout.ready(child, link)
        self.drift.started(child, link, go)

    def _renewed(self, child: Child, link: Link) -> None:
        """Tell a child that began a new session what is wanted of it, as its old one knew."""
        self._tell_level(child, link)
        self.fanout.ready(child, link)

    def _tell_level(self, child: Child, link: Link) -> None:
        level = self._levels.get(child.server.id, ASSUMED_LEVEL)
        if level != ASSUMED_LEVEL:
            _set_level(link, level)

    def _inspect(self, child: Child) -> bool:
        """Look at a child whose lists changed; True where the table follows."""
        link = child.ready_link()
        if link is None:
            return False
        self.drift.inspect(child, link)
        return self.drift.policy(child) == REFRESH

    # -- the log

    def wants_log(self, child: Child, level: str | None) -> None:
        """Have a legacy child log what a caller wants to hear, if that is more than before."""
        if (
            level is None
            or level == ASSUMED_LEVEL
            or LEVELS.index(level) >= LEVELS.index(self._levels.get(child.server.id, ASSUMED_LEVEL))
        ):
            return
        self._levels[child.server.id] = level
        link = child.ready_link()
        if link is not None:
            _set_level(link, level)

    # -- what belongs to no errand

    def notified(self, child: Child, method: str, params: dict[str, Any]) -> None:
        """Tell on what a child says."""
        if self.fanout.heard(child, method, params):
            return
        if method == "notifications/message":
            passage = self._only(child)
            if passage is not None:
                passage.notified(method, params)
        elif method == "notifications/cancelled":
            for passage in _passages(child):
                if passage.withdraw(params.get("requestId")):
                    return
        elif method == ELICITATION_COMPLETE:
            for passage in _passages(child):
                if passage.completed(params.get("elicitationId")):
                    return

    def asked(self, child: Child, link: Link, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Ask the one caller there is what a legacy child wants to know."""
        passage = self._only(child, link.peer.abandoned)
        if passage is not None:
            passage.asked(request_id, method, params)
            return
        why = self._why_nobody(child, link)
        self._tell_of_refusal(child.server.id, f"asked {jsonrpc.shown(method)}, and was refused: {why}")
        error = jsonrpc.error_body(jsonrpc.INTERNAL_ERROR, f"Nobody can be asked {jsonrpc.shown(method)}: {why}")
        link.reply(request_id, None, error)

    def _tell_of_refusal(self, name: str, what: str) -> None:
        self._refused[name] = count = self._refused.get(name, 0) + 1
        if count <= MAX_TOLD:
            logs.write(f"child {name} {what}" + ("; the log tells of no more of these" if count == MAX_TOLD else ""))

    def _why_nobody(self, child: Child, link: Link) -> str:
        """Say why a question can be put to nobody, and have it so no longer than it must be."""
        from ..server.asking import ASKING_METHODS

        principals = {principal_of(each.call) for each in _passages(child) if each.call.method in ASKING_METHODS}
        if not principals:
            return "no call is under way"
        if len(principals) > 1:
            self.held.contest(child.server.id, monotonic())
        if not principals.issuperset(link.peer.abandoned.values()):
            child.replace(link, "it may still be at work for somebody whose call was given up")
        return "calls of several callers are under way, and nothing says whose it is"

    def _only(self, child: Child, abandoned: Mapping[str | int, str] = NOBODY) -> Passage | None:
        """Return the call that what a child says belongs to; None when it may be another principal's, or anybody's.

        In one session the latest call stands for all. Where sessions have one principal, it is the only call that
        does not wait for an answer already: such a call is at rest. `abandoned` are those whose calls were given up,
        for which the child may still be at work.
        """
        from ..server.asking import ASKING_METHODS

        passages = [passage for passage in _passages(child) if passage.call.method in ASKING_METHODS]
        principals = {principal_of(passage.call) for passage in passages}
        if len(principals) != 1 or not principals.issuperset(abandoned.values()):
            return None
        working = [passage for passage in passages if not passage.is_away]
        if len({id(passage.call.session) for passage in passages}) == 1:
            return (working or passages)[-1]
        return working[0] if len(working) == 1 else None

    # -- calls that wait for their callers

    def look_after_held(self) -> None:
        """Give up what nobody comes back for, when its time is over."""
        if not self._swept:
            self._swept = True
            self._sweep()

    def _sweep(self) -> None:
        following = self.held.sweep(monotonic())
        if following is None:
            self._swept = False
            if len(self.held):  # one came in between
                self.look_after_held()
            return
        self._gateway.children.alarm.at(following, self._sweep)


def _passages(child: Child) -> list[Passage]:
    """Return a child's calls under way, the oldest first."""
    turns = sorted(child.turns(), key=lambda turn: turn.id if type(turn.id) is int else 0)
    return [turn.taker for turn in turns if isinstance(turn.taker, Passage)]


def _set_level(link: Link, level: str) -> None:
    if link.peer.era == LEGACY and "logging" in link.peer.capabilities:
        link.send(Errand("logging/setLevel", {"level": level}, Unheard()))
        link.flush()
