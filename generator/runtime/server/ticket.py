"""What stands for a call that was not made."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from .call import Call

    class Path(Protocol):
        """A straight path."""

        def name(self, ticket: Ticket) -> Call | None:
            """Have what runs under a ticket run as a call from now on; None if it has ended."""


class Ticket:
    """Stands for a call of the straight path, where the role wants one; `call` is that call if one had to be made.

    It is used again until then.
    """

    __slots__ = ("_path", "call", "started")

    def __init__(self, path: Path) -> None:
        self._path = path
        self.call: Call | None = None
        self.started = 0.0

    def made(self) -> Call:
        """Return the call, made now if it was not; only for the thread that runs it."""
        return self.call or self._path.name(self)  # type: ignore[return-value] # nobody but that thread ends it
