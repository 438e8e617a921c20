"""Which era a child speaks, step by step and without input or output (protocol digest, gateway: the client's side).

A child is asked `server/discover` first. A DiscoverResult that names a modern revision, or the error that says which
revisions are supported, makes it modern; anything else, or silence, leads to `initialize`. Both questions may be open
at once (a slow child answers the first one late), and the first good answer decides. A child that is known to be legacy
is asked in the other order, so that one that has learned the new ways is found out too.
"""

from __future__ import annotations

from ..wire.dialects import DIALECTS, LATEST_LEGACY, LATEST_MODERN, MODERN_VERSIONS
from ..wire.jsonrpc import HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION, printable
from .peer import LEGACY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .peer import Peer

DISCOVER, INITIALIZE = "server/discover", "initialize"


OLD_UNSUPPORTED_VERSION = -32004
"""What an earlier draft of 2026-07-28 called -32022."""

OF_MODERN = (HEADER_MISMATCH, MISSING_CAPABILITY)
"""Errors that nobody else knows: whoever answers with one speaks a modern revision."""


class Negotiation:
    """The questions put to one child. `done` says that its era is known, `failed` why there is no hope."""

    __slots__ = ("_answered", "_asked", "_due", "_peer", "_repeated", "done", "failed")

    def __init__(self, peer: Peer, known: str) -> None:
        self._peer = peer
        self._asked: set[str] = set()
        self._answered: set[str] = set()
        self._due: list[str] = []
        self._repeated = False
        self.done = False
        self.failed = ""
        peer.forget()
        self._ask(INITIALIZE if known == LEGACY else DISCOVER)

    def due(self) -> str:
        """Return the question to put next, "" for none; it counts as put."""
        return self._due.pop() if self._due else ""

    def params(self, method: str) -> dict[str, Any]:
        """Return a question's parameters."""
        return {} if method == DISCOVER else initialize_params(self._peer)

    def heard(self, method: str, message: dict[str, Any]) -> None:
        """Take the answer to a question."""
        if self.done or self.failed:
            return
        if method == DISCOVER and not self._repeated and _wants_another_version(message):
            self._repeated = True  # it knows our revision after all, and says of itself what it can do
            self._due.append(DISCOVER)
            return
        dialect, told = self._judged(method, message)
        if dialect is not None:
            self._peer.become(dialect, told)
            self.done = True
            return
        self._answered.add(method)
        other = DISCOVER if method == INITIALIZE else INITIALIZE
        if other not in self._asked:
            self._ask(other)
        elif other in self._answered or method == INITIALIZE:  # answers to both come in the order they were asked
            self.failed = _problem(method, message)

    def overdue(self, method: str) -> None:
        """Wait for an answer no longer without asking something else, though it may still come."""
        if not self.done and not self.failed and method == DISCOVER:
            self._ask(INITIALIZE)

    def _ask(self, method: str) -> None:
        if method not in self._asked:
            self._asked.add(method)
            self._due.append(method)

    def _judged(self, method: str, message: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return the revision that an answer settles on, or None, and what the child says of itself."""
        result = message.get("result")
        if type(result) is dict:
            if method == INITIALIZE:
                version = result.get("protocolVersion")
                row = DIALECTS.get(version) if type(version) is str else None
                return (row if row is not None and not row.modern else None), result
            return (LATEST_MODERN if _names_modern(result.get("supportedVersions")) else None), result
        error = message.get("error")
        known = type(error) is dict and (error.get("code") in OF_MODERN or _wants_another_version(message))
        return (LATEST_MODERN if method == DISCOVER and known else None), {}


def initialize_params(peer: Peer) -> dict[str, Any]:
    """Return what a legacy child is told of its client."""
    return {"protocolVersion": LATEST_LEGACY.version, "capabilities": peer.offered, "clientInfo": peer.client}


def _wants_another_version(message: dict[str, Any]) -> bool:
    """Say whether an error names a modern revision that is known here as supported."""
    error = message.get("error")
    if type(error) is not dict or error.get("code") not in (UNSUPPORTED_VERSION, OLD_UNSUPPORTED_VERSION):
        return False
    data = error.get("data")
    return type(data) is dict and _names_modern(data.get("supported"))


def _names_modern(versions: Any) -> bool:
    return type(versions) is list and any(version in MODERN_VERSIONS for version in versions if type(version) is str)


def _problem(method: str, message: dict[str, Any]) -> str:
    error = message.get("error")
    if type(error) is dict:
        return f"it refused {method}: {printable(str(error.get('message', ''))[:200])}"
    result = message.get("result")
    version = result.get("protocolVersion") if type(result) is dict else None
    if type(version) is str:
        return f"it speaks the protocol revision {version[:40]!r}, which is not known here"
    return f"its answer to {method} is none"
