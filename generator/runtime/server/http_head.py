"""The head of an HTTP/1.x request, read strictly: what two servers could read in two ways is refused.

Rules (RFC 9112): lines end with CRLF and nothing else; a name is a token directly before its colon; no line is folded;
`Content-Length` is digits, once; `Transfer-Encoding` is `chunked`, once, and never beside a length or in HTTP/1.0;
`Host` comes exactly once. That leaves nothing to smuggle a request in. Pure: bytes in, a `Head` out.
"""

from __future__ import annotations

from .http_limits import MAX_HEADERS, MAX_TARGET_BYTES
from .http_problem import HttpProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TOKEN = b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What names and methods are made of (RFC 9110 §5.6.2)."""

VALUE = bytes([9, *range(32, 127), *range(128, 256)])
"""What values are made of: no control character but the tab (RFC 9110 §5.5)."""

VISIBLE = bytes(range(33, 127))
"""What a request target is made of."""

SINGLE = frozenset((b"host", b"content-length", b"transfer-encoding", b"content-type", b"authorization", b"origin"))
"""Headers of which a second one makes a request ambiguous."""

LONGEST_LENGTH = 18
"""Digits of a length that is still a number to compare with a bound."""


class Head:
    """One request's head. `headers` has lower-case names; values of a repeated one (see `repeated`) are joined.

    `length` is the body's, None for a chunked one; `verdict` and `lane` are for those who judge the head and want to do
    so once.
    """

    __slots__ = (
        "chunked",
        "expects",
        "headers",
        "keep_alive",
        "lane",
        "length",
        "method",
        "minor",
        "path",
        "repeated",
        "sized",
        "target",
        "verdict",
    )

    def __init__(self, method: str, target: str, minor: int, headers: dict[str, str], repeated: frozenset[str]) -> None:
        self.method = method
        self.target = target
        self.path = target.partition("?")[0]
        self.minor = minor
        self.headers = headers
        self.repeated = repeated
        self.chunked = "transfer-encoding" in headers
        self.sized = "content-length" in headers
        self.length = None if self.chunked else int(headers.get("content-length", "0"))
        self.expects = "expect" in headers
        self.keep_alive = minor > 0 and "close" not in words(headers.get("connection", ""))
        self.verdict: Any = None
        self.lane: Any = None


def parse_head(block: bytes) -> Head:
    """Read a head without its empty line; raises HttpProblem."""
    request, *lines = block.split(b"\r\n")
    method, target, minor = parse_request_line(request)
    if len(lines) > MAX_HEADERS:
        raise HttpProblem(431, f"a request has at most {MAX_HEADERS} header lines")
    headers: dict[str, str] = {}
    repeated: set[str] = set()
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not name or name.translate(None, TOKEN):
            raise HttpProblem(400, "a header line is a name, a colon directly behind it, and a value, not folded")
        if value.translate(None, VALUE):
            raise HttpProblem(400, "a header has a control character, or a line does not end with CRLF")
        lowered = name.lower()
        key = lowered.decode("ascii")
        if key in headers:
            if lowered in SINGLE:
                raise HttpProblem(400, f"{key} comes once in a request")
            repeated.add(key)
            headers[key] += ", " + value.strip(b" \t").decode("latin-1")
        else:
            headers[key] = value.strip(b" \t").decode("latin-1")
    check_framing(headers, minor)
    if "host" not in headers:
        raise HttpProblem(400, "a request names its host")
    return Head(method, target, minor, headers, frozenset(repeated))


def parse_request_line(line: bytes) -> tuple[str, str, int]:
    """Return method, target and minor version; raises HttpProblem."""
    parts = line.split(b" ")
    if len(parts) != 3 or not parts[0] or parts[0].translate(None, TOKEN):
        raise HttpProblem(400, "a request begins with method, target and version, separated by single spaces")
    method, target, version = parts
    if version[:5] != b"HTTP/" or not _is_version(version[5:]):
        raise HttpProblem(400, "a request's version is HTTP/1.1 or HTTP/1.0")
    if version[5:7] != b"1.":
        raise HttpProblem(505, "this server speaks HTTP/1.1")
    if len(target) > MAX_TARGET_BYTES:
        raise HttpProblem(414, "the path is too long")
    if not target or target.translate(None, VISIBLE) or b"#" in target:
        raise HttpProblem(400, "a request target has visible ASCII characters only")
    return method.decode("ascii"), target.decode("ascii"), int(version[7:])


def words(value: str) -> list[str]:
    """Return the members of a comma-separated header in lower case."""
    return [word.strip(" \t").lower() for word in value.split(",")]


def _is_version(text: bytes) -> bool:
    return len(text) == 3 and text[1:2] == b"." and text[:1].isdigit() and text[2:].isdigit()


def check_framing(headers: dict[str, str], minor: int) -> None:
    """Refuse a body whose end could be seen in two places; raises HttpProblem."""
    length, encoding = headers.get("content-length"), headers.get("transfer-encoding")
    if encoding is not None:
        if length is not None:
            raise HttpProblem(400, "a request has a Content-Length or a Transfer-Encoding, not both")
        if minor == 0:
            raise HttpProblem(400, "HTTP/1.0 has no Transfer-Encoding")
        if encoding.lower() != "chunked":
            raise HttpProblem(501, "the only transfer coding is chunked")
    if length is not None:
        if not length.isascii() or not length.isdigit():
            raise HttpProblem(400, "Content-Length is a number")
        if len(length) > LONGEST_LENGTH:
            raise HttpProblem(413, "the body is too large")
