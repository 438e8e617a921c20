"""Looking up what a user named: what the system cannot look up is not there.

`pathlib` raises for a name that is too long, has a null character in it, or is in a folder that is closed to us; that
is no fault of ours, and whoever asks says what is missing.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_there(path: str | Path) -> bool:
    """Return whether something is there that a path leads to."""
    return os.path.exists(path)  # noqa: PTH110 - it never raises, and its counterpart does


def is_folder(path: str | Path) -> bool:
    """Return whether a path leads to a folder."""
    return os.path.isdir(path)  # noqa: PTH112 - the same


def is_file(path: str | Path) -> bool:
    """Return whether a path leads to an ordinary file."""
    return os.path.isfile(path)  # noqa: PTH113 - the same


def is_link(path: str | Path) -> bool:
    """Return whether a path is a link, wherever that leads to."""
    return os.path.islink(path)  # noqa: PTH114 - the same


def resolved(path: str | Path) -> Path:
    """Return where a path leads to, links followed as far as they lead somewhere: a circle of them is left as it is."""
    return Path(os.path.realpath(path))  # pathlib raises for a circle, before Python 3.13
