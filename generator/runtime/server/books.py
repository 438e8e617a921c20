"""What a runner needs of whatever keeps the calls it runs; only a type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from .call import Call

    class Books(Protocol):
        """What a session is to its runner: the open calls, by id too, and their answers."""

        open: set[Call]
        running: dict[str | int, Call]

        def finish(self, call: Call, result: dict[str, Any]) -> bytes | None:
            """Return the answer's bytes, or None if the call was already answered or cancelled."""
