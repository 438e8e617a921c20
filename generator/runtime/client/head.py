"""The head of a request written, and that of an answer read (RFC 9112).

Writing refuses whatever would start another header or request. Reading is lenient where real servers are sloppy (bare
LF, folded lines, lines that are no headers) and strict where the end of the body depends on it.
"""

from __future__ import annotations

import re

from .. import VERSION
from .caps import MAX_HEADERS, MAX_REASON
from .header_names import FRAMING, TOKEN_CHARACTERS
from .message import Request
from .problem import CANNOT_SEND, TransportProblem

USER_AGENT = f"mcpgen/{VERSION}"

HEAD_END = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(r"\r?\n")
_UNSAFE_TARGET = re.compile(r"[^\x21-\x7e]|#")
_UNSAFE_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_CONTROLS = dict.fromkeys((*range(32), 127), " ")


WITH_BODY = frozenset(("POST", "PUT", "PATCH"))
"""Methods whose missing body is announced as empty: some servers answer 411 otherwise (RFC 9110 section 8.6)."""


class BadHead(Exception):
    """The answer's head is none; the argument says why."""


def write_head(request: Request, *, absolute: bool, extra: tuple[tuple[str, str], ...] = ()) -> bytes:
    """Return the request line and the headers; `absolute` and `extra` headers are for a proxy.

    Raises TransportProblem for what HTTP cannot carry.
    """
    target = request.target or "/"
    if not TOKEN_CHARACTERS.issuperset(request.method) or not request.method:
        raise _cannot_send("its method is none")
    if _UNSAFE_TARGET.search(target) or not target.startswith("/"):
        raise _cannot_send("its path has spaces, control or non-ASCII characters, or does not start with `/`")
    lines = [f"{request.method} {request.origin.text if absolute else ''}{target} HTTP/1.1"]
    names = _write_headers(request.headers, lines)
    if "host" not in names:
        lines.insert(1, f"Host: {request.origin.authority}")  # first, as RFC 9110 section 7.2 wants it
    if "user-agent" not in names:
        lines.append(f"User-Agent: {USER_AGENT}")
    if "accept" not in names:
        lines.append("Accept: */*")
    if "accept-encoding" not in names:  # a part of a compressed body could not be decompressed
        lines.append("Accept-Encoding: identity" if "range" in names else "Accept-Encoding: gzip, deflate")
    if request.body is not None or request.method in WITH_BODY:
        lines.append(f"Content-Length: {len(request.body or b'')}")
    lines.extend(f"{name}: {value}" for name, value in extra)
    lines.append("\r\n")
    text = "\r\n".join(lines)
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _write_headers(headers: list[tuple[str, str]], lines: list[str]) -> set[str]:
    """Add the lines of the headers that a caller may set; return their names in lower case."""
    names = set()
    for name, value in headers:
        lower = name.lower()
        if lower in FRAMING:
            continue
        if not name or not TOKEN_CHARACTERS.issuperset(name) or _UNSAFE_VALUE.search(value):
            raise _cannot_send(f"the header {name[:60]!r} has characters that a header must not have")
        names.add(lower)
        lines.append(f"{name}: {value}")
    return names


def _cannot_send(reason: str) -> TransportProblem:
    return TransportProblem(
        CANNOT_SEND,
        f"the request cannot be sent: {reason}",
        retryable=False,
        suggestion="Call it again without such characters.",
        sent=False,
    )


class Head:
    """The head of an answer. `fields` holds the values of each header by its name in lower case."""

    __slots__ = ("fields", "headers", "keeps_alive", "reason", "status")

    def __init__(self, status: int, reason: str, headers: list[tuple[str, str]], *, modern: bool) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers
        self.fields: dict[str, list[str]] = {}
        for name, value in headers:
            self.fields.setdefault(name.lower(), []).append(value)
        options = self.tokens("connection")
        self.keeps_alive = "close" not in options if modern else "keep-alive" in options

    def tokens(self, name: str) -> list[str]:
        """Return the members of a comma-separated header in lower case."""
        values = self.fields.get(name)
        if values is None:
            return []
        return [token for value in values for token in (part.strip().lower() for part in value.split(",")) if token]

    def content_length(self) -> int | None:
        """Return the announced length, None when there is none. Raises BadHead (RFC 9112 section 6.3)."""
        values = set(self.tokens("content-length"))
        if not values:
            return None
        value = values.pop()
        if values or not value.isdecimal() or not value.isascii() or len(value) > 18:
            raise BadHead("its Content-Length is no length")
        return int(value)


def read_head(raw: bytes) -> Head:
    """Read status line and headers, without the empty line that ends them. Raises BadHead."""
    lines = _LINE_END.split(raw.decode("latin-1"))
    version, _, rest = lines[0].partition(" ")
    code, _, reason = rest.lstrip(" ").partition(" ")
    if version not in ("HTTP/1.1", "HTTP/1.0") or len(code) != 3 or not code.isdecimal() or code < "100":
        raise BadHead("it does not start with an HTTP/1.1 status line")
    if len(lines) > MAX_HEADERS:
        raise BadHead(f"it has more than {MAX_HEADERS} header lines")
    headers: list[tuple[str, str]] = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or not TOKEN_CHARACTERS.issuperset(name):
            _odd_line(line, headers)
            continue
        value = value.strip(" \t")
        headers.append((name, value if value.isprintable() else value.translate(_CONTROLS)))
    return Head(int(code), reason.translate(_CONTROLS).strip()[:MAX_REASON], headers, modern=version == "HTTP/1.1")


def _odd_line(line: str, headers: list[tuple[str, str]]) -> None:
    """Join a folded line to the one before it (RFC 9112 section 5.2); leave out what is no header."""
    if line[:1] in (" ", "\t"):
        if headers:
            name, value = headers[-1]
            headers[-1] = (name, f"{value} {line.strip().translate(_CONTROLS)}".strip())
        return
    if line.partition(":")[0].strip().lower() in FRAMING:
        raise BadHead("a header that says where it ends is malformed")
