"""A request as people and models may see it: secrets masked, the body as text or as a size and a hash."""

from __future__ import annotations

from ..wire.secret_signs import MASK
from . import media

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .message import Request


MAX_SHOWN_BODY = 20_000
"""Characters of a body that are shown."""

MAX_SHOWN_HEADER = 1_000
"""Characters of a header's value, and of a URL eight times as many, that are shown."""

ALWAYS_SECRET = frozenset({"authorization", "proxy-authorization"})
"""Headers whose value is never shown, whoever set it."""


def shown(request: Request) -> dict[str, Any]:
    """Return what a dry run shows: method, url, headers as [name, value] pairs, and body, each bounded.

    A body that is no text is told by its size and SHA-256, and so is such a part of a multipart body, which is as it is
    sent otherwise: boundaries, headers and line ends.
    """
    found: dict[str, Any] = {
        "method": request.method,
        "url": _cut(request.url, 8 * MAX_SHOWN_HEADER),
        "headers": [[name, _header(request, name, value)] for name, value in request.headers],
    }
    if request.certificate is not None:
        found["certificate"] = MASK
    if request.body is not None:
        found["body"] = _body(request.body, request.header("Content-Type") or "")
    return found


def _header(request: Request, name: str, value: str) -> str:
    secret = name.lower() in request.secrets or name.lower() in ALWAYS_SECRET
    return MASK if secret else _cut(value, MAX_SHOWN_HEADER)


def _body(body: bytes, content_type: str) -> str:
    boundary = media.parameter(content_type, "boundary")
    if boundary and media.essence(content_type).startswith("multipart/"):
        delimiter = b"--" + boundary.encode("ascii", "replace")
        first, *parts = body.split(delimiter)
        shown = [first, *(part if part.startswith(b"--") else _part(part) for part in parts)]
        return _text(delimiter.join(shown), None)
    return _text(body, media.parameter(content_type, "charset"))


def _part(part: bytes) -> bytes:
    """Return a part with its headers and line ends, and its content as it is shown."""
    head, blank, content = part.removesuffix(b"\r\n").partition(b"\r\n\r\n")
    shown = _text(content, None).encode() if content else b""
    return head.decode("utf-8", "replace").encode() + blank + shown + part[len(part.removesuffix(b"\r\n")) :]


def _text(body: bytes, charset: str | None) -> str:
    try:
        text = body.decode(charset or "utf-8")
    except (LookupError, UnicodeDecodeError):
        text = ""
    if body and (not text or "\0" in text):
        from hashlib import sha256

        return f"({len(body)} bytes, sha256 {sha256(body).hexdigest()})"
    return _cut(text, MAX_SHOWN_BODY)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"
