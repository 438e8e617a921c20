"""Gateways among the servers of a gateway: what is behind them is to be seen from the outermost one as well.

A child that mcpgen made names its package in its command, or the folder of its project, and a package whose catalog
has servers is a gateway. One that is reached by an address, or by a command of somebody else's, cannot be known for
one; nor is it known what `mcpgen registry serve` serves before it is started.
"""

from __future__ import annotations

import os
from itertools import pairwise, takewhile

from ..server.catalog import CATALOG, Catalog, CatalogError
from ..server.options import SERVE_WORDS
from .links import Ground
from .package_drift import STARTS
from .spawning import PYTHON, Unavailable, environment, words
from .spawning import folder as folder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

INTERPRETER, MODULE, PROJECT_STUB = "python", "-m", "server.py"
"""How a project is started by hand: `python server.py`, or `python -m PACKAGE` in its folder."""

REGISTRY_WORDS = ("registry", "serve")

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
    started = package_of(row, ground)
    if started is None:
        return None
    found = Inner(*started, ground, environment(row, ground.environment))
    return found if found.is_gateway else None


def package_of(row: Mapping[str, Any], ground: Ground) -> tuple[str, str] | None:
    """Return the folder of the package that a server is started from, and its interpreter, where that can be seen."""
    if "command" not in row:
        return None
    try:
        command = words(row, ground.environment, ground.base)
        runs_in = folder_of(row, ground.environment, ground.base) or os.getcwd()
    except (Unavailable, OSError):
        return None
    package = _package(command, runs_in)
    return None if package is None else (package, command[0])


def _package(command: list[str], runs_in: str) -> str | None:
    """Return the folder of the package that a command starts, if that can be seen."""
    start = next((word for word in command if word.endswith(STARTS)), None)
    if start is not None:
        return _holding_catalog(os.path.join(runs_in, os.path.dirname(start)))
    if not os.path.basename(command[0]).startswith(INTERPRETER):
        return None  # what else may start a file has no interpreter to name
    options = list(takewhile(lambda word: word.startswith("-") and word != MODULE, command[1:]))
    what, *after = [*command[1 + len(options) :], ""]
    if what == MODULE:
        return _holding_catalog(os.path.join(runs_in, after[0]))
    if os.path.basename(what) != PROJECT_STUB:
        return None
    project = os.path.dirname(os.path.join(runs_in, what))
    try:
        inside = [_holding_catalog(os.path.join(project, each)) for each in os.listdir(project)]
    except OSError:
        return None
    packages = [each for each in inside if each is not None]
    return packages[0] if len(packages) == 1 else None


def _holding_catalog(folder: str) -> str | None:
    return os.path.normpath(folder) if os.path.isfile(os.path.join(folder, CATALOG)) else None


def serves_registry(row: Mapping[str, Any]) -> bool:
    """Say whether a child is `mcpgen registry serve`, a gateway whose servers are those of the registry."""
    command = row.get("command") or ()
    return any(pair == REGISTRY_WORDS for pair in pairwise(command))


def its_doctor(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a child of this kind that looks at its own servers."""
    return {"command": [*(word for word in row["command"] if word not in SERVE_WORDS), "--doctor"]}


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
