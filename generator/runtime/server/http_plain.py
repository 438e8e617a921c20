"""What is plainly a good call of a tool: nothing in its head or its message needs a second look.

Pure, and one-sided: what is refused here is not wrong, it is left to those who say what is wrong. What is accepted has
passed every rule of the general path (`http_posts`, `http_routing`, `session`), which `lane_of` applies to a head, once
for all requests that have it, and `plain_params` (`plain`) and `agrees` to a message.
"""

from __future__ import annotations

from ..wire.dialects import (
    DIALECTS,
    LATEST_LEGACY,
    LATEST_MODERN,
    META_CAPABILITIES,
    META_VERSION,
    MODERN_VERSIONS,
)
from .call import REPEAT_KEY
from .http_request import Request
from .http_routing import METHOD, NAME, SESSION, VERSION
from .http_rules import Verdict
from .http_sentinel import Undecodable, decoded
from .plain import CALL, is_sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect
    from .http_head import Head

SINGLE = (VERSION, METHOD, NAME, SESSION)
"""Headers that one era or the other refuses when they come twice."""


CLOSED = "closed"
"""Stands for the lane of a head that has none."""


class Lane:
    """What a head says of the plain calls that come with it; `version` and `tool` are what it repeats (2026-07-28)."""

    __slots__ = ("dialect", "modern", "request", "session_id", "tool", "version")

    def __init__(
        self, request: Request, dialect: Dialect, *, version: str = "", tool: str = "", session_id: str | None = None
    ) -> None:
        self.request = request
        self.dialect = dialect
        self.modern = dialect.modern
        self.version = version
        self.tool = tool
        self.session_id = session_id


def lane_of(head: Head) -> Lane | None:
    """Return the lane of a head that anybody may send, kept in the head; None without one, or not judged yet."""
    verdict = head.verdict
    if head.lane is None and type(verdict) is Verdict and (verdict.content_checked or head.method != "POST"):
        head.lane = _lane(head, verdict) or CLOSED
    return head.lane if type(head.lane) is Lane else None


def _lane(head: Head, verdict: Verdict) -> Lane | None:
    if head.method != "POST" or verdict.place or not verdict.json or verdict.cors or not head.keep_alive:
        return None
    if any(name in head.repeated for name in SINGLE):
        return None
    headers, request = head.headers, Request(head, verdict, None)
    version = headers.get(VERSION)
    if version in MODERN_VERSIONS:
        try:
            tool = decoded(headers.get(NAME, ""))
        except Undecodable:
            return None
        return Lane(request, LATEST_MODERN, version=version, tool=tool) if headers.get(METHOD) == CALL else None
    if version is not None and version not in DIALECTS:
        return None
    dialect = LATEST_LEGACY if version is None else DIALECTS[version]
    return Lane(request, dialect, session_id=headers.get(SESSION))


def agrees(lane: Lane, name: str, meta: dict[str, Any]) -> bool:
    """Say whether a call is of its head's era, and in 2026-07-28 what the head says it is."""
    if REPEAT_KEY in meta:
        return False
    if not lane.dialect.modern:
        return META_VERSION not in meta
    if name != lane.tool or meta.get(META_VERSION) != lane.version or type(meta.get(META_CAPABILITIES)) is not dict:
        return False
    return is_sound(meta)
