"""Headers of an answer that a model can use, and none that could be a secret."""

from __future__ import annotations

from http import HTTPStatus

from ..server.faults import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .message import Response

LONGEST_VALUE = 300
"""Characters of one header's value that are told."""

ABOUT_ERRORS = (
    "location",
    "retry-after",
    "www-authenticate",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-rate-limit-remaining",
    "x-rate-limit-reset",
    "ratelimit",
    "ratelimit-policy",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "allow",
    "accept-patch",
    "accept-post",
    "x-request-id",
    "request-id",
    "x-correlation-id",
    "x-amzn-requestid",
    "x-ms-request-id",
    "cf-ray",
    "deprecation",
    "sunset",
)
"""What is told with an error: when to come back, what would be allowed, and by which number to ask the API's people."""

ABOUT_RESOURCES = (
    "location",
    "content-location",
    "content-type",
    "content-length",
    "last-modified",
    "etag",
    "retry-after",
    "allow",
    "accept-ranges",
    "x-total-count",
    "link",
)
"""What is told with an answer that has no body."""


def status_line(response: Response) -> str:
    """Return status and reason, the standard's where the API gives none: `404 Not Found`."""
    reason = printable(response.reason.strip())[:100]
    if not reason:
        try:
            reason = HTTPStatus(response.status).phrase
        except ValueError:
            return str(response.status)
    return f"{response.status} {reason}"


def told(response: Response, names: tuple[str, ...]) -> dict[str, str]:
    """Return the values of those headers that the answer has, by their names in lower case, in the order of `names`."""
    found: dict[str, str] = {}
    for name, value in response.headers:
        lower = name.lower()
        if lower in names and lower not in found:
            found[lower] = printable(value.strip()[:LONGEST_VALUE])
    return {name: found[name] for name in names if name in found}


def lines(headers: dict[str, str]) -> str:
    """Return headers a line each, spelled as people know them."""
    return "\n".join(f"{name.title()}: {value}" for name, value in headers.items())


def head_text(response: Response, *, head_only: bool) -> str:
    """Return what an answer without a body says: its status, and headers that lead on."""
    names = ABOUT_RESOURCES if head_only else ("location", "content-location", "retry-after")
    headers = lines(told(response, names))
    return f"{status_line(response)}\n{headers}" if headers else status_line(response)
