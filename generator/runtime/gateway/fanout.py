"""Changes: what children tell of goes to whoever listens here, and what is listened to here is asked of children.

Theory of operation. The hub of the server knows who listens to what, and says when a topic has its first listener or
lost its last one. From that a child's *wanted* things follow: resources, and tasks. A child is told of them in its own
era: by one `subscriptions/listen` that names all, opened anew when they change, or by `resources/subscribe` for each.
A child that has something wanted of it is started, kept, and started again when it ends. Of changes of its lists a
child is only asked while it runs; nobody starts one to hear that its list is as it was.

Many changes in a row are one: what comes waits a moment (`SETTLE_SECONDS`), and the next waits longer
(`REST_SECONDS`), so that a child cannot make the gateway flood its clients. Everything here is done by the alarm's
thread, but for taking note; the lock guards the notes.
"""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

from ..server.hub import hub_of
from ..wire.dialects import LATEST_MODERN, TASKS
from .errand import Errand
from .peer import MODERN
from .task_routes import details, task_of, token_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ..server.hub import Hub, Topic
    from .child import Child
    from .dispatch import Gateway
    from .links import Link

SETTLE_SECONDS = 0.03
"""How long the first change waits for others that belong to it; people do not notice."""

REST_SECONDS = 1.0
"""How long after a change of lists the next one is told at the earliest."""

AGAIN_SECONDS = 1.0
"""Pause before a listen request that a child ended is opened again."""

LISTS = {
    "notifications/tools/list_changed": ("tools", "toolsListChanged"),
    "notifications/prompts/list_changed": ("prompts", "promptsListChanged"),
    "notifications/resources/list_changed": ("resources", "resourcesListChanged"),
}
"""Notifications about a whole list: the kind of change, and what asks for it in a listen request."""

UPDATED = "notifications/resources/updated"
TASK = "notifications/tasks"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


class Ear:
    """What one child is asked to tell: `wanted` leads from its own URIs to ours, `tasks` from its ids to who asks."""

    __slots__ = ("changed", "due", "listen", "noted", "said", "subscribed", "tasks", "told", "wanted")

    def __init__(self) -> None:
        self.wanted: dict[str, set[str]] = {}
        self.tasks: dict[str, dict[str, str]] = {}
        self.changed: set[str] = set()
        self.noted = False  # a look at what is wanted is on its way
        self.due = False  # telling what changed is on its way
        self.told = 0.0
        self.forget()

    def forget(self) -> None:
        """Have nothing asked, because the child is another one now."""
        self.listen: Errand | None = None
        self.said: dict[str, Any] = {}
        self.subscribed: set[str] = set()


