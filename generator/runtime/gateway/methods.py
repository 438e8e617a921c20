"""The methods of a gateway that lead to a child: what is asked for is found in the table, and goes to its owner.

A method returns what a shell is to call, as `server.offer_methods` does: an offer, its arguments and a URI.
"""

from __future__ import annotations

from ..server import request_parts
from ..server.carried import gateway_of
from ..server.offers import not_found
from ..server.tasks import asked_id, unknown
from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal
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
    uri, routing = request_parts.text(params, "uri"), _routing(session)
    if is_view(uri):
        owned = views.find(session, uri, params.get("_meta"), dialect, routing)
        return ProxyView("view", owned, session.catalog), {}, uri
    found = routing.owner(uri)
    if found is None:
        raise not_found(uri, dialect)
    return ProxyOffer("resource", found, session.catalog), {}, uri


def _get_prompt(session: Session, params: dict[str, Any], _: Dialect) -> Asked:
    owned = request_parts.prompt(_routing(session).prompts, request_parts.text(params, "name"))
    return ProxyOffer("prompt", owned, session.catalog), request_parts.arguments(params), ""


def _complete(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    reference, _, _ = request_parts.completion(params)
    kind, meant = request_parts.referred(reference)
    if kind == request_parts.PROMPT:
        owned = request_parts.prompt(_routing(session).prompts, meant)
    else:
        owned = _template(session, meant, dialect)
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
    token = asked_id(session, params, dialect)
    from .task_routes import task_of

    found = task_of(session.catalog.data["id"], session.principal, token)
    if found is None or found[0] not in _routing(session).servers:
        raise unknown(token)
    return ProxyOffer("task", Owned(*found), session.catalog), {}, ""


def _update(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    asked = _task(session, params, dialect)
    if type(params.get("inputResponses")) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: inputResponses must be an object")
    return asked


def _routing(session: Session) -> Routing:
    found: Routing = gateway_of(session.catalog).routing
    return found


METHODS: dict[str, tuple[str, Method]] = {
    "resources/read": ("resources", _read),
    "prompts/get": ("prompts", _get_prompt),
    "completion/complete": ("completions", _complete),
    "tasks/get": (TASKS, _task),
    "tasks/update": (TASKS, _update),
    "tasks/cancel": (TASKS, _task),
}
"""Each method with the capability it belongs to."""
