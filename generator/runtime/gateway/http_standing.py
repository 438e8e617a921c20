"""The stream on which a legacy child says what belongs to no errand, kept open for as long as its session lasts."""

from __future__ import annotations

from ..client.stopping import LONGEST_SECONDS, Turn, Watch
from . import http_headers
from .http_wire import WireProblem
from .links import CLOSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..client.head import Head
    from .http_link import HttpLink

STANDING = "standing"
"""The key of the stream's watch in its link."""

MAX_VAIN = 5
"""Attempts in a row that brought nothing, after which nothing more is expected."""

RETRY_SECONDS = 1.0
"""Wait before another attempt where the child does not say; doubled with each that brought nothing."""


def listen(link: HttpLink, session: str, opened: Callable[[], None]) -> None:
    """Read the stream of a session until it or the link ends; a thread's whole work. Never raises.

    `opened` is called when the stream is there, and when there will be none.
    """
    try:
        _listen(link, session, lambda _: opened())
    finally:
        opened()


def _listen(link: HttpLink, session: str, opened: Callable[[Head], None]) -> None:
    watch = Watch(LONGEST_SECONDS)
    link.watch(STANDING, watch)
    stream = link.stream(None, opened)
    vain = 0
    while link.state != CLOSED and link.session == session and vain < MAX_VAIN:
        before = stream.events
        stream.begin_again()
        headers = http_headers.stream_headers(link.peer, session, stream.reader.last)
        try:
            if not link.wire.exchange("GET", headers, None, watch, stream, again=True).streamed:
                break  # 405: it has no such stream
        except WireProblem:
            pass  # it broke off, and may be taken up
        vain = 0 if stream.events > before else vain + 1
        if not Turn(watch, LONGEST_SECONDS).pause((stream.reader.retry or RETRY_SECONDS) * 2**vain):
            break
