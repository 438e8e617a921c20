"""Contexts: how a running tool talks to the client that called it.

An async tool takes a `Context`, a sync one a `SyncContext`; a parameter is recognised by its type, whatever its name.
Both offer the same calls. A server connects them to the call (`Channel`); a context made by hand, `Context()`, is
connected to nothing, so that a function can be tested as it is.
"""

from __future__ import annotations

import time

from .announcements import Announcements, AsyncAnnouncements
from .asking import Asking, AsyncAsking
from .channel import Unconnected
from .errors import CallCancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from .channel import Channel, Client, Configuration

    Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

POLL_SECONDS = 0.05
"""How soon a blocking sleep notices a cancellation: below what a person feels, above what would cost processor time."""


LEVELS = frozenset(("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"))
"""Log levels as MCP spells them (RFC 5424)."""


class _Conversation:
    """What both contexts share: facts about the call, and messages that never wait for an answer."""

    __slots__ = ("_channel", "_reached")

    def __init__(
        self,
        *,
        config: Mapping[str, str] | None = None,
        answers: Mapping[str, object] | None = None,
        channel: Channel | None = None,
    ) -> None:
        self._channel: Channel = channel if channel is not None else Unconnected(config, answers)
        self._reached: float | None = None

    @property
    def cancelled(self) -> bool:
        """Whether the client cancelled the call, or its time is over: the answer will not be used."""
        return self._channel.ended()

    @property
    def config(self) -> Configuration:
        """The application's configuration values, read when first asked for."""
        return self._channel.configuration()

    @property
    def client(self) -> Client:
        """The client that called."""
        return self._channel.client

    @property
    def request_meta(self) -> Mapping[str, object]:
        """The request's `_meta` object, for example its `traceparent`."""
        return self._channel.request_meta

    @property
    def invocation(self) -> str:
        """How the function was reached: "mcp" in a server, "test" for a context made by hand."""
        return self._channel.invocation

    @property
    def request_id(self) -> str | int:
        """The JSON-RPC id of the request."""
        return self._channel.request_id

    def _log(self, level: str, message: str, data: dict[str, object]) -> None:
        if level not in LEVELS:
            complaint = f"log level {level!r} does not exist; use one of {', '.join(sorted(LEVELS))}"
            raise ValueError(complaint)
        self._channel.log(level, {"message": message, **data} if data else message)

    def _progress(self, progress: float, total: float | None, message: str | None) -> None:
        for number in (progress, total):
            if number is not None and not -float("inf") < number < float("inf"):
                complaint = f"progress must be a finite number, not {number!r}"
                raise ValueError(complaint)
        if self._reached is not None and progress <= self._reached:
            return  # the value must increase with each notification (MCP utilities/progress)
        self._reached = progress
        self._channel.progress(progress, total, message)


class Context(AsyncAsking, AsyncAnnouncements, _Conversation):
    """The context of an async tool."""

    __slots__ = ()

    async def log(self, level: Level, message: str, /, **data: object) -> None:
        """Send the client a log message with `data` beside it; raises ValueError for an unknown level."""
        self._log(level, message, data)

    async def debug(self, message: str, /, **data: object) -> None:
        """Send a log message of level debug."""
        self._log("debug", message, data)

    async def info(self, message: str, /, **data: object) -> None:
        """Send a log message of level info."""
        self._log("info", message, data)

    async def warning(self, message: str, /, **data: object) -> None:
        """Send a log message of level warning."""
        self._log("warning", message, data)

    async def error(self, message: str, /, **data: object) -> None:
        """Send a log message of level error."""
        self._log("error", message, data)

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is; a value that does not increase is not sent."""
        self._progress(progress, total, message)

    async def start_task(self) -> None:
        """Answer the request with a task and go on behind it; nothing where tool or client know no tasks.

        For tools with `task="optional"` or `"required"`. One that calls this becomes a task here, not before, and asks
        in the call itself what it asks until then.
        """
        self._channel.start_task()

    async def sleep(self, seconds: float) -> None:
        """Wait; a cancellation ends the wait with `asyncio.CancelledError`."""
        import asyncio

        await asyncio.sleep(seconds)


class SyncContext(Asking, Announcements, _Conversation):
    """The context of a sync tool: the same calls, blocking."""

    __slots__ = ()

    def log(self, level: Level, message: str, /, **data: object) -> None:
        """Send the client a log message with `data` beside it; raises ValueError for an unknown level."""
        self._log(level, message, data)

    def debug(self, message: str, /, **data: object) -> None:
        """Send a log message of level debug."""
        self._log("debug", message, data)

    def info(self, message: str, /, **data: object) -> None:
        """Send a log message of level info."""
        self._log("info", message, data)

    def warning(self, message: str, /, **data: object) -> None:
        """Send a log message of level warning."""
        self._log("warning", message, data)

    def error(self, message: str, /, **data: object) -> None:
        """Send a log message of level error."""
        self._log("error", message, data)

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is; a value that does not increase is not sent."""
        self._progress(progress, total, message)

    def start_task(self) -> None:
        """Answer the request with a task and go on behind it; nothing where tool or client know no tasks.

        For tools with `task="optional"` or `"required"`. One that calls this becomes a task here, not before, and asks
        in the call itself what it asks until then.
        """
        self._channel.start_task()

    def sleep(self, seconds: float) -> None:
        """Wait; raises CallCancelled as soon as the call is cancelled or its time is over."""
        until = time.monotonic() + seconds
        while not self._channel.ended():
            left = until - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, POLL_SECONDS))
        message = "nobody waits for this call any more"
        raise CallCancelled(message)
