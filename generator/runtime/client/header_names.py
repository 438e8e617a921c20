"""Names of headers: what one may consist of, and which the client alone decides about."""

from __future__ import annotations

TOKEN_CHARACTERS = frozenset("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
"""What the name of a header, a cookie or a method may consist of (RFC 9110 §5.6.2)."""

FRAMING = frozenset(("content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade"))
"""Headers that nobody but the client sets: a second opinion on where a request ends is how smuggling works."""

NO_ARGUMENTS = FRAMING | {"expect", "host", "proxy-authorization", "proxy-connection"}
"""Headers that frame or route a message: no argument sets one, because it could smuggle a second request."""
