"""A request to an API and its answer, as values between those who build, send and read them."""

from __future__ import annotations

from ..wire.secret_signs import MASK
from .origin import Origin, split_url
from .problem import TransportProblem
from .stopping import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Origin", "Request", "Response", "TransportProblem", "Watch", "split_url"]


class Request:
    """What is sent. `target` is path and query, percent-encoded ASCII; `timeout` is in seconds.

    `secrets` are names of headers (lower case) and `secret_query` names of query parameters (as they stand in the
    target) whose values are never shown; `certificate` is a client's (certificate file, key file).
    """

    __slots__ = (
        "body",
        "certificate",
        "headers",
        "idempotent",
        "method",
        "origin",
        "secret_query",
        "secrets",
        "target",
        "timeout",
    )

    def __init__(
        self,
        method: str,
        origin: Origin,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes | None = None,
        *,
        idempotent: bool = False,
        timeout: float = 30.0,
        secrets: Iterable[str] = (),
        secret_query: Iterable[str] = (),
        certificate: tuple[str, str] | None = None,
    ) -> None:
        self.method = method
        self.origin = origin
        self.target = target
        self.headers = list(headers)
        self.body = body
        self.idempotent = idempotent
        self.timeout = timeout
        self.secrets = set(secrets)
        self.secret_query = set(secret_query)
        self.certificate = certificate

    @property
    def url(self) -> str:
        """The whole URL with the values of secret query parameters masked."""
        return self.origin.text + self.shown_target

    @property
    def shown_target(self) -> str:
        """The target with the values of secret query parameters masked."""
        path, mark, query = self.target.partition("?")
        if not mark or not self.secret_query:
            return self.target
        pairs = [pair.partition("=") for pair in query.split("&")]
        masked = [f"{name}={MASK}" if name in self.secret_query else name + sign + value for name, sign, value in pairs]
        return f"{path}?{'&'.join(masked)}"

    def header(self, name: str) -> str | None:
        """Return the first value of a header by its name in any case, None when there is none."""
        return _first(self.headers, name)

    def set_header(self, name: str, value: str) -> None:
        """Give a header one value, in place of all it has."""
        wanted = name.lower()
        self.headers = [pair for pair in self.headers if pair[0].lower() != wanted]
        self.headers.append((name, value))


class Response:
    """What came back: `body` is decompressed; `truncated` says that it was longer than the cap; `url` hides secrets."""

    __slots__ = ("body", "headers", "reason", "status", "truncated", "url")

    def __init__(
        self,
        status: int,
        reason: str = "",
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        *,
        truncated: bool = False,
        url: str = "",
    ) -> None:
        self.status = status
        self.reason = reason
        self.headers = list(headers)
        self.body = body
        self.truncated = truncated
        self.url = url

    def header(self, name: str) -> str | None:
        """Return the first value of a header by its name in any case, None when there is none."""
        return _first(self.headers, name)


def _first(headers: list[tuple[str, str]], name: str) -> str | None:
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return None
