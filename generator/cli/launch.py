"""How a built server is started on this machine: words that can be pasted, with an interpreter that has what it needs.

A server that imports something installed is started by the interpreter of the environment in which its imports were
looked up. Any other needs only the standard library, so that no environment that may be deleted is named: not the one
that `uv tool` or pipx made for mcpgen, unless it is all there is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..backends.hosts_text import needs_installed, python_options
from ..on_disk import resolved
from ..request import OLDEST

if TYPE_CHECKING:
    from ..frontends.python.environment import Environment
    from ..ir.model import Server

FALLBACK = "python3"
"""What is named when no interpreter can be found in its place."""


def launch(server: Server, environment: Environment | None, folder: Path) -> tuple[str, ...]:
    """Return the command line that starts the server of a project folder.

    `environment` is where a Python source was looked up in; without one the standard library is enough.
    """
    stub = str(resolved(folder) / "server.py")
    if environment is None:
        return (base_interpreter(), *python_options(server), stub)
    if needs_installed(server):
        return (str(environment.executable or FALLBACK), *python_options(server), stub)
    usable = environment.executable is not None and environment.version >= OLDEST and not environment.own
    return (str(environment.executable) if usable else base_interpreter(), *python_options(server), stub)


def base_interpreter() -> str:
    """Return the interpreter of the installation that ours was made from: it outlives every virtual environment."""
    major, minor = sys.version_info[:2]
    prefix = Path(sys.base_prefix)
    names = (f"bin/python{major}.{minor}", "bin/python3", "python.exe")
    found = next((prefix / name for name in names if (prefix / name).is_file()), None)
    return str(found or sys.executable or FALLBACK)
