"""What reading a server gives: its snapshot, or why there is none, and what else was found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic
    from ...ir.routes import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A snapshot (None when there is nothing to route to), what was found, and the digests of the files read."""

    snapshot: Snapshot | None
    diagnostics: tuple[Diagnostic, ...] = ()
    inputs: tuple[tuple[str, str], ...] = ()


BASE = "${base}"
"""Stands for the folder of the gateway's project; the runtime fills it in."""


def from_base(path: Path, base: Path) -> str:
    """Return an absolute path as seen from the gateway's folder; as it is where there is no way (another drive)."""
    try:
        return f"{BASE}/{Path(os.path.relpath(path, base)).as_posix()}"
    except ValueError:
        return path.as_posix()
