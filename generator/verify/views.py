"""What is wrong with a view that was read: its media type, its document, what it asks of its host."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from ..runtime.gateway.view_links import VISIBILITIES
from ..runtime.wire.dialects import VIEW_TYPE
from ..views.markup import read_markup, unlisted
from ..views.metadata import CSP_MEMBERS, PERMISSIONS, csp_problem, domain_problem, permissions_problem
from .finding import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .survey import Survey


def link_of(tool: dict[str, Any]) -> dict[str, Any] | None:
    """Return the link of a listed tool to its view."""
    meta = tool.get("_meta")
    link = meta.get("ui") if isinstance(meta, dict) else None
    return link if isinstance(link, dict) else None


def links(survey: Survey) -> dict[str, dict[str, Any]]:
    """Return the links of listed tools, by the tool's name."""
    return {str(tool.get("name")): link for tool in survey.tools if (link := link_of(tool)) is not None}


def link_problem(link: dict[str, Any]) -> str | None:
    """Return why a link cannot be followed, or None (MCP Apps, tools)."""
    uri = link.get("resourceUri")
    if uri is not None and (not isinstance(uri, str) or not uri.startswith("ui://")):
        return f"`resourceUri` is {shown(uri, 60)}, no `ui://` URI"
    visibility = link.get("visibility", [])
    if not isinstance(visibility, list) or any(each not in VISIBILITIES for each in visibility):
        return f"`visibility` is {shown(visibility, 60)}, no list of {' and '.join(VISIBILITIES)}"
    return None


def read_problem(result: dict[str, Any], uri: str) -> str | None:
    """Return what is wrong with the result of resources/read for a view, so that no host shows it; or None."""
    contents = result.get("contents")
    if not isinstance(contents, list) or len(contents) != 1 or not isinstance(contents[0], dict):
        return "the result has not exactly one content"
    content = contents[0]
    if content.get("uri") != uri:
        return f"the content is that of {shown(content.get('uri'), 80)}"
    if content.get("mimeType") != VIEW_TYPE:
        return f"the media type is {shown(content.get('mimeType'), 60)}, not `{VIEW_TYPE}`"
    text = text_of(content)
    if text is None:
        return "it has no text of UTF-8"
    return None if read_markup(text).document else "it is no document of HTML: neither a doctype nor `<html>` begins it"


def text_of(content: dict[str, Any]) -> str | None:
    """Return the text of a content, that of its blob included."""
    if isinstance(content.get("text"), str):
        return str(content["text"])
    try:
        return b64decode(content["blob"], validate=True).decode("utf-8")
    except (KeyError, TypeError, ValueError, binascii.Error):
        return None


def meta_problems(meta: object) -> Iterator[str]:
    """Yield what is wrong with `_meta.ui` of a view: hosts drop what they do not know, or all of it."""
    if meta is None:
        return
    if not isinstance(meta, dict):
        yield "`_meta.ui` is no object"
        return
    if "csp" in meta:
        unknown = (
            [key for key in meta["csp"] if key not in CSP_MEMBERS.values()] if isinstance(meta["csp"], dict) else []
        )
        problem = f"`csp` has no member `{shown(unknown[0], 40)}`" if unknown else csp_problem(meta["csp"])
        if problem is not None:
            yield problem
    permissions = meta.get("permissions", {})
    if not isinstance(permissions, dict) or any(each not in PERMISSIONS.values() for each in permissions):
        yield permissions_problem(permissions) or "`permissions` is no object of the protocol's names"
    if "domain" in meta and (problem := domain_problem(meta["domain"])) is not None:
        yield problem
    if not isinstance(meta.get("prefersBorder", False), bool):
        yield "`prefersBorder` is no boolean"


def blocked(content: dict[str, Any], listed: dict[str, Any] | None) -> list[str]:
    """Return what a view loads that its policy does not let it load; its own metadata goes before that of the list."""
    meta = _ui(content)
    policy = (meta if meta is not None else _ui(listed or {}) or {}).get("csp") or {}
    if not isinstance(policy, dict):
        return []
    found = unlisted(read_markup(text_of(content) or ""), {key: value for key, value in policy.items() if value})
    return [f"line {each.line}: {each.where} {shown(each.address, 80)} needs `{each.member}`" for each in found]


def _ui(item: dict[str, Any]) -> dict[str, Any] | None:
    meta = item.get("_meta")
    found = meta.get("ui") if isinstance(meta, dict) else None
    return found if isinstance(found, dict) else None
