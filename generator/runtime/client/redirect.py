"""Following redirects: within the origin only, so that credentials and request go nowhere else (decision 28)."""

from __future__ import annotations

from urllib.parse import urljoin

from .message import Request, Response
from .origin import split_url

SAFE_METHODS = frozenset(("GET", "HEAD"))
_SEE_OTHER = 303
REDIRECTS = frozenset((301, 302, _SEE_OTHER, 307, 308))
"""Statuses that lead elsewhere (RFC 9110 section 15.4)."""

_KEEPING = frozenset((307, 308))


def redirected(request: Request, response: Response) -> Request | None:
    """Return the request that a redirect asks for; None when it is none that is followed (RFC 9110 section 15.4).

    A safe request and one that 307 or 308 keeps are repeated, 303 becomes a GET; what a POST after 301 or 302
    should become is not guessed.
    """
    location = response.header("location") if response.status in REDIRECTS else None
    if location is None:
        return None
    keeps = request.method in SAFE_METHODS or response.status in _KEEPING
    if not keeps and response.status != _SEE_OTHER:
        return None
    try:
        whole = urljoin(request.origin.text + request.target, _decoded(location))
        origin, target = split_url(whole.partition("#")[0], query=True)
    except ValueError:
        return None
    if origin != request.origin:
        return None
    following = Request(
        request.method if keeps else "GET",
        request.origin,
        target or "/",
        request.headers,
        request.body if keeps else None,
        idempotent=request.idempotent or not keeps,
        timeout=request.timeout,
        secrets=request.secrets,
        secret_query=request.secret_query,
        certificate=request.certificate,
    )
    if not keeps:
        following.headers = [pair for pair in following.headers if not pair[0].lower().startswith("content-")]
    return following


def _decoded(location: str) -> str:
    """Read as UTF-8, and encode the spaces of, what servers write into the header without encoding it."""
    location = location.replace(" ", "%20")
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location
