"""Who asks over HTTP, by the token that came: known tokens first, then the author's own check; and how often.

Everything here happens before a body is read (decision 24). Whoever is not let in learns how to get a token, no more.
"""

from __future__ import annotations

from .http_limits import MAX_TOKEN_BYTES
from .http_metadata import challenge
from .http_problem import HttpProblem
from .http_rates import whole_seconds
from .http_tokens import bearer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .http_head import Head
    from .http_metadata import Metadata
    from .http_rates import Rates
    from .http_tokens import Principal, Tokens
    from .http_verify import Verifier

BASIC = ("WWW-Authenticate", 'Basic realm="activity", charset="UTF-8"')
"""What a browser asks its user for: any name, and the token as the password."""


class Guard:
    """The guard of one server; without tokens and a check it lets everybody in."""

    __slots__ = ("_metadata", "_rates", "_tokens", "_verifier")

    def __init__(
        self,
        tokens: Tokens | None,
        *,
        verifier: Verifier | None = None,
        metadata: Metadata | None = None,
        rates: Rates | None = None,
    ) -> None:
        self._tokens = tokens
        self._verifier = verifier
        self._metadata = metadata
        self._rates = rates

    def is_open(self) -> bool:
        """Say whether everybody is let in, as often as they like."""
        return self._tokens is None and self._verifier is None and self._rates is None

    def let_in(
        self, head: Head, cors: tuple[tuple[str, str], ...], now: float, *, basic: bool = False
    ) -> Principal | None:
        """Return who asks, None where nobody has to say; raises HttpProblem, or Verifying while that is found out.

        `basic` also takes the token as the password of Basic authentication, which browsers offer.
        """
        principal = None
        if self._tokens is not None or self._verifier is not None:
            authorization = head.headers.get("authorization")
            token = bearer(authorization) or (_password(authorization) if basic else "")
            principal = self._holder(token, now) if token else None
            if principal is None:
                told = ("WWW-Authenticate", self.challenge(head, "invalid_token" if authorization else None))
                headers = (told, BASIC, *cors) if basic else (told, *cors)
                raise HttpProblem(401, "a known bearer token is needed", headers, errorCode="M-AUTH-001")
        if self._rates is not None:
            seconds = self._rates.wait(principal.name if principal is not None else "", now)
            if seconds:
                after = ("Retry-After", str(whole_seconds(seconds)))
                raise HttpProblem(429, "too many requests; try again later", (after, *cors))
        return principal

    def challenge(self, head: Head, error: str | None, scopes: list[str] | None = None) -> str:
        """Return what a refused client is told: the error, the scopes it needs, where the metadata is."""
        if self._metadata is not None:
            return self._metadata.challenge(head, error, scopes)
        return challenge(error, scopes or [])

    def sweep(self, now: float) -> None:
        """Give up checks that take too long."""
        if self._verifier is not None:
            self._verifier.sweep(now)

    def _holder(self, token: str, now: float) -> Principal | None:
        found = self._tokens.principal(token) if self._tokens is not None else None
        if found is None and self._verifier is not None:
            found = self._verifier.principal(token, now)
        return found


def _password(authorization: str | None) -> str:
    """Return the password of Basic authentication (RFC 7617), empty without one."""
    scheme, _, encoded = (authorization or "").partition(" ")
    if scheme.lower() != "basic" or len(encoded) > 2 * MAX_TOKEN_BYTES:
        return ""
    from binascii import Error, a2b_base64

    try:
        return a2b_base64(encoded.strip(" ")).decode("ascii").partition(":")[2]
    except (Error, ValueError):
        return ""
