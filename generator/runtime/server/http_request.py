"""A request that was admitted: its head, what the rules found in it, and who sends it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .http_head import Head
    from .http_rules import Verdict
    from .http_tokens import Principal


class Request:
    """One admitted request, without its body."""

    __slots__ = ("head", "principal", "verdict")

    def __init__(self, head: Head, verdict: Verdict, principal: Principal | None) -> None:
        self.head = head
        self.verdict = verdict
        self.principal = principal
