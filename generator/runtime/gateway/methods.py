"""The methods of a gateway that lead to a child: what is asked for is found in the table, and goes to its owner.

A method returns what a shell is to call, as `server.offer_methods` does: an offer, its arguments and a URI.
"""

from __future__ import annotations

from ..server.carried import gateway_of
from ..server.offers import not_found
from ..server.tasks import is_declared, not_declared
from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal, shown
from . import views
from .names import Owned
from .offers import ProxyOffer, ProxyView
from .translate_uris import is_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..server.catalog import Catalog
    from ..server.session import Session
    from ..wire.dialects import Dialect
    from .names import Routing

    Asked: TypeAlias = "bytes | tuple[ProxyOffer, dict[str, Any], str]"
    Method: TypeAlias = "Callable[[Session, dict[str, Any], Dialect], Any]"


TASKS = "tasks"
"""What says in a catalog's header that there are tasks; they are an extension, and no capability by that name."""


def method(catalog: Catalog, name: str) -> Method | None:
    """Return what answers a method here; None for one that is answered as in any server."""
    gateway_of(catalog)  # whoever listens to a child's things is heard by it
    found = METHODS.get(name)
    if found is None:
        return None
    capability, answer = found
    there = catalog.header["capabilities"] if capability != TASKS else catalog.header
    return answer if capability in there else None


def _read(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    uri, routing = _text(params, "uri"), _routing(session)
    if is_view(uri):
        owned = views.find(session, uri, params.get("_meta"), dialect, routing)
        return ProxyView("view", owned, session.catalog), {}, uri
    found = routing.owner(uri)
    if found is None:
        raise not_found(uri, dialect)
    return ProxyOffer("resource", found, session.catalog), {}, uri


def _get_prompt(session: Session, params: dict[str, Any], _: Dialect) -> Asked:
    owned = _prompt(session, _text(params, "name"))
    arguments = params.get("arguments")
    if arguments is not None and type(arguments) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: arguments must be an object")
    return ProxyOffer("prompt", owned, session.catalog), arguments or {}, ""


def _prompt(session: Session, name: str) -> Owned:
    prompts = _routing(session).prompts
    owned = prompts.get(name)
    if owned is None:
        from difflib import get_close_matches

        near = get_close_matches(name[:80], prompts, n=1)
        suggestion = f"Did you mean {near[0]!r}?" if near else "Ask prompts/list for the prompts of this server."
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Unknown prompt: {shown(name)}", {"suggestion": suggestion})
    return owned


def _complete(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    reference, argument = params.get("ref"), params.get("argument")
    if type(reference) is not dict or type(argument) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: ref and argument must be objects")
    _text(argument, "name"), _text(argument, "value")
    kind = reference.get("type")
    if kind == "ref/prompt":
        owned = _prompt(session, _text(reference, "name"))
    elif kind == "ref/resource":
        owned = _template(session, _text(reference, "uri"), dialect)
    else:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: ref.type is ref/prompt or ref/resource")
    if not (owned.entry or {}).get("completions"):
        from ..server.completions import completion

        return session.completed(completion(()), dialect)
    return ProxyOffer("completion", owned, session.catalog), {}, ""


def _template(session: Session, uri: str, dialect: Dialect) -> Owned:
    """Return the template that a reference means: by itself, or by a URI of it."""
    for matches, owned in _routing(session).templates:
        entry = owned.entry or {}
        if entry["definition"]["uriTemplate"] == uri or matches(uri) not in (None, False):
            return owned
    raise not_found(uri, dialect)


def _task(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    if not dialect.modern:
        raise Refusal(jsonrpc.METHOD_NOT_FOUND, "Method not found: tasks are an extension of 2026-07-28")
    if not is_declared(session, params.get("_meta"), dialect):
        raise not_declared()
    token = _text(params, "taskId")
    from .task_routes import task_of

    found = task_of(session.catalog.data["id"], session.principal, token)
    if found is None or found[0] not in _routing(session).servers:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Unknown task: {shown(token)}; it ended long ago, or never was")
    return ProxyOffer("task", Owned(*found), session.catalog), {}, ""


def _update(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    asked = _task(session, params, dialect)
    if type(params.get("inputResponses")) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: inputResponses must be an object")
    return asked


def _routing(session: Session) -> Routing:
    found: Routing = gateway_of(session.catalog).routing
    return found


def _text(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    if type(value) is not str:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {name} must be a string")
    return value


METHODS: dict[str, tuple[str, Method]] = {
    "resources/read": ("resources", _read),
    "prompts/get": ("prompts", _get_prompt),
    "completion/complete": ("completions", _complete),
    "tasks/get": (TASKS, _task),
    "tasks/update": (TASKS, _update),
    "tasks/cancel": (TASKS, _task),
}
"""Each method with the capability it belongs to."""
