"""Waiting for somebody's answer in the middle of a call: on a thread, or on the loop that the call runs on."""

from __future__ import annotations

from time import monotonic

from ..authoring.errors import CallCancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Event
    from collections.abc import Callable

    from .call import Call

POLL_SECONDS = 0.1
"""How soon a blocked function notices that its call was cancelled or is over its time."""


def check_wanted(call: Call, what: str, grace: float = 0.0) -> None:
    """Raise CallCancelled when nobody waits for a call any more; `grace` is in seconds after its deadline."""
    if call.cancelled or call.finished or monotonic() >= call.deadline + grace:
        raise CallCancelled(f"nobody waits for this {what} any more")


def knock() -> tuple[Event, Callable[[], None]]:
    """Return what can be awaited on the running loop, and what any thread calls to have it go on."""
    import asyncio

    loop = asyncio.get_running_loop()
    came = asyncio.Event()

    def tell() -> None:
        try:
            loop.call_soon_threadsafe(came.set)
        except RuntimeError:  # the loop was closed, and whoever waited on it is gone
            return

    return came, tell
