"""The target of a request: base URL, path template and query, every value percent-encoded (RFC 3986).

No value can leave its place: a path value is encoded with nothing safe, dot segments are refused however they are
written, the template is replaced in one pass, and base and path are joined as text, because resolving one against the
other would read `job:cancel` as a scheme and `..` as a way up.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from .message import Origin, split_url
from .values import ArgumentProblem, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A name in a path template."""

_TRIPLE = re.compile(r"%[0-9A-Fa-f]{2}")

LITERAL_SAFE = "/:@!$&'()*+,;=-._~"
"""What a path template may hold unencoded (RFC 3986 §3.3), besides percent-encoded triples."""

LITERAL_QUERY_SAFE = LITERAL_SAFE + "?"

RESERVED_IN_PATH = ":@!$&'()*+,;="
"""The reserved characters that `allowReserved` keeps in a path: OAS 3.2 §4.12.2 leaves out `/`, `?` and `#`."""

RESERVED_IN_QUERY = ":/?@!$'()*,;="
"""The reserved characters that `allowReserved` keeps in a query: `#[]` are not lawful there, and `&` and `+` would be
read as the end of the value and as a space (OAS 3.1.1 §4.8.12)."""

DELIMITING = {
    ("path", "simple"): ",=",
    ("path", "label"): ",=",
    ("path", "matrix"): ",;=",
    ("query", "form"): ",",
}
"""The reserved characters that stay encoded inside items and members, by place and style: they divide them there."""


class BaseProblem(Exception):
    """There is no usable base URL; the message says what to set."""


class Base:
    """Where an operation's requests go: an origin, a path without a slash at its end, and who chose them.

    `operator` is True for a base URL from the environment, the configuration or the command line, False for one that
    stands in the API's description.
    """

    __slots__ = ("operator", "origin", "path")

    def __init__(self, origin: Origin, path: str = "", *, operator: bool = False) -> None:
        self.origin = origin
        self.path = path.rstrip("/")
        self.operator = operator

    @classmethod
    def of(cls, service: Mapping[str, Any], values: Mapping[str, str], operation: Mapping[str, Any]) -> Base:
        """Choose the base URL: the environment's, else `--base-url`'s, else the operation's, else the API's.

        Raises BaseProblem when there is none, or when the chosen one is not an absolute http or https URL.
        """
        entry = service.get("base_url", "base_url")
        chosen = values.get(entry) or service.get("pinned")
        servers = service.get("servers") or [{}]
        url = chosen or operation.get("server") or servers[0].get("url")
        if not url:
            raise BaseProblem(f"the API's description names no server: set `{entry}` to the API's base URL")
        try:
            origin, path = split_url(str(url).strip())
        except ValueError as error:
            raise BaseProblem(f"the base URL cannot be used: {error}; set `{entry}` to the API's base URL") from None
        if any(is_dots(segment) for segment in path.split("/")):
            raise BaseProblem(f"the base URL has a dot segment; set `{entry}` to the API's base URL")
        return cls(origin, path, operator=bool(chosen))


def encode(text: str) -> str:
    """Percent-encode everything but RFC 3986's unreserved characters."""
    if text.isalnum() and text.isascii():  # most values
        return text
    return quote(utf8(text), safe="")


def encode_reserved(text: str, safe: str) -> str:
    """Percent-encode a value that may hold reserved characters: `safe` ones and encoded triples are kept (RFC 6570)."""
    if text.isalnum() and text.isascii():
        return text
    utf8(text)
    kept: list[str] = []
    start = 0
    for triple in _TRIPLE.finditer(text):
        kept += (quote(text[start : triple.start()], safe=safe), triple.group())
        start = triple.end()
    return "".join(kept) + quote(text[start:], safe=safe)


def encoder(*, reserved: bool, safe: str, delimiters: str = "") -> Callable[[str], str]:
    """Return how the texts of a value are encoded: with `reserved` the `safe` characters but `delimiters` are kept."""
    if not reserved:
        return encode
    kept = safe.translate(dict.fromkeys(map(ord, delimiters)))
    return lambda text: encode_reserved(text, kept)


def delimiters(value: object, place: str, style: str, *, explode: bool) -> str:
    """Return the characters that divide a value's items or members; none where each is a field of the query itself."""
    if not isinstance(value, (list, dict)) or (explode and place == "query"):
        return ""
    return DELIMITING.get((place, style), "")


def expand(template: str, replace: Callable[[str], str | None]) -> tuple[str, str]:
    """Fill a path template in one pass and return its path and its fixed query, both encoded.

    `replace` returns the encoded text for a name, or None for a name it does not know, which then stands encoded.
    Raises ArgumentProblem, whose path is the template's name, for a value that makes an empty or a dot segment.
    """
    path, _, query = template.partition("#")[0].partition("?")
    filled = "/".join(_segment(segment, replace) for segment in path.split("/"))
    texts, _ = _parts(query, replace, LITERAL_QUERY_SAFE)
    return "/" + filled.lstrip("/"), "".join(texts)


def target_of(base: Base, path: str, queries: list[str]) -> str:
    """Join base path, path and the parts of a query."""
    query = "&".join(part for part in queries if part)
    target = base.path + path
    return f"{target}?{query}" if query else target


def _segment(segment: str, replace: Callable[[str], str | None]) -> str:
    if "{" not in segment:
        return encode_reserved(segment, LITERAL_SAFE)
    texts, names = _parts(segment, replace, LITERAL_SAFE)
    text = "".join(texts)
    if names and not text:
        raise ArgumentProblem((names[0],), "the value is empty, and the path needs one")
    if names and is_dots(text):
        raise ArgumentProblem((names[0],), "the value makes a dot segment (`.` or `..`), which leads to another path")
    return text


def _parts(text: str, replace: Callable[[str], str | None], safe: str) -> tuple[list[str], list[str]]:
    """Return the encoded pieces of a template and the names that were replaced in it."""
    texts = []
    names = []
    start = 0
    for match in PLACEHOLDER.finditer(text):
        found = replace(match[1])
        texts.append(encode_reserved(text[start : match.start()], safe))
        if found is None:
            texts.append(encode(match.group()))
        else:
            texts.append(found)
            names.append(match[1])
        start = match.end()
    texts.append(encode_reserved(text[start:], safe))
    return texts, names


def is_dots(segment: str) -> bool:
    """Tell a dot segment as it is sent: one that a server sees after decoding, or after cutting off `;parameters`."""
    return unquote(segment.partition(";")[0]) in (".", "..")
