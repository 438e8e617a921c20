"""What both contexts tell of changes: to every client that listens, not only to the one that called.

None of these depends on the call: a context that was kept tells of changes after its call has ended, too, from a task
or a thread that the tool started.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .channel import Channel


class AsyncAnnouncements:
    """The part of `Context` that tells of changes."""

    __slots__ = ()
    _channel: Channel

    async def tools_changed(self) -> None:
        """Tell clients that the list of tools has changed."""
        self._channel.changed("tools")

    async def prompts_changed(self) -> None:
        """Tell clients that the list of prompts has changed."""
        self._channel.changed("prompts")

    async def resources_changed(self) -> None:
        """Tell clients that the list of resources has changed."""
        self._channel.changed("resources")

    async def resource_updated(self, uri: str, /) -> None:
        """Tell clients that subscribed to a resource that its content has changed; raises TypeError for no text."""
        self._channel.changed("resource", checked(uri))

    async def close_stream(self) -> None:
        """Let the client come back for the answer instead of holding its connection meanwhile.

        Over HTTP a client of revision 2025-11-25 that has a session is told to reconnect, and gets what was sent
        meanwhile and the answer then. Anywhere else nothing happens.
        """
        self._channel.close_stream()


class Announcements:
    """The part of `SyncContext` that tells of changes."""

    __slots__ = ()
    _channel: Channel

    def tools_changed(self) -> None:
        """Tell clients that the list of tools has changed."""
        self._channel.changed("tools")

    def prompts_changed(self) -> None:
        """Tell clients that the list of prompts has changed."""
        self._channel.changed("prompts")

    def resources_changed(self) -> None:
        """Tell clients that the list of resources has changed."""
        self._channel.changed("resources")

    def resource_updated(self, uri: str, /) -> None:
        """Tell clients that subscribed to a resource that its content has changed; raises TypeError for no text."""
        self._channel.changed("resource", checked(uri))

    def close_stream(self) -> None:
        """Let the client come back for the answer instead of holding its connection meanwhile.

        Over HTTP a client of revision 2025-11-25 that has a session is told to reconnect, and gets what was sent
        meanwhile and the answer then. Anywhere else nothing happens.
        """
        self._channel.close_stream()


def checked(uri: object) -> str:
    """Return a URI that is a text; raises TypeError for anything else."""
    if isinstance(uri, str):
        return str(uri)
    message = f"a resource is named by its URI, a text, not by {type(uri).__name__}"
    raise TypeError(message)
