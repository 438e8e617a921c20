"""What holds requests back before they are sent: the circuit breaker of their origin, and the rate limit (row R190)."""

from __future__ import annotations

from time import monotonic

from . import faults
from .breaker import Breaker
from .caps import BREAKER_FAILURES, BREAKER_SECONDS
from .origin import Origin
from .problem import CANNOT_REACH, HELD_BACK, TIMED_OUT, TransportProblem
from .rate import RateLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .message import Request, Response
    from .stopping import Turn


class Gate:
    """The rate limit of a process and the breakers of its origins, by `rate_limit` and `breaker` of the limits."""

    __slots__ = ("_breakers", "_failures", "_rate", "_reset")

    def __init__(self, limits: Mapping[str, Any]) -> None:
        rate = limits.get("rate_limit") or {}
        self._rate: RateLimit | None = None
        if rate.get("per_second"):
            per_second = float(rate["per_second"])
            self._rate = RateLimit(per_second, float(rate.get("burst") or per_second), monotonic())
        breaker = limits.get("breaker")
        settings = {"failures": 0} if breaker is False else breaker or {}
        self._failures = int(settings.get("failures", BREAKER_FAILURES))
        self._reset = float(settings.get("reset", BREAKER_SECONDS))
        self._breakers: dict[Origin, Breaker] = {}

    def guarded(self, request: Request, turn: Turn, send: Callable[[Request, Turn], Response]) -> Response:
        """Send the request if its origin's breaker lets it pass, and tell the breaker how it went.

        Raises TransportProblem.
        """
        if self._failures <= 0:
            return send(request, turn)
        origin = request.origin
        breaker = self._breakers.get(origin)
        if breaker is None:
            breaker = self._breakers.setdefault(origin, Breaker(self._failures, self._reset))
        wait = breaker.wait(monotonic())
        if wait:
            raise _circuit_open(origin, breaker.failures, wait)
        try:
            response = send(request, turn)
        except TransportProblem as problem:
            if turn.watch.cancelled or not _is_unreachable(problem):
                breaker.gave_up()
            else:
                breaker.failed(monotonic())
            raise
        breaker.succeeded()
        return response

    def await_rate(self, request: Request, turn: Turn) -> None:
        """Wait until the rate limit lets another attempt pass. Raises TransportProblem when that takes too long."""
        if self._rate is None:
            return
        passes, wait = self._rate.reserve(monotonic())
        if passes and (not wait or turn.pause(wait)):
            return
        if turn.watch.cancelled:
            raise faults.cancelled(sent=False)
        raise TransportProblem(
            HELD_BACK,
            f"the request to {request.origin.authority} was not sent: this server's rate limit is used up",
            retryable=True,
            suggestion=f"Call it again in {max(1, round(wait))} s.",
            sent=False,
        )


def _is_unreachable(problem: TransportProblem) -> bool:
    return problem.code == CANNOT_REACH or (problem.code == TIMED_OUT and not problem.sent)


def _circuit_open(origin: Origin, failures: int, wait: float) -> TransportProblem:
    return TransportProblem(
        HELD_BACK,
        f"{origin.authority} was not called: it could not be reached {failures} times in a row",
        retryable=True,
        suggestion=f"Call it again in {max(1, round(wait))} s; if it goes on, ask the user whether the API is up.",
        sent=False,
    )
