"""What a body is: its media type and charset, read from headers that may be missing or wrong."""

from __future__ import annotations

import re
from codecs import lookup
from urllib.parse import unquote_to_bytes

from .files import clean_name
from .media import OCTET_STREAM, by_beginning, is_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .message import Response

TEXT_TYPES = frozenset(
    (
        "application/xml",
        "application/xhtml+xml",
        "application/javascript",
        "application/ecmascript",
        "application/x-javascript",
        "application/x-www-form-urlencoded",
        "application/yaml",
        "application/x-yaml",
        "application/toml",
        "application/sql",
        "application/graphql",
        "application/csv",
        "application/rtf",
        "application/x-sh",
        "application/pgp-signature",
        "application/x-pem-file",
        "application/pem-certificate-chain",
    )
)
TEXT_SUFFIXES = ("+xml", "+yaml", "+text", "+json5")

NOT_CHARSETS = frozenset(("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"))
"""Codecs of Python's that no web page is written in, by their names in lower case with `-` for `_`: notations within
ASCII with which a text could hide something, and punycode takes a time that grows with the square of the text."""

COMPRESSIONS = frozenset(("br", "compress", "dcb", "dcz", "deflate", "gzip", "x-compress", "x-gzip", "zstd"))
"""Content codings (RFC 9110 section 8.4.1) that change a body; what else stands in the header means nothing."""

SNIFFED_BYTES = 1_024
"""How much of a document is searched for the charset it declares; HTML asks for the same."""

_XML_CHARSET = re.compile(rb"<\?xml[^>]{0,200}?encoding\s{0,5}=\s{0,5}[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_HTML_CHARSET = re.compile(rb"(?i)<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?\s{0,5}([A-Za-z0-9._:-]{1,40})")
_PARAMETER = re.compile(r";\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;\"\s]*)")
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


class Media:
    """A media type in lower case ("" when none was sent) and the charset that was sent with it."""

    __slots__ = ("charset", "type")

    def __init__(self, kind: str, charset: str | None = None) -> None:
        self.type = kind
        self.charset = charset

    @property
    def is_json(self) -> bool:
        """Whether the body should be one JSON value (RFC 6839: `+json`)."""
        return is_json(self.type)

    @property
    def is_text(self) -> bool:
        """Whether people can read the body."""
        return (
            self.type.startswith("text/")
            or self.type in TEXT_TYPES
            or self.type.endswith(TEXT_SUFFIXES)
            or bool(self.charset and self.type.startswith("application/"))
        )


def is_compressed(response: Response) -> bool:
    """Say whether a body is still compressed: in a way that nobody asked for, since what was asked for is undone."""
    named = {each.strip() for each in (response.header("content-encoding") or "").lower().split(",")}
    return not COMPRESSIONS.isdisjoint(named)


def media_of(content_type: str | None) -> Media:
    """Read a Content-Type header; anything unreadable is no type at all."""
    if not content_type:
        return Media("")
    kind = content_type.partition(";")[0].partition(",")[0].strip().lower()
    if not re.fullmatch(r"[!#$&^_.+a-z0-9-]{1,127}/[!#$&^_.+a-z0-9-]{1,127}", kind):
        return Media("")
    return Media(kind, _parameters(content_type).get("charset"))


def sniffed(body: bytes) -> str:
    """Return the media type a body without one most probably has."""
    begun = by_beginning(body)
    if begun is not None:
        return begun
    if b"\0" not in body[: SNIFFED_BYTES * 8]:
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            return OCTET_STREAM
        return "text/plain"
    return OCTET_STREAM


def decode(body: bytes, media: Media) -> str:
    """Return a body as text: by its own mark, the header's charset, the one it declares, UTF-8, else Windows-1252."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    for charset in (media.charset, _declared(body, media), "utf-8"):
        if charset:
            try:
                if lookup(charset).name.replace("_", "-") in NOT_CHARSETS:
                    continue
                return body.decode(charset)
            except (LookupError, ValueError):
                continue
    return body.decode("cp1252", "replace")


def file_name(disposition: str | None) -> str | None:
    """Return the file name of a Content-Disposition header (RFC 6266) without folders, None when it has none."""
    if not disposition:
        return None
    parameters = _parameters(disposition)
    extended = parameters.get("filename*", "")
    name = parameters.get("filename")
    if extended.count("'") >= 2:  # charset'language'value (RFC 8187)
        charset, _, value = extended.split("'", 2)
        try:
            name = unquote_to_bytes(value).decode(charset or "utf-8")
        except (LookupError, ValueError):
            pass
    return clean_name(name) if name else None


def _parameters(header: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _PARAMETER.findall(header[:2_000]):
        plain = re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
        found.setdefault(name.lower(), plain)
    return found


def _declared(body: bytes, media: Media) -> str | None:
    """Return the charset an XML or HTML document says it has."""
    beginning = body[:SNIFFED_BYTES]
    found = None
    if media.type.endswith("xml"):
        found = _XML_CHARSET.search(beginning)
    if found is None and "html" in media.type:
        found = _HTML_CHARSET.search(beginning)
    return found[1].decode("ascii") if found else None
