"""Where a source is, as seen from the project made of it: `mcpgen verify` looks there, wherever it is run.

A path that leads through most of a machine says more of the machine than of the project, and is not written down.
"""

from __future__ import annotations

import os
from pathlib import Path

MAX_UP = 4
"""Folders up; a source further away is no part of the same work."""


def origin(folder: Path, source: str) -> str:
    """Return the path from a project's folder to its source, with `/`; "" where there is none worth keeping."""
    try:
        place, project = Path(source).resolve(strict=True), folder.resolve()
        shared = Path(os.path.commonpath((place, project)))
        home = Path.home().resolve()
    except (OSError, ValueError, RuntimeError):  # an installed module, another drive, a user without a home
        return ""
    path = Path(os.path.relpath(place, project)).as_posix()
    if shared == Path(shared.anchor) or shared in home.parents or path.split("/").count("..") > MAX_UP:
        return ""
    return path if path.isprintable() else ""
