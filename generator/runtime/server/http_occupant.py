"""What a connection knows of whoever answers its request."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Occupant(Protocol):
        """Whatever answers the request that a connection is busy with."""

        def lost(self) -> None:
            """Take notice that the connection is gone."""

        def keep_alive(self) -> None:
            """Send something, because nothing was sent for long."""
