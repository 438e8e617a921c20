"""Tokens that only the author can judge: `verify` takes a token and says who holds it (JWTs, introspection).

The function is synchronous and may take its time, so it runs on threads of its own: the request waits, the server does
not. What it says is kept for a while, so that a client that sends one token with each request costs one call. Whatever
goes wrong means that nobody is let in, and nothing of a token is ever written down. It returns

- None: nobody;
- a name, or a name and scopes;
- an object with `name` or `sub`, `scopes` or `scope`, and if it likes `aud` and `exp`, which then have to hold.
"""

from __future__ import annotations

from _thread import start_new_thread
from collections import deque
from hashlib import sha256
from time import time

from . import logs
from .http_limits import (
    MAX_VERIFIED,
    MAX_VERIFYING,
    MAX_WAITING_TOKENS,
    REFUSED_SECONDS,
    VERIFIED_SECONDS,
    VERIFY_SECONDS,
)
from .http_problem import HttpProblem
from .http_tokens import Principal
from .http_waiting import Ticket, Verifying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_LEFT_BEHIND = 32
"""Threads whose check never came back that are replaced; beyond, the others have to do."""

LONGEST_NAME = 200
"""Characters of a principal's name."""


class Verifier:
    """Asks the author's function; `post` has the holder of the server's role call something.

    `audience` is what an `aud` has to name, None for anything; `taken` are the names of known tokens, which no other
    token's holder may have.
    """

    __slots__ = (
        "_audience",
        "_complaints",
        "_judge",
        "_known",
        "_left_behind",
        "_post",
        "_queue",
        "_taken",
        "_threads",
        "_tickets",
    )

    def __init__(
        self,
        judge: Callable[[str], Any],
        post: Callable[..., None],
        *,
        audience: str | None = None,
        taken: frozenset[str] = frozenset(),
    ) -> None:
        self._judge = judge
        self._post = post
        self._audience = audience
        self._taken = taken
        self._known: dict[bytes, tuple[Principal | None, float]] = {}
        self._tickets: dict[bytes, Ticket] = {}
        self._queue: deque[Ticket] = deque()
        self._threads = 0
        self._left_behind = 0
        self._complaints: set[str] = set()

    def principal(self, token: str, now: float) -> Principal | None:
        """Return who holds a token, None for nobody; raises Verifying until that is known, HttpProblem when it is busy.

        For the holder of the server's role, as `sweep` is.
        """
        key = sha256(token.encode("latin-1")).digest()
        known = self._known.get(key)
        if known is not None and now < known[1]:
            return known[0]
        ticket = self._tickets.get(key)
        if ticket is None:
            if len(self._tickets) >= MAX_WAITING_TOKENS:
                raise HttpProblem(503, "too many tokens are being checked", (("Retry-After", "1"),))
            ticket = self._tickets[key] = Ticket(key, token, now)
            self._queue.append(ticket)
            if self._threads < MAX_VERIFYING:
                self._threads += 1
                start_new_thread(self._work, ())
        raise Verifying(ticket)

    def sweep(self, now: float) -> None:
        """Let nobody in whose check takes too long; its thread is left behind until it returns."""
        for ticket in [each for each in self._tickets.values() if now - each.begun > VERIFY_SECONDS]:
            self._complain("takes too long")
            ticket.given_up = True
            if ticket.running and self._left_behind < MAX_LEFT_BEHIND:
                self._left_behind += 1
                ticket.replaced = True
                self._left()
            self._settle(ticket, None, now, REFUSED_SECONDS)

    def _work(self) -> None:
        """Judge what waits, then leave."""
        while True:
            try:
                ticket = self._queue.popleft()
            except IndexError:
                self._post(self._left)
                return
            if ticket.given_up:
                continue
            ticket.running = True
            found, seconds = self._asked(ticket.token)
            if ticket.replaced:
                self._post(self._came_back)
                return
            self._post(self._settle, ticket, found, None, seconds)

    def _left(self) -> None:
        """Note that a thread ended; one that was needed meanwhile is started again."""
        self._threads -= 1
        if self._queue and self._threads < MAX_VERIFYING:
            self._threads += 1
            start_new_thread(self._work, ())

    def _came_back(self) -> None:
        """Note that a thread that was left behind has ended."""
        self._left_behind -= 1

    def _asked(self, token: str) -> tuple[Principal | None, float]:
        """Return who holds a token and for how long that is kept; whatever the function raises is nobody."""
        try:
            return self._read(self._judge(token))
        except BaseException as error:  # noqa: BLE001 # whatever user code raises
            self._complain(f"raised {type(error).__name__}")
            return None, REFUSED_SECONDS

    def _read(self, answer: Any) -> tuple[Principal | None, float]:
        if answer is None or answer is False:
            return None, REFUSED_SECONDS
        seconds = VERIFIED_SECONDS
        if isinstance(answer, dict):
            seconds = self._time_left(answer)
            name = answer.get("name") or answer.get("sub")
            scopes = answer.get("scopes", answer.get("scope", ()))
            if not seconds:
                return None, REFUSED_SECONDS
        else:
            name, scopes = (answer, ()) if isinstance(answer, str) else answer
        scopes = scopes.split() if isinstance(scopes, str) else list(scopes or ())
        if type(name) is not str or not name or not all(type(scope) is str for scope in scopes):
            self._complain("returned something else than a name and scopes")
            return None, REFUSED_SECONDS
        if name[:LONGEST_NAME] in self._taken:  # tasks and states are known by the name of their owner
            self._complain("returned the name of a token that the server knows itself")
            return None, REFUSED_SECONDS
        return Principal(name[:LONGEST_NAME], frozenset(scopes), verified=True), seconds

    def _time_left(self, claims: dict[str, Any]) -> float:
        """Return for how many seconds claims hold, 0 if they are not for this server or not any more."""
        audience, expires = claims.get("aud"), claims.get("exp")
        named = [audience] if isinstance(audience, str) else audience
        if self._audience is None and named is not None:
            self._warn("the setting `resource` is missing: the `aud` of verified tokens is not compared with anything")
        if self._audience is not None and named is not None and self._audience not in named:
            return 0.0
        if expires is None:
            return VERIFIED_SECONDS
        left = float(expires) - time()
        return min(VERIFIED_SECONDS, left) if left > 0.0 else 0.0  # what is no number is not ahead either

    def _settle(self, ticket: Ticket, found: Principal | None, now: float | None, seconds: float) -> None:
        """Keep what was found and go on with the requests that wait for it."""
        if self._tickets.get(ticket.key) is not ticket:
            return  # it was given up
        del self._tickets[ticket.key]
        from time import monotonic

        if len(self._known) >= MAX_VERIFIED:
            del self._known[next(iter(self._known))]
        self._known[ticket.key] = (found, (monotonic() if now is None else now) + seconds)
        ticket.settle()

    def _complain(self, what: str) -> None:
        """Warn once about each kind of failure; never with what was raised, which may repeat the token."""
        self._warn(f"the function that verifies tokens {what}; its callers are not let in")

    def _warn(self, text: str) -> None:
        if text not in self._complaints:
            self._complaints.add(text)
            logs.warning(text)
