"""Values that a server has to have and would not get from its gateway: it starts without them, and refuses calls.

Only a server that mcpgen made says what it needs.
"""

from __future__ import annotations

import os

from ..server.catalog import Catalog, CatalogError
from ..server.self_report import is_needed, needs_of
from ..server.settings import Settings
from .inner import package_of
from .spawning import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .links import Ground


def lacking(row: Mapping[str, Any], ground: Ground) -> tuple[list[str], str]:
    """Return the variables that a server needs and has no value for, and the file where it looks for them as well."""
    started = package_of(row, ground)
    if started is None:
        return [], ""
    folder, _ = started
    catalog = Catalog(os.path.basename(folder), folder)
    try:
        entries = catalog.data.get("config") or {}
    except CatalogError:
        return [], ""
    settings, needs = Settings(catalog.data["id"], entries), needs_of(catalog)
    unset = settings.unset_in(environment(row, ground.environment))
    return [entries[name]["env"] for name in unset if is_needed(entries[name], needs)], settings.file
