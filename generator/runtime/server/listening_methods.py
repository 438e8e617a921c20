"""The requests about changes: subscribing to resources with a handshake, and `subscriptions/listen` without.

Each is refused as unknown in the other era, and where the server tells of no such changes.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal
from .hub import KINDS
from .listening import MAX_WATCHED, changes_of, listening_of
from .request_parts import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .hub import Topic
    from .session import Session


def method(name: str) -> Callable[[Session, dict[str, Any], Dialect], Any] | None:
    """Return what answers a method, None for one that has nothing to do with changes."""
    return METHODS.get(name)


# -- the era with a handshake


def _subscribe(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    topic = _resource(session, params, dialect, "resources/subscribe")
    if session.tell is None:
        raise Refusal(jsonrpc.INVALID_REQUEST, "Invalid request: subscribing needs a session; initialize first")
    listening_of(session).subscribe(topic)
    return b"{}"


def _unsubscribe(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    topic = _resource(session, params, dialect, "resources/unsubscribe")
    if session.listening is not None:
        session.listening.unsubscribe(topic)
    return b"{}"


def _resource(session: Session, params: dict[str, Any], dialect: Dialect, method: str) -> Topic:
    if dialect.modern or "resource" not in changes_of(session.catalog):
        raise Refusal(jsonrpc.METHOD_NOT_FOUND, f"Method not found: {method}")
    uri = text(params, "uri")
    from .offers import is_known, not_found

    if not is_known(session.catalog, uri):
        raise not_found(uri, dialect)
    return ("resource", uri)


# -- 2026-07-28


def _listen(session: Session, params: dict[str, Any], dialect: Dialect) -> Callable[[str | int], None]:
    """Judge a listen request; the result takes its id and opens it."""
    if not dialect.modern:
        raise Refusal(jsonrpc.METHOD_NOT_FOUND, "Method not found: subscriptions/listen")
    wanted = params.get("notifications")
    if type(wanted) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: notifications must be an object")
    honoured, topics = _honoured(session, wanted)
    if "taskIds" not in honoured:
        return lambda request_id: listening_of(session).listen(request_id, honoured, topics)
    from .tasks import is_declared, not_declared, tasks_of

    if not is_declared(session, params.get("_meta"), dialect):
        raise not_declared()
    found = [task for each in honoured["taskIds"] if (task := tasks_of(session.catalog).find(each, session.principal))]
    strange = {("task", key) for key in honoured["taskIds"]} - {("task", task.id) for task in found}
    honoured["taskIds"] = [task.id for task in found]

    def begin(request_id: str | int) -> None:
        listening_of(session).listen(request_id, honoured, topics - strange)
        for task in found:
            task.repeat()  # it may have changed in between

    return begin


def _honoured(session: Session, wanted: dict[str, Any]) -> tuple[dict[str, Any], set[Topic]]:
    """Return the part of a filter that this server has notifications for, and its topics; raises Refusal."""
    honoured: dict[str, Any] = {}
    topics: set[Topic] = set()
    for kind, row in KINDS.items():
        asked = wanted.get(row.asked)
        if row.listed:
            if asked is not None and type(asked) is not bool:
                raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {row.asked} must be true or false")
            found = [""] if asked else []
        else:
            found = _keys(row.asked, asked)
        if kind not in changes_of(session.catalog):
            continue
        if kind == "resource" and found:
            from .offers import is_known

            found = [uri for uri in found if is_known(session.catalog, uri)]
        if found:
            honoured[row.asked] = True if row.listed else found
            topics |= {(kind, key) for key in found}
    return honoured, topics


def _keys(name: str, asked: Any) -> list[str]:
    if asked is None:
        return []
    from .uri_templates import LONGEST_URI

    if type(asked) is not list or not all(type(each) is str and len(each) <= LONGEST_URI for each in asked):
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {name} must be a list of strings")
    found = list(dict.fromkeys(asked))
    if len(found) > MAX_WATCHED:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {name} names more than {MAX_WATCHED}")
    return found


METHODS: dict[str, Callable[[Session, dict[str, Any], Dialect], Any]] = {
    "resources/subscribe": _subscribe,
    "resources/unsubscribe": _unsubscribe,
    "subscriptions/listen": _listen,
}
