"""The methods about resources, prompts and completion: lists answered at once, the rest by calls of user code.

A method returns the bytes of its result, or what is to be called: an offer, its arguments and the URI that is read.
Only servers that offer something carry this.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal, shown
from ..wire.pages import cursor, page_start
from . import request_parts
from .carried import apps, kept_answers
from .completions import among, completion
from .offers import description_of, not_found, offers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..wire.dialects import Dialect
    from .catalog import Catalog
    from .offers import Offer
    from .session import Session

    Asked: TypeAlias = "bytes | tuple[Offer, dict[str, Any], str]"
    Method: TypeAlias = "Callable[[Session, dict[str, Any], Dialect], Asked]"


def method(catalog: Catalog, name: str) -> Method | None:
    """Return what answers a method; None for one that this server has nothing for."""
    found = METHODS.get(name)
    return found[1] if found is not None and found[0] in catalog.header["capabilities"] else None


# -- resources


def _list_resources(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    entries = session.catalog.data.get("resources", [])
    views = apps(session)
    if views is not None:
        entries = [*entries, *views.views(session, params.get("_meta"), dialect)]
    if session.catalog.header.get("answers"):
        store = session.catalog.answers  # these come and go: one page, which nobody keeps
        page_start(params, 0, 0)
        kept = store.listed() if store is not None else []
        return session.framed({"resources": [*_listed(entries, dialect.resource_fields), *kept]}, dialect)
    return _page(session, "resources", entries, params, dialect, dialect.resource_fields)


def _list_templates(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    entries = session.catalog.data.get("templates", ())
    return _page(session, "resourceTemplates", entries, params, dialect, dialect.resource_fields)


def _read_resource(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    uri = request_parts.text(params, "uri")
    views = apps(session)
    view = views.view(session, uri, params.get("_meta"), dialect) if views is not None else None
    if view is not None:
        return view, {}, uri
    if uri in offers_of(session.catalog).described:
        text = jsonrpc.text(description_of(session.catalog))
        contents = [{"uri": uri, "mimeType": "application/json", "text": text}]
        return session.framed({"contents": contents}, dialect, caching=session.caching())
    if uri in offers_of(session.catalog).texts:
        from .built_in import contents_of

        return session.framed({"contents": contents_of(session.catalog, uri)}, dialect, caching=session.caching())
    found = offers_of(session.catalog).find(uri)
    if found is not None:
        return (*found, uri)
    kept = kept_answers("resources/read") if session.catalog.header.get("answers") else None
    if kept is not None:
        return kept(session, params, dialect)
    raise not_found(uri, dialect)


# -- prompts


def _list_prompts(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    entries = session.catalog.data.get("prompts", ())
    return _page(session, "prompts", entries, params, dialect, dialect.prompt_fields)


def _get_prompt(session: Session, params: dict[str, Any], _: Dialect) -> Asked:
    offer = request_parts.prompt(offers_of(session.catalog).prompts, request_parts.text(params, "name"))
    return offer, request_parts.arguments(params), ""


# -- completion


def _complete(session: Session, params: dict[str, Any], dialect: Dialect) -> Asked:
    reference, name, typed = request_parts.completion(params)
    offer, known = _referred(session, reference, dialect)
    if name not in known:
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Unknown argument: {shown(name)}")
    how = offer.completions.get(name)
    if how is None:
        return session.completed(completion(()), dialect)
    if "choices" in how:
        return session.completed(among(how["choices"], typed), dialect)
    values = (typed, request_parts.chosen(params))
    return offer.completers[name], dict(zip(how["call"]["positional"], values, strict=False)), ""


def _referred(session: Session, reference: dict[str, Any], dialect: Dialect) -> tuple[Offer, list[str]]:
    """Return the prompt or the template that a reference means, and the names of what it takes."""
    kind, meant = request_parts.referred(reference)
    if kind == request_parts.PROMPT:
        offer = request_parts.prompt(offers_of(session.catalog).prompts, meant)
        return offer, [each["name"] for each in offer.definition.get("arguments", ())]
    for template, offer in offers_of(session.catalog).templates:
        if offer.definition["uriTemplate"] == meant or template.match(meant) is not None:
            return offer, template.names
    raise not_found(meant, dialect)


# -- what they have in common


def _page(
    session: Session,
    member: str,
    entries: Any,
    params: dict[str, Any],
    dialect: Dialect,
    fields: tuple[str, ...],
) -> bytes:
    size = session.catalog.settings.get("page_size") or 0
    start = page_start(params, size, len(entries))
    end = start + size if size else len(entries)
    members: dict[str, Any] = {member: _listed(entries[start:end], fields)}
    if end < len(entries):
        members["nextCursor"] = cursor(end, len(entries))
    return session.framed(members, dialect, caching=session.caching())


def _listed(entries: Any, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the definitions with the members that a revision knows."""
    found = []
    for entry in entries:
        definition = {key: value for key, value in entry["definition"].items() if key in fields}
        if "title" not in fields:
            _without_newer(definition)
        found.append(definition)
    return found


def _without_newer(definition: dict[str, Any]) -> None:
    """Leave out what revisions before 2025-06-18 do not have inside a definition's members."""
    for member in ("arguments", "annotations"):
        inner = definition.get(member)
        if type(inner) is list:
            definition[member] = [{key: value for key, value in each.items() if key != "title"} for each in inner]
        elif type(inner) is dict:
            definition[member] = {key: value for key, value in inner.items() if key != "lastModified"}


METHODS: dict[str, tuple[str, Method]] = {
    "resources/list": ("resources", _list_resources),
    "resources/templates/list": ("resources", _list_templates),
    "resources/read": ("resources", _read_resource),
    "prompts/list": ("prompts", _list_prompts),
    "prompts/get": ("prompts", _get_prompt),
    "completion/complete": ("completions", _complete),
}
"""Each method with the capability it belongs to."""
