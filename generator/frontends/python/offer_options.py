"""The options of `@resource` and `@prompt`, and what they state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.model import ContentAnnotations, Limits
from .markers import OPTIONS, MarkerForm

if TYPE_CHECKING:
    from collections.abc import Mapping

ROLES = ("user", "assistant")

ANNOTATION_NAMES = {"audience", "priority", "last_modified", "lastModified"}
"""What `annotations={...}` of a resource may hold: the protocol's words, or ours."""


def _is_annotations(value: object) -> bool:
    if not isinstance(value, dict) or not ANNOTATION_NAMES.issuperset(value):
        return False
    audience, priority = value.get("audience", []), value.get("priority", 0)
    modified = value.get("last_modified", value.get("lastModified", "x"))
    return (
        (audience in ROLES or (isinstance(audience, list) and all(each in ROLES for each in audience)))
        and isinstance(priority, int | float)
        and not isinstance(priority, bool)
        and 0 <= priority <= 1
        and isinstance(modified, str)
        and bool(modified)
    )


def _is_media_type(value: object) -> bool:
    if not isinstance(value, str) or not value.isascii() or not value.isprintable():
        return False
    kind, slash, rest = value.partition("/")
    return bool(slash and kind.strip() and rest.strip()) and " " not in kind


_BOTH = ("name", "title", "description", "icons", "meta", "timeout", "max_concurrent", "max_result_bytes")

_SHARED = {name: OPTIONS[name] for name in _BOTH}

PROMPT = MarkerForm(name="prompt", options={**_SHARED, "scopes": OPTIONS["scopes"]})

RESOURCE = MarkerForm(
    name="resource",
    options={
        **PROMPT.options,
        "mime_type": (_is_media_type, 'a media type such as "text/markdown"'),
        "annotations": (_is_annotations, "a dictionary of audience, priority (0 to 1) and last_modified"),
    },
    leading=1,
)

VIEW = MarkerForm(
    name="ui_resource",
    options={
        **_SHARED,
        "csp": (lambda value: isinstance(value, dict), "a dictionary of lists of origins"),
        "permissions": (lambda value: isinstance(value, list | dict), "a list of permissions"),
        "domain": OPTIONS["title"],
        "prefers_border": OPTIONS["hidden"],
        "file": OPTIONS["title"],
    },
    leading=1,
)

COMPLETER = MarkerForm(name="completer", options={}, leading=2)


def limits_of(options: Mapping[str, Any]) -> Limits:
    """Return what a marker allows one call to use."""
    return Limits(**{name: options.get(name) for name in ("timeout", "max_concurrent", "max_result_bytes")})


def annotations_of(options: Mapping[str, Any]) -> ContentAnnotations:
    """Return what a marker says a resource is for."""
    stated = options.get("annotations", {})
    audience: Any = stated.get("audience", ())
    return ContentAnnotations(
        audience=(audience,) if audience in ROLES else tuple(audience),
        priority=stated.get("priority"),
        last_modified=stated.get("last_modified", stated.get("lastModified")),
    )
