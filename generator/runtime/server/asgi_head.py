"""The head of a request as an ASGI server hands it over, read as strictly as the own server reads its bytes.

The server has parsed it already; what it lets through that could be read in two ways is refused here all the same. A
path below which the application is mounted (`root_path`) is taken off; where nothing is left, the mount itself is the
endpoint.
"""

from __future__ import annotations

from urllib.parse import quote

from .http_head import SINGLE, TOKEN, VALUE, VISIBLE, Head, check_framing
from .http_limits import MAX_HEAD_BYTES, MAX_HEADERS, MAX_TARGET_BYTES
from .http_problem import HttpProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

SAFE = "/%:@!$&'()*+,;=~-._"
"""Characters of a path that stay as they are when a server tells only its decoded form."""


def head_of(scope: Mapping[str, Any], endpoint: str) -> Head:
    """Return the head of an HTTP request; `endpoint` is the path of the endpoint. Raises HttpProblem."""
    headers, repeated = _headers(scope["headers"])
    version = str(scope.get("http_version", "1.1"))
    framed = version.startswith("1")  # later versions have frames of their own
    if framed:
        check_framing(headers, 0 if version == "1.0" else 1)
    else:
        headers.pop("transfer-encoding", None)
    if "host" not in headers:
        raise HttpProblem(400, "a request names its host")
    head = Head(scope["method"].upper(), _target(scope, endpoint), 1, headers, repeated)
    if not framed and not head.sized and head.method == "POST":
        head.chunked, head.length = True, None
    return head


def _headers(pairs: Iterable[tuple[bytes, bytes]]) -> tuple[dict[str, str], frozenset[str]]:
    headers: dict[str, str] = {}
    repeated: set[str] = set()
    size = 0
    for count, (name, value) in enumerate(pairs, 1):
        size += len(name) + len(value)
        if count > MAX_HEADERS or size > MAX_HEAD_BYTES:
            raise HttpProblem(
                431, f"a request has at most {MAX_HEADERS} header lines and {MAX_HEAD_BYTES} bytes of them"
            )
        if not name or name.translate(None, TOKEN) or value.translate(None, VALUE):
            raise HttpProblem(400, "a header's name is a token, and its value has no control character")
        lowered = name.lower()
        key = lowered.decode("ascii")
        text = value.strip(b" \t").decode("latin-1")
        if key in headers:
            if lowered in SINGLE:
                raise HttpProblem(400, f"{key} comes once in a request")
            repeated.add(key)
            headers[key] += ", " + text
        else:
            headers[key] = text
    return headers, frozenset(repeated)


def _target(scope: Mapping[str, Any], endpoint: str) -> str:
    raw = scope.get("raw_path")
    path = (raw or quote(scope["path"], safe=SAFE).encode("ascii")).partition(b"?")[0]
    root = quote(scope.get("root_path", "").rstrip("/"), safe=SAFE).encode("ascii")
    if root and (path == root or path.startswith(root + b"/")):
        path = path[len(root) :]
        if path in (b"", b"/"):
            path = endpoint.encode("ascii")
    query = scope.get("query_string", b"")
    target = bytes(path + b"?" + query if query else path)
    if len(target) > MAX_TARGET_BYTES:
        raise HttpProblem(414, "the path is too long")
    if not target or target.translate(None, VISIBLE) or b"#" in target:
        raise HttpProblem(400, "a request target has visible ASCII characters only")
    return target.decode("ascii")
