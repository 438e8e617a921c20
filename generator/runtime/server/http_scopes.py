"""Scopes of what is asked for without calling a function: completion from fixed values, and changes of resources.

A call carries the scopes of what it calls (`http_posts`). These requests are about the same prompts and resources, but
nothing of the author's runs for them, so their scopes are found here. A gateway finds them in its table, which changes.
"""

from __future__ import annotations

from .carried import gateway_of
from .offers import offers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .catalog import Catalog
    from .http_tokens import Principal

COMPLETE, SUBSCRIBE = "completion/complete", "resources/subscribe"


def needed(catalog: Catalog, message: Any) -> list[str]:
    """Return the scopes that a message needs, those of calls aside; misshapen ones are refused by whoever reads them.

    A batch needs what its messages need together.
    """
    if type(message) is list:
        return [scope for each in message if type(each) is dict for scope in needed(catalog, each)]
    if type(message) is not dict:
        return []
    method, params = message.get("method"), message.get("params")
    if method not in (COMPLETE, SUBSCRIBE) or type(params) is not dict:
        return []
    if method == SUBSCRIBE:
        return _of_resource(catalog, params.get("uri"))
    reference = params.get("ref")
    if type(reference) is not dict:
        return []
    name = reference.get("name")
    if reference.get("type") == "ref/prompt":
        return _of_prompt(catalog, name)
    return _of_resource(catalog, reference.get("uri"))


def permitted(catalog: Catalog, principal: Principal | None, message: dict[str, Any]) -> dict[str, Any]:
    """Return a listen request without the resources that its sender may not read: they are not honoured."""
    params = message.get("params")
    wanted = params.get("notifications") if isinstance(params, dict) else None
    uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
    if params is None or wanted is None or not isinstance(uris, list) or principal is None:
        return message
    allowed = [uri for uri in uris if not principal.lacks(_of_resource(catalog, uri))]
    return {**message, "params": {**params, "notifications": {**wanted, "resourceSubscriptions": allowed}}}


def _of_prompt(catalog: Catalog, name: object) -> list[str]:
    if type(name) is not str:
        return []
    prompts = gateway_of(catalog).routing.prompts if catalog.header.get("gateway") else offers_of(catalog).prompts
    return _of(prompts.get(name))


def _of_resource(catalog: Catalog, uri: object) -> list[str]:
    """Return the scopes of what a URI leads to, or of the template that it is itself."""
    if type(uri) is not str:
        return []
    if catalog.header.get("gateway"):
        routing = gateway_of(catalog).routing
        owned: Any = routing.owner(uri)
        templates = [((each.entry or {}).get("definition") or {}, each) for _, each in routing.templates]
    else:
        found = offers_of(catalog).find(uri)
        owned = found[0] if found is not None else None
        templates = [(each.definition, each) for _, each in offers_of(catalog).templates]
    if owned is None:
        owned = next((each for definition, each in templates if definition.get("uriTemplate") == uri), None)
    return _of(owned)


def _of(owned: Any) -> list[str]:
    """Return the scopes of an offer, or of what a child has."""
    entry = getattr(owned, "entry", None) or {}
    return list(entry.get("scopes") or ())
