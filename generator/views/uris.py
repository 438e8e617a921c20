"""URIs of views: `ui://`, then names between slashes; a URI names a view of its own server and never a place."""

from __future__ import annotations

import re
from urllib.parse import unquote

SCHEME = "ui://"

LONGEST = 1_000
"""Characters of a URI: it stands in every list."""

_PLAIN = re.compile(
    r"ui://[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*/?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?"
)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NOT_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def is_view_uri(uri: str) -> bool:
    """Return whether a URI has the scheme of views, in any case."""
    return uri[: len(SCHEME)].lower() == SCHEME


def uri_problem(uri: str) -> str | None:
    """Return why a text cannot be the URI of a view, or None."""
    if not uri.startswith(SCHEME):
        scheme = uri.partition(":")[0][:20]
        return f"it has to begin with `{SCHEME}`" + (f", not with `{scheme}:`" if ":" in uri else "")
    if len(uri) > LONGEST:
        return f"it has {len(uri)} characters, more than {LONGEST}"
    if "{" in uri or "}" in uri:
        return "a view is no template"
    if not _PLAIN.fullmatch(uri) or _BAD_ESCAPE.search(uri):
        return f"after `{SCHEME}` come names between slashes, of printable ASCII"
    path = uri.removeprefix(SCHEME).partition("?")[0]
    if any(unquote(part) in (".", "..") or "/" in unquote(part) or "\\" in unquote(part) for part in path.split("/")):
        return "its parts are names: `.`, `..` and encoded slashes lead elsewhere"
    return None


def file_stem(uri: str) -> str:
    """Return a URI as the beginning of a file's name: `ui://weather/daily` is `weather-daily`."""
    return _NOT_A_NAME.sub("-", uri.removeprefix(SCHEME)).strip("-.") or "view"
