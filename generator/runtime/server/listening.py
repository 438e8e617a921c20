"""What clients are told without asking: subscriptions of sessions with a handshake, and `subscriptions/listen`.

Only servers that tell of changes, or have tasks, carry this; which requests lead here is in `listening_methods`. A
session with a handshake hears of every list its server promises to tell of, and of the resources it subscribed to (MCP
server/resources: subscriptions). In 2026-07-28 nothing is told unless asked for: a request `subscriptions/listen` names
what it wants and stays open; everything that it brings carries the request's id, its acknowledgement first and, when
the server ends, a result (basic/utilities/subscriptions).

The shell gives a session `tell`, which writes a line to its client, or keeps it until that is there; no bytes at all
say that nothing is to be kept of a topic. A session that has no `tell`, because its request came alone, cannot be told
anything.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import META_SERVER, META_SUBSCRIPTION
from ..wire.jsonrpc import Refusal
from .hub import ENDING, KINDS, hub_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .catalog import Catalog
    from .hub import Hub, Topic
    from .session import Session

    Tell = Callable[[bytes, Topic], None]


MAX_WATCHED = 256
"""Resources that one session subscribes to, or one listen request names: more than anybody looks at."""

MAX_LISTENS = 64
"""Listen requests that are open on one connection at once; clients have one, or one for each of their views."""

TOO_MANY = "too_many_subscriptions"
"""The reason of an error that says there are too many already."""


class Listening:
    """What one session's client is told: in its session, and by its listen requests that are open."""

    __slots__ = ("_heard", "_hub", "_session", "listens")

    def __init__(self, session: Session) -> None:
        self._session = session
        self._hub: Hub = hub_of(session.catalog)
        self._heard: SessionListener | None = None
        self.listens: dict[str | int, Subscription] = {}

    def attach(self) -> SessionListener:
        """Tell a session that has shaken hands of changes of the lists."""
        if self._heard is None:
            self._heard = SessionListener(_tell(self._session))
            lists = {(kind, "") for kind in changes_of(self._session.catalog) if KINDS[kind].listed}
            self._enter(self._heard, lists)
        return self._heard

    def subscribe(self, topic: Topic) -> None:
        """Tell the session of one thing; doing it again changes nothing. Raises Refusal when there are too many."""
        listener = self.attach()
        if topic in listener.topics:
            return
        if sum(1 for each in listener.topics if each[1]) >= MAX_WATCHED:
            raise _too_many(f"a session subscribes to at most {MAX_WATCHED} resources")
        self._enter(listener, {topic})

    def unsubscribe(self, topic: Topic) -> None:
        """Tell the session of one thing no more."""
        if self._heard is not None:
            self._hub.leave(self._heard, (topic,))
            self._heard.topics.discard(topic)
            self._heard.forget(topic)

    def listen(self, request_id: str | int, wanted: dict[str, Any], topics: set[Topic]) -> None:
        """Open a listen request that brings these changes; `wanted` is what is acknowledged. Raises Refusal."""
        if request_id in self.listens or request_id in self._session.running:
            raise Refusal(jsonrpc.INVALID_REQUEST, "Invalid request: a request with this id is still running")
        if len(self.listens) >= MAX_LISTENS:
            raise _too_many(f"at most {MAX_LISTENS} listen requests are open on one connection")
        listener = Subscription(request_id, _tell(self._session), self._session.server_info)
        self._enter(listener, topics, lambda: listener.acknowledge(wanted))
        self.listens[request_id] = listener

    def _enter(
        self,
        listener: SessionListener | Subscription,
        topics: set[Topic],
        greeting: Callable[[], None] | None = None,
    ) -> None:
        if not self._hub.enter(listener, {*topics, ENDING}, greeting):
            raise _too_many("this server has too many subscriptions")
        listener.topics |= topics | {ENDING}

    def cancel(self, request_id: str | int) -> None:
        """End a listen request, because its client no longer wants it; nothing more is said of it."""
        listener = self.listens.pop(request_id, None)
        if listener is not None:
            self._hub.leave(listener, listener.topics)

    def close(self) -> None:
        """End everything, because the client is gone."""
        for request_id in [*self.listens]:
            self.cancel(request_id)
        if self._heard is not None:
            self._hub.leave(self._heard, self._heard.topics)
            self._heard = None


class SessionListener:
    """A session with a handshake: notifications go to it as they are."""

    __slots__ = ("_tell", "topics")

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self.topics: set[Topic] = set()

    def tell(self, topic: Topic, params: dict[str, Any]) -> None:
        """Send the notification of a change."""
        self._tell(_notification(topic, params), topic)

    def forget(self, topic: Topic) -> None:
        """Have what was kept of a change, if its client was not there, not sent any more."""
        self._tell(b"", topic)

    def end(self) -> None:
        """Do nothing: with its connection a session's stream ends by itself."""


class Subscription:
    """One open listen request; everything it brings carries its id."""

    __slots__ = ("_info", "_request_id", "_tell", "topics")

    def __init__(self, request_id: str | int, tell: Tell, info: Callable[[Dialect], dict[str, Any]]) -> None:
        self._request_id = request_id
        self._tell = tell
        self._info = info
        self.topics: set[Topic] = set()

    def acknowledge(self, wanted: dict[str, Any]) -> None:
        """Say what the request will bring."""
        params: dict[str, object] = {"_meta": {META_SUBSCRIPTION: self._request_id}, "notifications": wanted}
        self._tell(jsonrpc.notification_line("notifications/subscriptions/acknowledged", params), ENDING)

    def tell(self, topic: Topic, params: dict[str, Any]) -> None:
        """Send the notification of a change."""
        meta = {**params.get("_meta", {}), META_SUBSCRIPTION: self._request_id}
        self._tell(_notification(topic, {**params, "_meta": meta}), topic)

    def end(self) -> None:
        """Answer the request, because the server ends."""
        from ..wire.dialects import LATEST_MODERN

        meta = {META_SUBSCRIPTION: self._request_id, META_SERVER: self._info(LATEST_MODERN)}
        result = {"resultType": "complete", "_meta": meta}
        self._tell(jsonrpc.result_line(self._request_id, jsonrpc.encode(result)), ENDING)


def attach(session: Session) -> None:
    """Tell a session that has just shaken hands of changes from now on; its shell can (`tell`)."""
    listening_of(session).attach()


def listening_of(session: Session) -> Listening:
    """Return what a session is told, made when it is first asked for."""
    if session.listening is None:
        session.listening = Listening(session)
    found: Listening = session.listening
    return found


def changes_of(catalog: Catalog) -> list[str]:
    """Return the kinds of changes that this server tells of."""
    changes: list[str] = catalog.header.get("changes") or []
    return [*changes, "task"] if catalog.header.get("tasks") else changes


def _tell(session: Session) -> Tell:
    if session.tell is None:
        raise Refusal(jsonrpc.INVALID_REQUEST, "Invalid request: nothing can be told on this connection")
    return session.tell


def _notification(topic: Topic, params: dict[str, Any]) -> bytes:
    kind, key = topic
    if kind == "resource":
        params = {"uri": key, **params}
    if params:
        return jsonrpc.notification_line(KINDS[kind].method, params)
    return jsonrpc.encode({"jsonrpc": "2.0", "method": KINDS[kind].method}) + b"\n"


def _too_many(what: str) -> Refusal:
    return Refusal(jsonrpc.INTERNAL_ERROR, f"Too many subscriptions: {what}", {"reason": TOO_MANY})
