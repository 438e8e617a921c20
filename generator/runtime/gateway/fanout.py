"""Changes: what children tell of goes to whoever listens here, and what is listened to here is asked of children.

Theory of operation. The hub of the server knows who listens to what, and says when a topic has its first listener or
lost its last one. From that a child's *wanted* things follow: resources, and tasks. A child is told of them in its own
era: by one `subscriptions/listen` that names all, opened anew when they change, or by `resources/subscribe` for each.
A child that has something wanted of it is started, kept, and started again when it ends. Of changes of its lists a
child is only asked while it runs; nobody starts one to hear that its list is as it was.

What is wanted more than before is asked at once of a child that runs, before the client hears that it is listened to;
of one that starts, before its first call. What is wanted less waits a moment (`SETTLE_SECONDS`), and so does all the
rest of a storm (`AT_ONCE`): clients that come and go are nothing that a child has to hear of one by one.

Many changes in a row are one: what comes waits a moment as well, and the next waits longer (`REST_SECONDS`), so that a
child cannot make the gateway flood its clients. The lock guards the notes; an ear's own one is held while its child is
asked, which waits for nothing, so that what was asked last is what is wanted.
"""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic

from ..server.hub import hub_of
from ..wire.dialects import LATEST_MODERN, TASKS
from .ears import Ear, Listen, Unheard
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

AT_ONCE = 16
"""Times that a child may be asked for more without a pause; after that, once in each `SETTLE_SECONDS`."""

MAX_OLD = 4
"""Listen requests that stay open because the one in their place is not acknowledged; some children never do that."""

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
INSTEAD = "another request took its place"
"""Why a listen request is given up."""


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

    def _interest(self, topics: list[Topic]) -> None:
        """Take note that something is listened to, or not any more."""
        more: dict[str, bool] = {}  # by child, whether that is more than before
        for topic in topics:
            kind, key = topic
            if kind == "resource":
                owned = self._gateway.routing.owner(key)
                if owned is not None:
                    noted = self._note(self._ears[owned.server].wanted, owned.original, topic)
                    more[owned.server] = noted or more.get(owned.server, False)
            elif kind == "task":
                principal = self._principals.get(key, "")
                found = task_of(self._gateway.catalog.data["id"], principal, key)
                if found is not None:
                    noted = self._note_task(self._ears[found[0]].tasks, found[1], topic, principal)
                    more[found[0]] = noted or more.get(found[0], False)
        for server, is_more in more.items():
            if not is_more or not self._ask_at_once(server):
                self._look_soon(server)

    def _note(self, wanted: dict[str, set[str]], original: str, topic: Topic) -> bool:
        """Note one resource; True when nobody wanted it before."""
        with self._lock:
            known = original in wanted
            if self._hub.wants(topic):
                wanted.setdefault(original, set()).add(topic[1])
                return not known
            if known:
                wanted[original].discard(topic[1])
                if not wanted[original]:
                    del wanted[original]
            return False

    def _note_task(self, tasks: dict[str, dict[str, str]], original: str, topic: Topic, principal: str) -> bool:
        """Note one task; True when nobody wanted it before."""
        with self._lock:
            known = original in tasks
            if self._hub.wants(topic):
                tasks.setdefault(original, {})[topic[1]] = principal
                return not known
            if known:
                tasks[original].pop(topic[1], None)
                self._principals.pop(topic[1], None)
                if not tasks[original]:
                    del tasks[original]
            return False

    def _ask_at_once(self, server: str) -> bool:
        """Ask a child for what is wanted of it now; False where it is not there yet, or was asked too often."""
        ear, child = self._ears[server], self._gateway.children.of(server)
        now = monotonic()
        with self._lock:
            spent = max(ear.spent, now - AT_ONCE * SETTLE_SECONDS) + SETTLE_SECONDS
            if ear.link is None or spent > now:
                return False
            ear.spent = spent
            child.kept = 1
        self._ask(ear, child)
        return True

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
            is_there = ear.link is not None
        if is_there:
            self._ask(ear, child)
        elif is_wanted:
            child.start()

    # -- asking a child

    def ready(self, child: Child, link: Link) -> None:
        """Ask a child that has just started for what is wanted of it."""
        ear = self._ears[child.server.id]
        with self._lock:
            ear.forget(link)
        self._ask(ear, child)

    def gone(self, child: Child) -> None:
        """Start a child again that something is wanted of."""
        ear = self._ears[child.server.id]
        with self._lock:
            ear.forget(None)
            is_wanted = bool(ear.wanted or ear.tasks)
        if is_wanted:
            self._look_soon(child.server.id)

    def _ask(self, ear: Ear, child: Child) -> None:
        """Ask a child for what is wanted, if that is not what it was asked for."""
        with ear.asking:
            link = ear.link
            if link is not None:
                self._ask_by(ear, child, link)

    def _ask_by(self, ear: Ear, child: Child, link: Link) -> None:
        if link.peer.era == MODERN:
            self._listen(ear, child, link)
        elif _promises(link, "resources", "subscribe"):
            with self._lock:
                wanted = set(ear.wanted) if ear.link is link else ear.subscribed
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
            if said == ear.said or ear.link is not link:
                return
            ear.old += [ear.listen] if ear.listen is not None else []
            listen = self._listen_for(said, child, link) if said else None
            ear.listen, ear.said = listen, said
            over = [ear.old.pop(0) for _ in range(len(ear.old) - (MAX_OLD if said else 0))]
        for errand in over:
            link.cancel(errand, INSTEAD if said else "nobody listens any more")
        if listen is not None:
            link.send(listen)

    def _listen_for(self, said: dict[str, Any], child: Child, link: Link) -> Errand:
        """Make a listen request."""
        taker = Listen(self, child, link)
        capabilities: dict[str, Any] = {"extensions": {TASKS: {}}} if "taskIds" in said else {}
        params = {"notifications": said}
        taker.errand = errand = Errand("subscriptions/listen", params, taker, capabilities=capabilities)
        return errand

    def stands(self, child: Child, link: Link, errand: Errand) -> None:
        """Let go of the listen requests whose place this one takes, because the child acknowledged it."""
        ear = self._ears[child.server.id]
        with self._lock:
            count = ear.old.index(errand) if errand in ear.old else len(ear.old) if errand is ear.listen else 0
            over, ear.old = ear.old[:count], ear.old[count:]
        for each in over:
            link.cancel(each, INSTEAD)

    def ended(self, child: Child, errand: Errand, *, again: bool) -> None:
        """Take note that a listen request ended; it is opened again if the child did not refuse it."""
        ear = self._ears[child.server.id]
        with self._lock:
            if errand in ear.old:
                ear.old.remove(errand)
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
