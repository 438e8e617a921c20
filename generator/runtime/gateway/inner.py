"""Gateways among the servers of a gateway: what is behind them is to be seen from the outermost one as well.

A child that mcpgen made names its package in its command, and a package whose catalog has servers is a gateway. One
that is reached by an address, or by a command of somebody else's, cannot be known for one.
"""

from __future__ import annotations

import os

from ..server.catalog import CATALOG, Catalog, CatalogError
from .links import Ground
from .package_drift import STARTS
from .spawning import PYTHON, Unavailable, environment, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

BETWEEN = "/"
"""Stands between a gateway's name and that of a server behind it; neither has it in its own."""


class Inner:
    """A gateway behind a gateway: its catalog, the rows of its servers, and what their links share."""

    __slots__ = ("catalog", "ground", "place", "rows")

    def __init__(self, folder: str, python: str, above: Ground, variables: Mapping[str, str]) -> None:
        """Read its table, whose `${python}` is the interpreter that it is started with; raises CatalogError."""
        self.catalog = Catalog(os.path.basename(folder), folder)
        self.place = place_of(self.catalog)
        base = os.path.dirname(folder)
        self.ground = Ground(base, client=above.client, offered=above.offered, environment=variables)
        servers = self.catalog.data["gateway"]["servers"] if self.is_gateway else {}
        self.rows = {name: _started_with(row, python) for name, row in servers.items()}

    @property
    def is_gateway(self) -> bool:
        """Whether there are servers behind it at all."""
        return bool(self.catalog.header.get("gateway"))


def inner(row: Mapping[str, Any], ground: Ground) -> Inner | None:
    """Return the gateway that a server is; None for what is none, or cannot be known for one. Raises CatalogError."""
    if not any(word.endswith(STARTS) for word in row.get("command") or ()):
        return None
    try:
        command = words(row, ground.environment, ground.base)
    except Unavailable:
        return None
    start = next(word for word in command if word.endswith(STARTS))
    folder = os.path.normpath(os.path.dirname(start))
    if not os.path.isfile(os.path.join(folder, CATALOG)):
        return None
    found = Inner(folder, command[0], ground, environment(row, ground.environment))
    return found if found.is_gateway else None


def gateways_behind(
    rows: Mapping[str, dict[str, Any]], ground: Ground, above: tuple[str, ...]
) -> list[tuple[str, Inner]]:
    """Return all gateways behind one, each once on its way, with their names; those whose table cannot be read not."""
    found: list[tuple[str, Inner]] = []
    for name, row in rows.items():
        try:
            gateway = inner(row, ground)
        except CatalogError:
            continue
        if gateway is not None and gateway.place not in above:
            behind = gateways_behind(gateway.rows, gateway.ground, (*above, gateway.place))
            found += [(name, gateway), *((f"{name}{BETWEEN}{each}", further) for each, further in behind)]
    return found


def place_of(catalog: Catalog) -> str:
    """Return what tells a gateway from others, however it is reached."""
    return os.path.realpath(catalog.folder)


def _started_with(row: dict[str, Any], python: str) -> dict[str, Any]:
    if "command" not in row:
        return row
    return {**row, "command": [word.replace(PYTHON, python) for word in row["command"]]}
