"""Which names may be sent as a header or cookie, and which headers belong to the client."""

from __future__ import annotations

import re
from functools import lru_cache

from ....runtime.client.header_names import NO_ARGUMENTS

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, section 5.6.2."""

DESCRIBED_ELSEWHERE = frozenset({"accept", "content-type"})
"""OpenAPI says that header parameters of these names are ignored: media types are described by `content`."""

CLIENT_OWNED = NO_ARGUMENTS | {
    "authorization",  # OpenAPI: described by security schemes
    "cookie",
    "proxy-authenticate",
}
"""Headers that frame the message or belong to one connection (RFC 9110, section 7.6.1), or carry credentials."""

UNSENDABLE_CREDENTIALS = CLIENT_OWNED - {"authorization", "cookie", "proxy-authorization"}
"""Headers that cannot carry an API key."""


def is_token(name: str) -> bool:
    """Return whether a name is an RFC 9110 token."""
    return TOKEN.fullmatch(name) is not None


@lru_cache(maxsize=1024)  # a long name may be that of a parameter of thousands of operations
def is_encodable(name: str) -> bool:
    """Return whether a name can be percent-encoded: anything that UTF-8 can say, but not nothing."""
    return bool(name) and not any("\ud800" <= each <= "\udfff" for each in name)
