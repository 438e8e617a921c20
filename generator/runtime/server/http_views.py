"""Lists that show a client only the tools its token may call (setting `serve.filter_lists`).

What differs between tokens is what lists show; a tool that is not shown can be called all the same, and its refusal
says which scope it needs, so that a client can ask for one.
"""

from __future__ import annotations

from . import http_limits as limits
from .catalog import Catalog, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .http_tokens import Principal


OWN = frozenset(("data", "header", "_listing"))
"""What a view has of its own: with these, the catalog's own functions list what it shows."""


class View:
    """A catalog as one set of scopes sees it: everything but its list of tools is the whole catalog's."""

    def __init__(self, whole: Catalog, principal: Principal) -> None:
        tools = [entry for entry in whole.data["tools"] if not principal.lacks(entry.get("scopes") or [])]
        data = {**whole.data, "tools": tools}
        header = {**whole.header, "tools": len(shown(data)), "by_scope": True}
        self.__dict__.update(_whole=whole, data=data, header=header, _listing=None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_whole"], name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in OWN:
            self.__dict__[name] = value
        else:
            setattr(self.__dict__["_whole"], name, value)

    def listing(self, *arguments: Any, **named: Any) -> bytes:
        """Return the tools array, as the whole catalog would."""
        return Catalog.listing(self, *arguments, **named)  # type: ignore[arg-type] # all it asks of a catalog is here

    def page(self, *arguments: Any, **named: Any) -> tuple[bytes, int | None]:
        """Return a part of it."""
        return Catalog.page(self, *arguments, **named)  # type: ignore[arg-type] # as above


class Views:
    """The views of one catalog, by scopes, each with the lists that were made of it."""

    __slots__ = ("_catalog", "_views")

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._views: dict[frozenset[str], tuple[Any, dict[str, bytes]]] = {}

    def of(self, principal: Principal) -> tuple[Catalog, dict[str, bytes]]:
        """Return what a principal sees."""
        found = self._views.get(principal.scopes)
        if found is None:
            if len(self._views) >= limits.MAX_VIEWS:
                del self._views[next(iter(self._views))]
            view: Any = View(self._catalog, principal)
            found = self._views[principal.scopes] = (view, {})
        return found
