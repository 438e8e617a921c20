"""A request that waits until it is known who sends it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Verifying(Exception):  # no error: the request goes on later
    """Who holds a token is being found out; `ticket.then` has something done afterwards."""

    def __init__(self, ticket: Ticket) -> None:
        super().__init__()
        self.ticket = ticket


class Ticket:
    """One token being judged."""

    __slots__ = ("_then", "begun", "given_up", "key", "replaced", "running", "token")

    def __init__(self, key: bytes, token: str, begun: float) -> None:
        self.key = key
        self.token = token
        self.begun = begun
        self.running = False
        self.given_up = False
        self.replaced = False  # another thread has taken the place of the one that asks
        self._then: list[Callable[[], object]] = []

    def then(self, function: Callable[[], object]) -> None:
        """Have a function called once the token is judged, by whoever holds the server's role."""
        self._then.append(function)

    def settle(self) -> None:
        """Call them."""
        for function in self._then:
            function()
