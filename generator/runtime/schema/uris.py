"""Check URIs and IRIs by their grammars (RFC 3986, appendix A; RFC 3987, 2.2)."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UNICODE = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U000effff"
"""What RFC 3987 adds to the unreserved characters."""
PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010fffd"
"""What RFC 3987 adds to queries."""


def _grammar(more: str, private: str) -> str:
    """Return the expression of a reference, with its parts as named groups; every part is one loop over a set."""
    safe = rf"A-Za-z0-9\-._~!$&'()*+,;={more}"
    escaped = "%[0-9A-Fa-f]{2}"
    return (
        r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):)?"
        rf"(?P<authority>//(?:(?:[{safe}:]|{escaped})*@)?(?:\[(?P<literal>[^\]]*)\]|(?:[{safe}]|{escaped})*)(?::[0-9]*)?(?=[/?#]|\Z))?"
        rf"(?P<path>(?:[{safe}:@/]|{escaped})*)"
        rf"(?:\?(?:[{safe}:@/?{private}]|{escaped})*)?"
        rf"(?:\#(?:[{safe}:@/?]|{escaped})*)?"
    )


_uri = re.compile(_grammar("", "")).fullmatch
_iri = re.compile(_grammar(UNICODE, PRIVATE)).fullmatch
_future = re.compile(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+").fullmatch


def _valid(text: str, match: Callable[[str], re.Match[str] | None], *, absolute: bool) -> bool:
    found = match(text)
    if found is None or (absolute and found["scheme"] is None):
        return False
    literal, path = found["literal"], found["path"]
    if literal is not None:
        from .formats import is_ipv6

        if not is_ipv6(literal) and _future(literal) is None:
            return False
    if found["authority"] is not None:
        return not path or path.startswith("/")
    if path.startswith("//"):
        return False
    return found["scheme"] is not None or ":" not in path.split("/", 1)[0]


def is_uri(text: str) -> bool:
    """Check `uri`: a scheme is needed."""
    return _valid(text, _uri, absolute=True)


def is_uri_reference(text: str) -> bool:
    """Check `uri-reference`: the scheme may be left out."""
    return _valid(text, _uri, absolute=False)


def is_iri(text: str) -> bool:
    """Check `iri`: a URI with characters of all scripts."""
    return _valid(text, _iri, absolute=True)


def is_iri_reference(text: str) -> bool:
    """Check `iri-reference`."""
    return _valid(text, _iri, absolute=False)
