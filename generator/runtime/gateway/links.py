"""Connections to children, whatever carries them: what all have in common, and the choice by the table's row."""

from __future__ import annotations

import os

from .eras import Eras

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from .errand import Errand
    from .peer import Peer

    class Link(Protocol):
        """A connection to one child; every method returns at once and may be called from any thread."""

        name: str
        state: str
        peer: Peer
        on_notification: Callable[[str, dict[str, Any]], None] | None
        on_request: Callable[[str | int, str, dict[str, Any]], None] | None
        on_pause: Callable[[], None] | None
        on_renewed: Callable[[], None] | None

        def start(self, ready: Callable[[], None], ended: Callable[[str, str], None]) -> None:
            """Connect and negotiate; `ready` is called when errands can be sent, `ended` once, with reason and why."""

        def send(self, errand: Errand) -> None:
            """Send an errand with the next flush."""

        def flush(self) -> None:
            """Have leave what was sent."""

        def cancel(self, errand: Errand, reason: str) -> None:
            """Wait for an errand no longer, and tell the child; its taker hears nothing more."""

        def reply(
            self, request_id: str | int, result: dict[str, Any] | None, error: dict[str, Any] | None = None
        ) -> None:
            """Answer a request of the child."""

        def notify(self, method: str, params: dict[str, Any]) -> None:
            """Tell a legacy child something."""

        def close(self) -> None:
            """End the connection; what is waited for is lost."""

        def join(self, seconds: float) -> bool:
            """Wait until everything of the connection has ended; False when it has not in that time."""

        def stderr_tail(self) -> str:
            """Return the last lines a child wrote to standard error."""


NEW, STARTING, READY, CLOSED = "new", "starting", "ready", "closed"
"""The states of a link, in their order."""


class Ground:
    """What the links of one gateway share.

    `base` is its project folder, `environment` its variables; `client` says who the gateway is (Implementation) and
    `offered` what it can do for a legacy child (ClientCapabilities); `overheard` hears each line that a child writes to
    standard error, with the child's name.
    """

    __slots__ = ("base", "client", "environment", "eras", "offered", "overheard")

    def __init__(
        self,
        base: str,
        *,
        client: dict[str, Any],
        offered: dict[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
        overheard: Callable[[str, str], None] | None = None,
    ) -> None:
        self.base = base
        self.client = client
        self.offered = offered or {}
        self.environment = os.environ if environment is None else environment
        self.eras = Eras()
        self.overheard = overheard


def make_link(name: str, row: Mapping[str, Any], ground: Ground) -> Link:
    """Return the link to a child, not started yet; a row has either a command or a URL."""
    if "command" in row:
        from .stdio_link import StdioLink

        return StdioLink(name, row, ground)
    from .http_link import HttpLink

    return HttpLink(name, row, ground)
