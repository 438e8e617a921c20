"""Sending requests: the one door to the network for the calls of a server (decision 28).

A request passes the circuit breaker and the rate limit, goes out on a pooled or a new connection to an address that was
judged, and is tried again or redirected where that is safe. Whatever happens, the turn's deadline ends it.
"""

from __future__ import annotations

import os

from . import faults, retry
from .address import Guard
from .caps import FRESH_SECONDS, IDLE_SECONDS, MAX_ANSWER_BYTES, MAX_REDIRECTS, RETRIES
from .dial import Dialler
from .gate import Gate
from .head import write_head
from .message import Origin, Request, Response, Watch
from .pool import Pool
from .problem import TransportProblem
from .redirect import redirected
from .round_trip import round_trip
from .stopping import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .connection import Connection

__all__ = ["Transport", "TransportProblem"]


class Transport:
    """The connections and limits of one server process; safe for any number of threads.

    `limits` are those of operations.json: `retries`, `max_answer_bytes`, `rate_limit` {per_second, burst} and `breaker`
    {failures, reset} (false for none), and `ca_file`. `operator_origin` is where the operator's base URL points.
    """

    __slots__ = ("_cap", "_dialler", "_gate", "_pool", "_retries")

    def __init__(
        self,
        limits: Mapping[str, Any],
        *,
        allow_private: bool = False,
        operator_origin: Origin | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        variables = dict(os.environ if environment is None else environment)
        guard = Guard(operator_origin, allow_private=allow_private)
        self._dialler = Dialler(guard, variables, limits.get("ca_file"))
        self._pool = Pool()
        self._cap = int(limits.get("max_answer_bytes") or MAX_ANSWER_BYTES)
        self._retries = int(limits.get("retries", RETRIES))
        self._gate = Gate(limits)

    def send(self, request: Request, watch: Watch) -> Response:
        """Send a request and return its answer, whatever its status. Raises TransportProblem.

        `request.timeout` and the watch bound the whole of it, with all retries and redirects.
        """
        turn = Turn(watch, request.timeout)
        response = self._gate.guarded(request, turn, self._persist)
        for _ in range(MAX_REDIRECTS):
            following = redirected(request, response)
            if following is None:
                break
            request = following
            response = self._gate.guarded(request, turn, self._persist)
        return response

    def close(self) -> None:
        """Close the idle connections."""
        self._pool.close()

    def _persist(self, request: Request, turn: Turn) -> Response:
        """Try until there is an answer to keep, or no attempt is left."""
        attempt = 0
        while True:
            last = attempt >= self._retries
            try:
                self._gate.await_rate(request, turn)
                response = self._attempt(request, turn)
            except TransportProblem as problem:
                wait = None if last else retry.after_problem(request, problem, attempt)
                if wait is None or not turn.pause(wait):
                    raise
            else:
                wait = None if last else retry.after_answer(request, response, attempt)
                if wait is None or not turn.pause(wait):
                    return response
            attempt += 1

    def _attempt(self, request: Request, turn: Turn) -> Response:
        """Send the request once; a connection that died while it was idle is replaced where that is safe."""
        key = (request.origin, request.certificate)
        connection = self._pool.take(key, IDLE_SECONDS if request.idempotent else FRESH_SECONDS)
        while True:
            if connection is None:
                connection = self._dialler.dial(request, turn)
            response = self._exchange(connection, request, turn)
            if isinstance(response, Response):
                return response
            died_idle = connection.uses > 0 and not connection.answered and not isinstance(response, TimeoutError)
            if not died_idle or turn.watch.cancelled or (connection.sent and not request.idempotent):
                raise _problem(request, response, connection, turn)
            connection = None

    def _exchange(self, connection: Connection, request: Request, turn: Turn) -> Response | OSError:
        """Return the answer or what broke the connection; in any case the connection is kept or closed."""
        connection.begin(turn)
        closer = connection.abort
        turn.watch.on_stop(closer)
        reusable = False
        try:
            plain_proxy = connection.via_proxy and request.origin.scheme == "http"
            extra = self._dialler.proxy_headers(request) if plain_proxy else ()
            head = write_head(request, absolute=plain_proxy, extra=extra)
            response, reusable = round_trip(connection, request, head, self._cap)
        except OSError as error:
            return error
        finally:
            turn.watch.forget(closer)
            if reusable and not turn.watch.cancelled:
                self._pool.give((request.origin, request.certificate), connection)
            else:
                connection.close()
        return response


def _problem(request: Request, error: OSError, connection: Connection, turn: Turn) -> TransportProblem:
    if turn.watch.cancelled:
        return faults.cancelled(sent=connection.sent)
    origin, sent = request.origin, connection.sent
    if isinstance(error, TimeoutError):
        return faults.timed_out(origin, turn.seconds, sent=sent, idempotent=request.idempotent)
    if origin.scheme == "https":
        from ssl import SSLError

        if isinstance(error, SSLError):  # with TLS 1.3 a server says after the handshake what it lacks
            from .tls import explain

            return explain(error, origin.authority)
    return faults.broken(origin, error, sent=sent, answered=connection.answered, idempotent=request.idempotent)
