"""Process groups: who is left of one, and how all of it is ended."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

WINDOWS = sys.platform == "win32"
"""There are no process groups of this kind: only the process itself is ended."""

PROC = Path("/proc")


def signal_group(process: subprocess.Popen[bytes], *, hard: bool) -> None:
    """Send a process that runs, and all of its group, SIGTERM or (hard) SIGKILL."""
    with contextlib.suppress(OSError):
        if WINDOWS:
            process.kill() if hard else process.terminate()
        else:
            os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)


def end_group(leader: int) -> None:
    """Kill what is left of the group of a process that has ended."""
    if not WINDOWS:
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)


def living_members(leader: int) -> int:
    """Return how many processes of a group live; those that ended and were not waited for do not count."""
    if WINDOWS:
        return 0
    try:
        os.killpg(leader, 0)
    except OSError:
        return 0
    if not (PROC / "self/stat").exists():
        return 1
    return sum(_lives_in(each, leader) for each in PROC.iterdir() if each.name.isdigit())


def _lives_in(entry: Path, group: int) -> bool:
    """Read the state and the group of a process (proc(5)): what follows the name in parentheses."""
    try:
        state, _, its_group = entry.joinpath("stat").read_text(errors="replace").rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False
    return int(its_group) == group and state not in "ZX"
