"""Mail between threads, for servers with connections of their own: how much is read at once, and who says too much."""

from __future__ import annotations

from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sized

MAIL_AT_ONCE = 256
"""Mail read in one turn, so that connections have theirs; notifications are slowed down where more of it waits."""

HELD_BACK_SECONDS = 0.05
"""Longest delay of one notification, half of what makes a loop count as blocked."""

HELD_BACK_STEP = 0.001


def hold_back(mail: Sized) -> None:
    """Wait a moment where much mail waits: it takes memory, and whoever says more than its client is sent can wait."""
    if len(mail) > MAIL_AT_ONCE:
        until = monotonic() + HELD_BACK_SECONDS
        while len(mail) > MAIL_AT_ONCE and monotonic() < until:
            sleep(HELD_BACK_STEP)
