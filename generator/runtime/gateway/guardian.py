"""A tiny process that outlives a gateway that was killed, for as long as it takes to end the gateway's children.

Run as a program of its own (`python -I -S guardian.py`), it reads lines from standard input: `+N` for a process group
that begins, `-N` for one that ended. When the input ends the gateway is gone, whatever the reason. Children see the end
of their own input then; those that are still there after a moment are asked to end, and killed a moment later.
"""

from __future__ import annotations

import os
import signal
import sys
from time import monotonic, sleep

MERCY_SECONDS = 0.8
"""How long children may take to end by themselves, and again after they were asked to: in all well below 5 s."""

STEP_SECONDS = 0.05


def main() -> None:
    """Read until the gateway is gone, then end what it left behind."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(ignored, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        number = int(line[1:])
        if line.startswith(b"+"):
            groups.add(number)
        else:
            groups.discard(number)
    for number in (signal.SIGTERM, signal.SIGKILL):
        _await_end(groups)
        for group in groups:
            _signal(group, number)


def _await_end(groups: set[int]) -> None:
    """Wait a moment for the groups to end, forgetting those that do."""
    until = monotonic() + MERCY_SECONDS
    while groups and monotonic() < until:
        sleep(STEP_SECONDS)
        groups -= {group for group in groups if not _signal(group, 0)}


def _signal(group: int, number: int) -> bool:
    """Send a signal to a group; False when nobody is left in it."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's by now, or not to be signalled
    return True


if __name__ == "__main__":
    main()
