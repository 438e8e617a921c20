"""Putting the questions of a negotiation to a child and waiting for its answers, over any kind of link."""

from __future__ import annotations

from _queue import Empty, SimpleQueue
from time import monotonic

from . import failures
from .errand import Errand
from .negotiating import DISCOVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .negotiating import Negotiation

    Inbox = SimpleQueue[tuple[str, dict[str, Any] | None, str, str]]
    """Answers: the method, the message or None, and why there is none: reason and detail."""

START_SECONDS = 30.0
"""For start and negotiation together where the row says nothing: some commands fetch their packages first."""

PROBE_SECONDS = 2.0
"""How long a child may take over `server/discover` before it is asked to `initialize` as well."""

SETTLED = ("", "")


class Question:
    """A taker that puts what it hears into a queue, for whoever waits."""

    __slots__ = ("_inbox", "_method")

    def __init__(self, inbox: Inbox, method: str) -> None:
        self._inbox = inbox
        self._method = method

    def answered(self, message: dict[str, Any]) -> None:
        """Pass on the answer."""
        self._inbox.put((self._method, message, "", ""))

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Leave out what is said meanwhile."""

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Leave out what is asked meanwhile: nobody is there yet to answer."""

    def lost(self, reason: str, detail: str) -> None:
        """Pass on that there is no answer."""
        self._inbox.put((self._method, None, reason, detail))


def until_of(row: Mapping[str, Any]) -> float:
    """Return when a child that starts now has to be ready."""
    limits = row.get("limits") or {}
    return monotonic() + float(limits.get("start_timeout") or START_SECONDS)


def settle(negotiation: Negotiation, send: Callable[[Errand], None], until: float) -> tuple[str, str]:
    """Carry out a negotiation; return SETTLED, or reason and detail of what ended it."""
    inbox: Inbox = SimpleQueue()
    probe_until = min(until, monotonic() + PROBE_SECONDS)
    while not negotiation.done and not negotiation.failed:
        method = negotiation.due()
        if method:
            send(Errand(method, negotiation.params(method), Question(inbox, method)))
            continue
        now = monotonic()
        if now >= until:
            return failures.TIMEOUT, "it did not answer in the time it has to start"
        try:
            wait = (probe_until if now < probe_until else until) - now
            method, message, reason, detail = inbox.get(timeout=wait)
        except Empty:
            negotiation.overdue(DISCOVER)
            continue
        if message is None and (method != DISCOVER or reason != failures.BROKEN):
            return reason, detail
        negotiation.heard(method, message or {})  # an answer of no use to the newer question may be an old server's
    return (failures.TRANSPORT, negotiation.failed) if negotiation.failed else SETTLED
