"""What tests leave behind in their process: threads of the runtime that still have something to do, lines for its log.

A clock that rings later, or a child that goes on starting, writes into the log that a later test reads. Threads of a
pool that wait for work are left alone: nobody gives them any more. A line that is held for the next one to take along
would be written into whichever log comes next.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

RUNTIME = f"{Path(__file__).resolve().parent.parent / 'generator' / 'runtime'}/"

WAITING = {
    "gateway/crew.py: _work",
    "server/event_file.py: _run",
    "server/event_loop.py: _serve",
    "server/workers.py: _work",
}
"""Where a thread of a pool waits for the next thing to do."""

SECONDS = 10.0
"""How long threads may take to end."""


def running() -> dict[int, str]:
    """Return where the threads of the runtime are, by their numbers; this one is none of them."""
    found = {}
    for number, frame in sys._current_frames().items():
        place = "" if number == threading.get_ident() else _place(frame)
        if place and place not in WAITING:
            found[number] = place
    return found


def since(before: dict[int, str], seconds: float = SECONDS) -> list[str]:
    """Return where threads are that were not there before and do not end in time."""
    until = time.monotonic() + seconds
    while left := [place for number, place in running().items() if number not in before]:
        if time.monotonic() >= until:
            break
        time.sleep(0.01)
    return sorted(left)


def drop_lines() -> None:
    """Forget the lines that the log of this process holds, if one was written."""
    logs = sys.modules.get("generator.runtime.server.logs")
    if logs is not None:
        logs._held.clear()


def _place(frame: object) -> str:
    """Return the innermost function of the runtime, or nothing."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(RUNTIME):
            return f"{code.co_filename.removeprefix(RUNTIME)}: {code.co_name}"
        frame = frame.f_back
    return ""