class Fanout:
    """The changes of all children of a gateway. `inspect` looks at a child whose lists changed.

    It returns whether the table follows: then clients are told by `announce`, once it did.
    """

    __slots__ = ("_ears", "_gateway", "_hub", "_lock", "_principals", "inspect")

    def __init__(self, gateway: Gateway, inspect: Callable[[Child], bool]) -> None:
        self._gateway = gateway
        self._lock = allocate_lock()
        self._ears = {child.server.id: Ear() for child in gateway.children.all()}
        self._principals: dict[str, str] = {}
        self.inspect = inspect
        self._hub: Hub = hub_of(gateway.catalog)
        self._hub.interest = self._interest

    # -- what is listened to

    def find(self, task_id: str, principal: str) -> _Listened | None:
        """Return the task of an id, if this principal may listen to it: what `server.tasks` has a store for."""
        found = task_of(self._gateway.catalog.data["id"], principal, task_id)
        if found is None or found[0] not in self._ears:
            return None
        with self._lock:
            self._principals[task_id] = principal
        return _Listened(task_id)

    def _interest(self, topic: Topic) -> None:
        """Take note that something is listened to, or not any more."""
        kind, key = topic
        if kind == "resource":
            owned = self._gateway.routing.owner(key)
            if owned is not None:
                self._note(owned.server, self._ears[owned.server].wanted, owned.original, topic)
        elif kind == "task":
            principal = self._principals.get(key, "")
            found = task_of(self._gateway.catalog.data["id"], principal, key)
            if found is not None:
                self._note_task(found[0], found[1], topic, principal)

    def _note(self, server: str, wanted: dict[str, set[str]], original: str, topic: Topic) -> None:
        with self._lock:
            if self._hub.wants(topic):
                wanted.setdefault(original, set()).add(topic[1])
            elif original in wanted:
                wanted[original].discard(topic[1])
                if not wanted[original]:
                    del wanted[original]
        self._look_soon(server)

    def _note_task(self, server: str, original: str, topic: Topic, principal: str) -> None:
        tasks = self._ears[server].tasks
        with self._lock:
            if self._hub.wants(topic):
                tasks.setdefault(original, {})[topic[1]] = principal
            elif original in tasks:
                tasks[original].pop(topic[1], None)
                self._principals.pop(topic[1], None)
                if not tasks[original]:
                    del tasks[original]
        self._look_soon(server)

    def _look_soon(self, server: str, seconds: float = SETTLE_SECONDS) -> None:
        ear = self._ears[server]
        with self._lock:
            if ear.noted:
                return
            ear.noted = True
        self._gateway.children.alarm.at(monotonic() + seconds, lambda: self._look(server))

    def _look(self, server: str) -> None:
        """Ask a child for what is wanted of it now."""
        ear, child = self._ears[server], self._gateway.children.of(server)
        with self._lock:
            ear.noted = False
            is_wanted = bool(ear.wanted or ear.tasks)
        child.kept = int(is_wanted)
        link = child.ready_link()
        if link is not None:
            self._ask(ear, child, link)
        elif is_wanted:
            child.start()

    # -- asking a child

    def ready(self, child: Child, link: Link) -> None:
        """Ask a child that has just started for what is wanted of it."""
        ear = self._ears[child.server.id]
        with self._lock:
            ear.forget()
        self._ask(ear, child, link)

    def gone(self, child: Child) -> None:
        """Start a child again that something is wanted of."""
        ear = self._ears[child.server.id]
        with self._lock:
            ear.forget()
            is_wanted = bool(ear.wanted or ear.tasks)
        if is_wanted:
            self._look_soon(child.server.id)

    def _ask(self, ear: Ear, child: Child, link: Link) -> None:
        if link.peer.era == MODERN:
            self._listen(ear, child, link)
        elif _promises(link, "resources", "subscribe"):
            with self._lock:
                wanted = set(ear.wanted)
                more, less = wanted - ear.subscribed, ear.subscribed - wanted
                ear.subscribed = wanted
            for method, uris in (("resources/subscribe", more), ("resources/unsubscribe", less)):
                for uri in sorted(uris):
                    link.send(Errand(method, {"uri": uri}, Unheard()))
        link.flush()

    def _listen(self, ear: Ear, child: Child, link: Link) -> None:
        """Open a listen request for all that is wanted, unless it is open already."""
        with self._lock:
            said: dict[str, Any] = {
                asked: True for kind, asked in LISTS.values() if _promises(link, kind, "listChanged")
            }
            if ear.wanted and _promises(link, "resources", "subscribe"):
                said["resourceSubscriptions"] = sorted(ear.wanted)
            if ear.tasks:
                said["taskIds"] = sorted(ear.tasks)
            if said == ear.said:
                return
            earlier, ear.listen, ear.said = ear.listen, None, said
        if not said:
            if earlier is not None:
                link.cancel(earlier, "nobody listens any more")
            return
        taker = Listen(self, child, link, earlier)
        capabilities: dict[str, Any] = {"extensions": {TASKS: {}}} if "taskIds" in said else {}
        ear.listen = taker.errand = Errand(
            "subscriptions/listen", {"notifications": said}, taker, capabilities=capabilities
        )
        link.send(taker.errand)

    def ended(self, child: Child, errand: Errand, *, again: bool) -> None:
        """Take note that a listen request ended; it is opened again if the child did not refuse it."""
        ear = self._ears[child.server.id]
        with self._lock:
            if ear.listen is not errand:
                return
            ear.listen = None
            if again:
                ear.said = {}
        if again:
            self._look_soon(child.server.id, AGAIN_SECONDS)

    # -- what children tell

    def heard(self, child: Child, method: str, params: dict[str, Any]) -> bool:
        """Tell on what a child says of a change; False for what says nothing of one."""
        listed = LISTS.get(method)
        if listed is not None:
            self._list_changed(child, listed[0])
        elif method == UPDATED:
            self._updated(child, params)
        elif method == TASK:
            self._task_changed(child, params)
        else:
            return False
        return True

    def _list_changed(self, child: Child, kind: str) -> None:
        ear = self._ears[child.server.id]
        now = monotonic()
        with self._lock:
            ear.changed.add(kind)
            if ear.due:
                return
            ear.due = True
            moment = max(now + SETTLE_SECONDS, ear.told + REST_SECONDS)
        self._gateway.children.alarm.at(moment, lambda: self._tell(child))

    def _tell(self, child: Child) -> None:
        ear = self._ears[child.server.id]
        with self._lock:
            kinds, ear.changed, ear.due = ear.changed, set(), False
            ear.told = monotonic()
        if not self.inspect(child):
            self.announce(sorted(kinds))

    def announce(self, kinds: Iterable[str]) -> None:
        """Tell everybody that these lists changed."""
        for kind in kinds:
            self._hub.publish(kind)

    def _updated(self, child: Child, params: dict[str, Any]) -> None:
        uri = params.get("uri")
        if type(uri) is not str:
            return
        with self._lock:
            ours = [*self._ears[child.server.id].wanted.get(uri, ())]
        for each in ours or [self._gateway.routing.names(child.server.id).uri(uri)]:
            owned = self._gateway.routing.owner(each)
            if owned is not None and owned.server == child.server.id:  # of another's it has nothing to tell
                self._hub.publish("resource", each)

    def _task_changed(self, child: Child, params: dict[str, Any]) -> None:
        task_id = params.get("taskId")
        if type(task_id) is not str:
            return
        with self._lock:
            listened = {**self._ears[child.server.id].tasks.get(task_id, {})}
        gateway = self._gateway.catalog.data["id"]
        names = self._gateway.routing.names(child.server.id)
        for principal in set(listened.values()):
            told = details(gateway, principal, params, names, LATEST_MODERN)
            self._hub.publish("task", token_of(gateway, principal, child.server.id, task_id), told)


class Listen:
    """The taker of a listen request; `earlier` is the one whose place it takes once it is acknowledged."""

    __slots__ = ("_child", "_earlier", "_fanout", "_link", "errand")

    def __init__(self, fanout: Fanout, child: Child, link: Link, earlier: Errand | None) -> None:
        self._fanout = fanout
        self._child = child
        self._link = link
        self._earlier = earlier
        self.errand: Errand | None = None

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Tell a change on."""
        if method != ACKNOWLEDGED:
            self._fanout.heard(self._child, method, params)
            return
        earlier, self._earlier = self._earlier, None
        if earlier is not None:
            self._link.cancel(earlier, "another request took its place")

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


class _Listened:
    """A task that somebody may listen to; its child says how it stands when it is listened to there."""

    __slots__ = ("id",)

    def __init__(self, task_id: str) -> None:
        self.id = task_id

    def repeat(self) -> None:
        """Leave it to the child."""


def _promises(link: Link, kind: str, member: str) -> bool:
    capability = link.peer.capabilities.get(kind)
    return type(capability) is dict and capability.get(member) is True
