"""What a request has to look like before anybody asks who sends it: size, host, origin, path, method, content type.

Pure, and the same for every request with the same head. Against DNS rebinding (a page that makes its own name lead to
this machine) a request's `Host` has to be a name of this server: a loopback name, the address it listens on, a name
the operator gave, or, on a server that others reach, any address, since a page cannot have one as its own name. A
request that a browser sends for a page carries `Origin`; pages of this machine may ask, others only if the operator
said so. Only then does an answer allow the page to read it (CORS).
"""

from __future__ import annotations

from .http_head import words
from .http_problem import HttpProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .http_head import Head

LOOPBACK_NAMES = frozenset(("localhost", "127.0.0.1", "[::1]"))
"""Names of this machine that no page can have."""

HEALTH = "/health"
READY = "/ready"
PROBES = (HEALTH, READY)
"""Asked by whoever keeps the server running; without a token, and they tell nothing."""

ACTIVITY_PATH = "/activity"

PROBE, METADATA, ACTIVITY = "probe", "metadata", "activity"
"""What there is besides the endpoint; only what the calls are needs a token."""

ENDPOINT_METHODS = ("POST", "GET", "DELETE")
JSON = "application/json"
EVENTS = "text/event-stream"

ASKED_HEADERS = (
    "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id"
)
"""Request headers a page may send; parameters' own headers are added as the page asks for them."""

SHOWN_HEADERS = "mcp-session-id, www-authenticate"
"""Response headers a page may read."""


class Verdict:
    """What a good head asks for: `json` and `events` say what its sender reads; `place` is empty for the endpoint."""

    __slots__ = ("content_checked", "cors", "events", "json", "place")

    def __init__(self, *, json: bool, events: bool, cors: tuple[tuple[str, str], ...], place: str = "") -> None:
        self.json = json
        self.events = events
        self.place = place
        self.cors = cors
        self.content_checked = False


