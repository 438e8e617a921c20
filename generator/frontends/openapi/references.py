"""References as text: which are refused unread, how an address and a fragment are taken apart (RFC 3986, RFC 6901)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from ...ir.pointer import unescaped
from .limits import MAX_REFERENCE_LENGTH

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BAD_ESCAPE = re.compile(r"~(?![01])")


def refused(reference: str) -> str | None:
    """Return why a reference is refused whatever stands in the folder, None if it may be looked at."""
    if len(reference) > MAX_REFERENCE_LENGTH:
        return f"it is longer than {MAX_REFERENCE_LENGTH} characters"
    address = reference.partition("#")[0]
    if _CONTROL.search(unquote(address)):
        return "it has a control character"
    if address.startswith(("//", "\\\\", "/\\", "\\/")):
        return "it names another host without saying how to ask it"
    scheme = _SCHEME.match(address)
    if scheme is not None and len(scheme[1]) == 1:
        return "it begins with a drive letter"
    return None


def scheme_of(address: str) -> str:
    """Return the scheme of an address in lower case, the empty text for a relative one."""
    scheme = _SCHEME.match(address)
    return scheme[1].lower() if scheme else ""


def join(base: str, address: str) -> str | None:
    """Return the address a relative one stands for; None when it is malformed."""
    try:
        joined = urljoin(base, address.strip())
        urlsplit(joined)
    except ValueError:
        return None
    return joined


def file_address(path: str) -> str:
    """Return the `file:` URL of an absolute path."""
    return Path(path).as_uri()


def file_paths(address: str) -> tuple[str, ...]:
    """Return the paths a `file:` URL may mean: percent-decoded, then as written; none for another host's file."""
    parts = urlsplit(address)
    if parts.netloc.lower() not in ("", "localhost"):
        return ()
    written = address.partition(":")[2].partition("?")[0]
    if written.startswith("//"):
        written = "/" + written[2:].partition("/")[2]
    decoded = unquote(written)
    paths = (decoded,) if decoded == written else (decoded, written)
    return tuple(os.path.normpath(path) for path in paths)


def tokens_of(fragment: str) -> tuple[str, ...] | None:
    """Return the reference tokens of a JSON pointer in a fragment; None for a malformed one.

    The fragment is percent-decoded as a whole first, so that `%2F` separates as `/` does (RFC 6901 section 6).
    """
    if fragment == "":
        return ()
    decoded = unquote(fragment)
    if not decoded.startswith("/") or _BAD_ESCAPE.search(decoded):
        return None
    return tuple(map(unescaped, decoded[1:].split("/")))


def member(container: object, token: str) -> tuple[bool, object]:
    """Return whether a container has what a token names, and that."""
    if isinstance(container, dict):
        if token in container:
            return True, container[token]
    elif isinstance(container, (list, tuple)) and token.isascii() and token.isdigit() and len(token) < 10:
        index = int(token)
        if index < len(container) and str(index) == token:
            return True, container[index]
    return False, None
