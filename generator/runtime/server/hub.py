"""Where changes are told: whoever knows of one publishes it, and every listener that wants it gets a notification.

A change has a *topic*, a kind and a key: a list as a whole (`("tools", "")`) or one thing (`("resource", uri)`). A
kind of change is a row of `KINDS`, nothing more: an extension adds its own, publishes, and enters listeners for it.

Changes are not events: two that have not left yet are one, so that nothing grows when they come faster than clients
read. What is waiting is bounded by what is listened to, and that by `MAX_WATCHED`. `publish` may be called from any
thread; `post` says where the telling is done: at once, or by the thread that owns the connections.
"""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol, TypeAlias

    from .catalog import Catalog

    Topic: TypeAlias = tuple[str, str]

    class Listener(Protocol):
        """Whoever is told: a session with a handshake, or one `subscriptions/listen`."""

        def tell(self, topic: Topic, params: dict[str, Any]) -> None:
            """Send the notification of a change; never raises, and never waits for long."""

        def end(self) -> None:
            """Say that nothing more comes."""


class Kind:
    """One kind of change: the notification that tells it, and the member of a listen request that asks for it.

    A `listed` kind is about a whole list and is asked for with true, any other about one thing, asked for by a list of
    keys.
    """

    __slots__ = ("asked", "listed", "method")

    def __init__(self, method: str, asked: str, *, listed: bool) -> None:
        self.method = method
        self.asked = asked
        self.listed = listed


KINDS = {
    "tools": Kind("notifications/tools/list_changed", "toolsListChanged", listed=True),
    "prompts": Kind("notifications/prompts/list_changed", "promptsListChanged", listed=True),
    "resources": Kind("notifications/resources/list_changed", "resourcesListChanged", listed=True),
    "resource": Kind("notifications/resources/updated", "resourceSubscriptions", listed=False),
    "task": Kind("notifications/tasks", "taskIds", listed=False),
}
"""The kinds of changes, by the word that `publish` takes."""

ENDING = ("", "")
"""The topic of everyone who wants to know the server's end, be there nothing else to listen to."""

MAX_WATCHED = 50_000
"""Single things that all listeners together listen to: 500 that watch a hundred each, in about 10 MB."""


class Hub:
    """The listeners of one server, by topic. `post` takes a function to call where connections are written.

    `interest` is told, from any thread, of topics that have their first listener or lost their last one; of the first
    before the listener is greeted, so that what is acknowledged is listened to. It must not wait for anything.
    """

    __slots__ = ("_lock", "_pending", "_post", "_posted", "_wanted", "_watched", "interest")

    def __init__(self, post: Callable[[Callable[[], None]], None] | None = None) -> None:
        self._post = post if post is not None else _at_once
        self._lock = RLock()
        self._wanted: dict[Topic, dict[Listener, None]] = {}
        self._pending: dict[Topic, dict[str, Any]] = {}
        self._posted = False
        self._watched = 0
        self.interest: Callable[[list[Topic]], None] | None = None

    def wants(self, topic: Topic) -> bool:
        """Say whether anybody listens to a topic."""
        return topic in self._wanted

    def enter(self, listener: Listener, topics: Iterable[Topic], greeting: Callable[[], None] | None = None) -> bool:
        """Have a listener told of these changes from now on; `greeting` is called before it hears of the first.

        False, and nothing done, when too many things are watched already; for whole lists there is always room.
        """
        with self._lock:
            new = [topic for topic in topics if listener not in self._wanted.get(topic, ())]
            watched = sum(1 for topic in new if topic[1])
            if watched and self._watched + watched > MAX_WATCHED:
                return False
            first = [topic for topic in new if topic not in self._wanted]
            for topic in new:
                self._wanted.setdefault(topic, {})[listener] = None
            self._watched += watched
            self._tell_interest(first)
            if greeting is not None:
                greeting()  # nothing is told before, under the lock
        return True

    def leave(self, listener: Listener, topics: Iterable[Topic]) -> None:
        """Tell a listener of these changes no more."""
        last = []
        with self._lock:
            for topic in topics:
                listeners = self._wanted.get(topic)
                if listeners is not None and listeners.pop(listener, listener) is None:
                    self._watched -= 1 if topic[1] else 0
                    if not listeners:
                        del self._wanted[topic]
                        last.append(topic)
        self._tell_interest(last)

    def _tell_interest(self, topics: list[Topic]) -> None:
        if self.interest is not None and topics:
            self.interest(topics)

    def publish(self, kind: str, key: str = "", params: dict[str, Any] | None = None) -> None:
        """Tell of a change, with what its notification says besides; the last of several in a row is told."""
        topic = (kind, key)
        with self._lock:
            if topic not in self._wanted:
                return
            self._pending[topic] = params or {}
            if self._posted:
                return
            self._posted = True
        self._post(self._deliver)

    def _deliver(self) -> None:
        with self._lock:  # held while telling, so that nothing follows a listener's last message
            self._posted = False
            pending, self._pending = self._pending, {}
            for topic, params in pending.items():
                for listener in [*self._wanted.get(topic, ())]:
                    listener.tell(topic, params)

    def end(self) -> None:
        """End all listeners, because the server does."""
        with self._lock:
            listeners = {listener: None for some in self._wanted.values() for listener in some}
            for listener in listeners:
                listener.end()
            self._wanted.clear()
            self._watched = 0


def _at_once(function: Callable[[], None]) -> None:
    function()


def hub_of(catalog: Catalog) -> Hub:
    """Return a catalog's hub, made when something first listens; a shell with many connections makes it before."""
    if catalog.hub is None:
        catalog.hub = Hub()
    found: Hub = catalog.hub
    return found
