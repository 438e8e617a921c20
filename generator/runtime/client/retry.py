"""Whether and when to try again: requests that do no harm twice, or of which nothing was sent."""

from __future__ import annotations

from .caps import BACK_OFF_SECONDS, MAX_BACK_OFF_SECONDS, MAX_RETRY_AFTER_SECONDS
from .message import Request, Response
from .problem import CANNOT_REACH, TIMED_OUT, TransportProblem

RETRIED = frozenset((429, 502, 503, 504))
"""Statuses that speak of the moment and not of the request."""

_MAX_DIGITS = 9


def after_problem(request: Request, problem: TransportProblem, attempt: int) -> float | None:
    """Return the seconds to wait before another attempt, None for no further one; `attempt` counts from 0."""
    if not problem.retryable or problem.code not in (CANNOT_REACH, TIMED_OUT):
        return None
    if problem.sent and (problem.code == TIMED_OUT or not request.idempotent):
        return None
    return back_off(attempt)


def after_answer(request: Request, response: Response, attempt: int) -> float | None:
    """Return the seconds to wait before another attempt, None for no further one."""
    if response.status not in RETRIED or not request.idempotent:
        return None
    asked = retry_after(response)
    if asked is None:
        return back_off(attempt)
    return asked if asked <= MAX_RETRY_AFTER_SECONDS else None


def back_off(attempt: int) -> float:
    """Return a wait that doubles with each attempt, shortened at random so that many clients do not come at once."""
    from random import random

    longest: float = min(MAX_BACK_OFF_SECONDS, BACK_OFF_SECONDS * 2 ** min(attempt, 10))
    return longest * (0.5 + random() / 2)  # noqa: S311 # spreading load is no cryptography


def retry_after(response: Response) -> float | None:
    """Return the seconds that Retry-After asks for, a number or a date (RFC 9110 section 10.2.3); None without one."""
    value = (response.header("retry-after") or "").strip()
    if value.isascii() and value.isdecimal():
        return float(value[:_MAX_DIGITS])
    if not value or len(value) > 60:
        return None
    from email.utils import parsedate_to_datetime
    from time import time

    try:
        moment = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return max(0.0, moment - time())