class Rules:
    """The rules of one server. `hosts` and `origins` are those the operator added to its own.

    `places` are the paths of what there is besides the endpoint and the probes, with its kind.
    """

    __slots__ = ("_any_address", "_hosts", "_limit", "_origins", "_places", "path")

    def __init__(
        self,
        path: str,
        *,
        limit: int,
        hosts: Iterable[str] = (),
        origins: Iterable[str] = (),
        any_address: bool = False,
        places: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.path = path
        self._places = {HEALTH: PROBE, READY: PROBE, **dict(places)}
        self._limit = limit
        self._hosts = LOOPBACK_NAMES | {host.lower() for host in hosts}
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        self._any_address = any_address

    def judge(self, head: Head) -> Verdict:
        """Return the verdict on a head, kept in the head; raises HttpProblem, with the headers that belong to it."""
        if type(head.verdict) is Verdict:
            return head.verdict
        if (head.length or 0) > self._limit:
            raise HttpProblem(413, f"a body is at most {self._limit} bytes")
        self._check_host(head)
        cors = self._cors(head)
        verdict = self._endpoint(head, cors) if head.path == self.path else self._other(head, cors)
        head.verdict = verdict
        return verdict

    def is_preflight(self, head: Head) -> bool:
        """Say whether a browser asks if a page may send a request, and it may."""
        return (
            head.method == "OPTIONS"
            and (head.path == self.path or self._places.get(head.path) == METADATA)
            and "access-control-request-method" in head.headers
            and head.headers.get("origin", "").lower() in self._origins
        )

    def preflight(self, head: Head) -> tuple[tuple[str, str], ...]:
        """Return the headers that allow it (Fetch standard, CORS protocol); raises HttpProblem for another host."""
        self._check_host(head)
        more = [
            name
            for name in words(head.headers.get("access-control-request-headers", ""))
            if name.startswith("mcp-param-")
        ]
        return (
            *self._cors(head),
            ("Access-Control-Allow-Methods", ", ".join(ENDPOINT_METHODS)),
            ("Access-Control-Allow-Headers", ", ".join([ASKED_HEADERS, *more])),
            ("Access-Control-Max-Age", "600"),
        )

    def _check_host(self, head: Head) -> None:
        host = head.headers["host"]
        if not head.target.startswith("/") and head.target != "*":
            scheme, found, rest = head.target.partition("://")
            authority, slash, path = rest.partition("/")
            if not found or scheme.lower() != "http" or authority.lower() != host.lower():
                raise HttpProblem(400, "a request target is a path")
            head.path = (slash + path).partition("?")[0] or "/"
        name = _without_port(host.lower())
        if name not in self._hosts and not (self._any_address and _is_address(name)):
            hint = "this server is not known by that name; its operator can add it with --allow-host"
            raise HttpProblem(421, hint)

    def _cors(self, head: Head) -> tuple[tuple[str, str], ...]:
        origin = head.headers.get("origin")
        if origin is None:
            return ()
        if origin.lower() in self._origins:
            return (
                ("Access-Control-Allow-Origin", origin),
                ("Access-Control-Expose-Headers", SHOWN_HEADERS),
                ("Vary", "Origin"),
            )
        scheme, found, authority = origin.lower().partition("://")
        if found and scheme in ("http", "https") and _without_port(authority) in LOOPBACK_NAMES:
            return ()
        raise HttpProblem(403, "pages of this origin may not ask; the operator can allow it with --allow-origin")

    def _endpoint(self, head: Head, cors: tuple[tuple[str, str], ...]) -> Verdict:
        if head.method not in ENDPOINT_METHODS:
            raise HttpProblem(405, "this endpoint takes POST", (("Allow", "POST"), *cors))
        accepted = _accepted(head.headers.get("accept"))
        return Verdict(json=accepted[0], events=accepted[1], cors=cors)

    def _other(self, head: Head, cors: tuple[tuple[str, str], ...]) -> Verdict:
        place = self._places.get(head.path)
        if place is None:
            raise HttpProblem(404, "there is nothing here", cors)
        if head.method not in ("GET", "HEAD"):
            raise HttpProblem(405, "this takes GET", (("Allow", "GET, HEAD"), *cors))
        events = EVENTS in head.headers.get("accept", "").lower()
        return Verdict(json=True, events=events, cors=cors, place=place)


def check_content(head: Head, verdict: Verdict) -> None:
    """Refuse a POST whose content is not JSON or whose answer nobody would read; raises HttpProblem.

    After authentication: who is nobody learns nothing. `Accept` is read leniently (many clients name JSON only): 406
    only if it excludes JSON and event streams.
    """
    kind, _, parameters = head.headers.get("content-type", "").partition(";")
    if kind.strip(" \t").lower() != JSON:
        raise HttpProblem(415, f"the content of a request is {JSON}", verdict.cors)
    charset = [word for word in parameters.lower().replace(" ", "").split(";") if word.startswith("charset=")]
    if any(word.partition("=")[2].strip('"') not in ("utf-8", "utf8", "us-ascii") for word in charset):
        raise HttpProblem(415, "the content of a request is in UTF-8", verdict.cors)
    if not verdict.json and not verdict.events:
        raise HttpProblem(406, f"answers are {JSON} or {EVENTS}", verdict.cors)
    if not head.chunked and not head.sized:
        raise HttpProblem(411, "a POST has a Content-Length, or chunks", verdict.cors)
    if head.expects and head.headers["expect"].lower() != "100-continue":
        raise HttpProblem(417, "the only expectation is 100-continue", verdict.cors)
    verdict.content_checked = True


def _accepted(value: str | None) -> tuple[bool, bool]:
    """Return whether JSON and event streams are accepted; without the header anything but a stream is expected."""
    if value is None:
        return True, False
    kinds = set()
    for word in words(value):
        kind, *parameters = word.split(";")
        if not any(_is_zero(parameter) for parameter in parameters):
            kinds.add(kind.strip(" \t"))
    anything = "*/*" in kinds
    return anything or bool(kinds & {JSON, "application/*"}), anything or bool(kinds & {EVENTS, "text/*"})


def _is_zero(parameter: str) -> bool:
    name, _, value = parameter.replace(" ", "").partition("=")
    return name == "q" and value.rstrip("0") in ("", "0.", ".")


def _without_port(authority: str) -> str:
    """Return host of `host[:port]`; anything else comes back as it is, and is known by nobody."""
    host, colon, port = authority.rpartition(":")
    if colon and ((port.isascii() and port.isdigit()) or not port) and ("]" in host or ":" not in host):
        return host
    return authority


def _is_address(name: str) -> bool:
    """Say whether a host is an IP address in its usual form."""
    if name.startswith("[") and name.endswith("]"):
        return not name[1:-1].strip("0123456789abcdef:.") and ":" in name
    parts = name.split(".")
    return len(parts) == 4 and all(part.isascii() and part.isdigit() and int(part) < 256 for part in parts)
