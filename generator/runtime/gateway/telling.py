"""What a running gateway tells `--status`: its children, how they are, what they last died of.

Written a moment after something changed, so that a child that starts and ends in a circle does not write all the time.
"""

from __future__ import annotations

import os
from time import monotonic, time

from .state_files import AVAILABLE, StateFile, folder, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .child import Child
    from .children import Children

SOON = 0.2
"""Seconds until a change is written."""

LATER = 5.0
"""Seconds between two looks at the counts of calls."""


class Telling:
    """Keeps the file of this process; does nothing where there can be none."""

    __slots__ = ("_children", "_due", "_file", "_last", "_since")

    def __init__(self, children: Children, identity: str, project: str) -> None:
        self._children = children
        self._since = time()
        self._due = False
        self._last: dict[str, Any] = {}
        below = folder(os.environ) if AVAILABLE else None
        try:
            self._file = StateFile(below, stem(identity, project)) if below is not None else None
        except OSError:
            self._file = None
        if self._file is not None:
            children.alarm.at(monotonic() + LATER, self._look)

    def changed(self) -> None:
        """Have what is the case written soon."""
        if self._file is not None and not self._due:
            self._due = True
            self._children.alarm.at(monotonic() + SOON, self._write)

    def end(self) -> None:
        """Remove the file."""
        gone, self._file = self._file, None
        if gone is not None:
            gone.remove()

    def _look(self) -> None:
        self._write()
        if self._file is not None:
            self._children.alarm.at(monotonic() + LATER, self._look)

    def _write(self) -> None:
        self._due = False
        state = self.state()
        if self._file is not None and state != self._last:
            self._last = state
            self._file.write(state)

    def state(self) -> dict[str, Any]:
        """Return what is the case; children that were never called are left out."""
        servers = {child.server.id: _state_of(child) for child in self._children.all() if child.starts}
        return {"version": 1, "pid": os.getpid(), "since": round(self._since), "servers": servers}


def _state_of(child: Child) -> dict[str, Any]:
    state: dict[str, Any] = {
        "state": "dead" if child.breaker.is_dead else child.state,
        "calls": child.calls,
        "running": len(child.active),
        "starts": child.starts,
        "failures": child.breaker.failures,
    }
    return {**state, "last": child.last} if child.last else state
