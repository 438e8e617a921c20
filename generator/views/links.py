"""A tool's link to a view, from what is stated of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.model import UiLink

if TYPE_CHECKING:
    from collections.abc import Collection


def link_of(uri: str | None, visibility: Collection[str]) -> UiLink | None:
    """Return the link; None when neither a view nor who may call the tool is stated."""
    if uri is None and not visibility:
        return None
    wanted = frozenset(visibility) or frozenset({"model", "app"})
    if wanted == {"model", "app"}:
        return UiLink(resource_uri=uri) if uri is not None else None
    return UiLink(resource_uri=uri, visibility=("app",) if wanted == {"app"} else ("model",))
