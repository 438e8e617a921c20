"""Look at processes from outside: who is alive, who was not waited for, what this one takes."""

from __future__ import annotations

import os
import time
from pathlib import Path

STEP = 0.02


def _processes():
    """Yield number, state, parent and group of every process."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent, group = (folder / "stat").read_text(encoding="latin-1").rpartition(")")[2].split()[:3]
            except OSError:
                continue  # it has ended meanwhile
            yield int(folder.name), state, int(parent), int(group)


def alive_in(group):
    """Return the processes of a group that are alive; what its parent has not waited for yet is not."""
    return [number for number, state, _, of in _processes() if of == group and state not in "ZX"]


def zombies():
    """Return the children of this process that have ended and were not waited for."""
    return [number for number, state, parent, _ in _processes() if parent == os.getpid() and state == "Z"]


def resident():
    """Return the bytes of memory that this process takes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def none_left(group, seconds):
    """Wait until nobody of a group is alive; return whether that was in time."""
    until = time.monotonic() + seconds
    while alive_in(group):
        if time.monotonic() > until:
            return False
        time.sleep(STEP)
    return True
