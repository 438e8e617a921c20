"""What the tools of one server share when they run: the environment, the import path, the application's settings."""

from __future__ import annotations

import sys
from _thread import allocate_lock

from .settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalog import Catalog

_lock = allocate_lock()
_known: dict[Catalog, Surroundings] = {}


def surroundings_of(catalog: Catalog) -> Surroundings:
    """Return the surroundings of a catalog's tools: one object for each catalog."""
    found = _known.get(catalog)
    if found is None:
        with _lock:
            found = _known.setdefault(catalog, Surroundings(catalog))
    return found


class Surroundings:
    """The ground that is laid before a server's first user code is imported."""

    __slots__ = ("_catalog", "_ready", "_ready_lock", "load", "settings")

    def __init__(self, catalog: Catalog) -> None:
        from ..schema.imports import loader

        self._catalog = catalog
        self._ready = False
        self._ready_lock = allocate_lock()
        self.load = loader(catalog.package)
        self.settings = Settings(catalog.data["id"], catalog.data.get("config") or {})

    def lay(self) -> None:
        """Prepare the process for user code, once: login shell, site-packages, the `mcpgen` alias."""
        if self._ready:
            return
        with self._ready_lock:
            if self._ready:
                return
            wanted = self._catalog.settings.get("shell_env")
            if wanted:
                from .login_shell import adopt

                adopt(wanted)
            if sys.flags.no_site and self._catalog.data.get("needs_site"):
                import site

                site.main()
            from .authoring_alias import install

            install()
            self._ready = True
