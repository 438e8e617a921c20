"""What went wrong on the way to an API, told to the model that called."""

from __future__ import annotations

CANNOT_REACH = "M-HTTP-002"
"""No connection, an unknown name, a certificate that is not trusted, a broken connection."""

ADDRESS_REFUSED = "M-HTTP-003"
"""The host's address is one that this server must not call."""

TIMED_OUT = "M-HTTP-004"
"""The answer did not come in time, or nobody waits for it any more."""

BAD_ANSWER = "M-HTTP-005"
"""What came back is no HTTP answer."""

HELD_BACK = "M-HTTP-006"
"""The rate limit or the circuit breaker kept the request back."""

CANNOT_SEND = "M-HTTP-007"
"""The request is none that HTTP can carry, for instance a header value with a line break."""


class TransportProblem(Exception):
    """No answer: a `code`, a `message` without secrets, a `suggestion`, and whether trying again later may help.

    `sent` is False when surely no byte of the request reached the API.
    """

    __slots__ = ("code", "message", "retryable", "sent", "suggestion")

    def __init__(self, code: str, message: str, *, retryable: bool, suggestion: str = "", sent: bool = True) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.suggestion = suggestion
        self.sent = sent
