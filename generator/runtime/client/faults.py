"""What failures of the network mean, in words for the model: host and port, never a credential, path or query."""

from __future__ import annotations

from .origin import Origin
from .problem import BAD_ANSWER, CANNOT_REACH, TIMED_OUT, TransportProblem

AGAIN = "Call it again."
LATER = "Call it again later."
CHECK_FIRST = "It may have been carried out all the same: check what it changed before calling it again."
CHECK_ADDRESS = "Ask the user to check the API's address and whether it runs."


def not_found(place: str, *, temporary: bool) -> TransportProblem:
    """Build the problem of a host without an address."""
    if temporary:
        message = f"the name of {place} could not be looked up just now"
        return TransportProblem(CANNOT_REACH, message, retryable=True, suggestion=LATER, sent=False)
    message = f"the name of {place} does not exist"
    return TransportProblem(CANNOT_REACH, message, retryable=False, suggestion=CHECK_ADDRESS, sent=False)


def not_connected(place: str, error: OSError) -> TransportProblem:
    """Build the problem of a connection that could not be made."""
    if isinstance(error, TimeoutError):
        message = f"{place} could not be reached in time"
        return TransportProblem(TIMED_OUT, message, retryable=True, suggestion=LATER, sent=False)
    reason = "it refused the connection" if isinstance(error, ConnectionRefusedError) else _reason(error)
    message = f"{place} could not be reached: {reason}"
    return TransportProblem(CANNOT_REACH, message, retryable=True, suggestion=CHECK_ADDRESS, sent=False)


def cancelled(*, sent: bool) -> TransportProblem:
    """Build the problem of a call that nobody waits for."""
    return TransportProblem(TIMED_OUT, "the call was cancelled", retryable=False, sent=sent)


def timed_out(origin: Origin, seconds: float, *, sent: bool, idempotent: bool) -> TransportProblem:
    """Build the problem of an answer that was not complete in time."""
    again = idempotent or not sent
    return TransportProblem(
        TIMED_OUT,
        f"{origin.authority} did not answer completely within {seconds:.3g} s",
        retryable=again,
        suggestion="Call it again, or ask for less at once." if again else CHECK_FIRST,
        sent=sent,
    )


def broken(origin: Origin, error: OSError, *, sent: bool, answered: bool, idempotent: bool) -> TransportProblem:
    """Build the problem of a connection that broke."""
    when = "in the middle of its answer" if answered else "before it answered"
    what = "closed" if isinstance(error, ConnectionError) else "lost"
    again = idempotent or not sent
    return TransportProblem(
        CANNOT_REACH,
        f"{origin.authority} {what} the connection {when}",
        retryable=again,
        suggestion=AGAIN if again else CHECK_FIRST,
        sent=sent,
    )


def bad_answer(origin: Origin, reason: str) -> TransportProblem:
    """Build the problem of an answer that breaks HTTP."""
    return TransportProblem(
        BAD_ANSWER,
        f"the answer of {origin.authority} cannot be read: {reason}",
        retryable=False,
        suggestion="This is a fault of the API or of something in between; tell the user.",
    )


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
