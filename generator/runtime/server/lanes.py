"""How many calls of one tool run at once: the rest wait in order."""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .call import Call
    from .tool import Tool


class Lanes:
    """Counts running calls of tools that have a limit; tools without one pass freely."""

    __slots__ = ("_active", "_lock", "_waiting")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._active: dict[Tool, int] = {}
        self._waiting: dict[Tool, list[Call]] = {}

    def enter(self, call: Call) -> bool:
        """Return whether the call may start now; otherwise it waits for `leave` to hand it out."""
        tool = call.tool
        if not tool.max_concurrent:
            return True
        with self._lock:
            active = self._active.get(tool, 0)
            if active < tool.max_concurrent:
                self._active[tool] = active + 1
                return True
            self._waiting.setdefault(tool, []).append(call)
            return False

    def leave(self, tool: Tool) -> Call | None:
        """Give the place back; return the next waiting call that still wants an answer, which then holds it."""
        if not tool.max_concurrent:
            return None
        with self._lock:
            waiting = self._waiting.get(tool, [])
            while waiting:
                call = waiting.pop(0)
                if not call.finished:
                    return call
            self._active[tool] -= 1
            return None
