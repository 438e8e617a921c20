"""Lists that show a client only what its token may call, read and get (setting `serve.filter_lists`).

What differs between tokens is what lists show; what is not shown can be asked for all the same, and its refusal says
which scope it needs, so that a client can ask for one.
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


LISTED = ("tools", "resources", "templates", "prompts")
"""Members of a catalog that have scopes."""


class View:
    """A catalog as one set of scopes sees it: everything but its lists is that of the `whole` catalog."""

    def __init__(self, whole: Catalog, principal: Principal) -> None:
        lists = {
            name: [entry for entry in whole.data[name] if not principal.lacks(entry.get("scopes") or [])]
            for name in LISTED
            if name in whole.data
        }
        data = {**whole.data, **lists}
        header = {**whole.header, "tools": len(shown(data)), "by_scope": True}
        self.__dict__.update(whole=whole, data=data, header=header, _listing=None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["whole"], name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in OWN:
            self.__dict__[name] = value
        else:
            setattr(self.__dict__["whole"], name, value)

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
        self._views: dict[tuple[frozenset[str], str], tuple[Any, dict[str, bytes]]] = {}

    def of(self, principal: Principal) -> tuple[Catalog, dict[str, bytes]]:
        """Return what a principal sees."""
        key = (principal.scopes, self._catalog.edition)
        found = self._views.get(key)
        if found is None:
            if len(self._views) >= limits.MAX_VIEWS:
                del self._views[next(iter(self._views))]
            view: Any = View(self._catalog, principal)
            found = self._views[key] = (view, {})
        return found
