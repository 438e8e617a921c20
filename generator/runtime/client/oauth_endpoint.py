"""Token endpoints of OAuth 2.0 and OpenID Connect: where they are, what is sent to them, what they answer.

Secrets go only to the URL that the description (or its discovery document) declares, over https; plain http is for
loopback and for the operator's own origin. Of an answer only the RFC 6749 §5.2 error code is ever repeated.
"""

from __future__ import annotations

from base64 import b64encode
from time import monotonic
from urllib.parse import quote_plus, urlencode

from ..wire import jsonrpc
from .credential_problem import CredentialProblem
from .message import Request, split_url
from .problem import TransportProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .message import Origin, Response, Watch
    from .transport import Transport

EXPIRY_SKEW = 30.0
"""Seconds before its end at which a token counts as expired: it must still hold when the request arrives."""

ASSUMED_LIFETIME = 3600.0
"""Seconds that a token is kept when its answer does not say (RFC 6749 §5.1 only recommends that it does)."""

LONGEST_LIFETIME = 30 * 24 * 3600.0
"""Seconds beyond which a stated lifetime is not believed."""

MAX_TOKEN = 16_384
"""Characters of a token; headers longer than this are refused by servers."""

TOKEN_TIMEOUT = 30.0
"""Seconds for one exchange with a token endpoint."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_OTHER_FAULTS = frozenset({"invalid_scope", "invalid_grant", "unauthorized_client", "unsupported_grant_type"})
"""Error codes that another way of naming the client would not change."""

MAX_ERROR_CODE = 40
"""Characters of an error code; the registered ones have at most 25."""

_CODE_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz_")


class Token:
    """An access token, when it ends (monotonic seconds, skew taken off), and the refresh token that came with it."""

    __slots__ = ("expires", "refresh", "value")

    def __init__(self, value: str, expires: float, refresh: str | None = None) -> None:
        self.value = value
        self.expires = expires
        self.refresh = refresh

    def __repr__(self) -> str:
        return "Token(***)"


class OAuthClient:
    """Who asks for a token; the secret is None for a public client."""

    __slots__ = ("identifier", "secret")

    def __init__(self, identifier: str, secret: str | None = None) -> None:
        self.identifier = identifier
        self.secret = secret

    def __repr__(self) -> str:
        return "OAuthClient(***)"


class Endpoints:
    """Asks token endpoints over the server's own transport."""

    __slots__ = ("_in_body", "_operator_origin", "_transport")

    def __init__(self, transport: Transport, operator_origin: Origin | None = None) -> None:
        self._transport = transport
        self._operator_origin = operator_origin
        self._in_body: set[str] = set()

    def token(self, url: str, fields: dict[str, str], client: OAuthClient, watch: Watch, *, repeatable: bool) -> Token:
        """Ask for a token; `fields` are those of the grant. Raises CredentialProblem and TransportProblem.

        The client names itself by HTTP Basic, which every server must support (RFC 6749 §2.3.1), and in the body of a
        second request if that was refused; what worked is remembered.
        """
        origin = self._checked(url)[0]
        ways = [True] if client.secret is None or url in self._in_body else [False, True]
        for in_body in ways:
            response = self._sent(self._request(url, fields, client, in_body=in_body, again=repeatable), watch)
            answer = _json_object(response)
            if response.status == 200:  # the only success (RFC 6749 §5.1)
                if in_body:
                    self._in_body.add(url)
                return _token(answer, origin)
            code = _error_code(answer)
            if response.status not in (400, 401) or code in _OTHER_FAULTS:
                break
        stated = f" ({code})" if code else ""
        raise CredentialProblem(
            f"no access token: {origin.text} answered {response.status}{stated}",
            "Ask the user to check the client id, the client secret and the refresh token that this server is given.",
            retryable=response.status >= 500,
        )

    def discovered(self, url: str, watch: Watch) -> str:
        """Return the token endpoint that an OpenID Connect discovery document names."""
        origin, path = self._checked(url)
        request = Request("GET", origin, path or "/", [("Accept", "application/json")], idempotent=True)
        request.timeout = TOKEN_TIMEOUT
        endpoint = _json_object(self._sent(request, watch)).get("token_endpoint")
        if not isinstance(endpoint, str):
            raise CredentialProblem(f"the OpenID Connect document of {origin.text} names no token endpoint")
        self._checked(endpoint)
        return endpoint

    def _sent(self, request: Request, watch: Watch) -> Response:
        """Send a request on the way to a token; what goes wrong is told of that, not of the API."""
        try:
            return self._transport.send(request, watch)
        except TransportProblem as problem:
            address = request.origin.text + request.target.partition("?")[0]
            raise TransportProblem(
                problem.code,
                f"the access token could not be fetched from {address}: {problem.message}",
                retryable=problem.retryable,
                suggestion=problem.suggestion,
                sent=False,
            ) from None

    def _request(self, url: str, fields: dict[str, str], client: OAuthClient, *, in_body: bool, again: bool) -> Request:
        origin, path = self._checked(url)
        headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
        if in_body:
            fields = {**fields, "client_id": client.identifier}
            if client.secret is not None:
                fields["client_secret"] = client.secret
        else:
            named = f"{quote_plus(client.identifier)}:{quote_plus(client.secret or '')}"
            headers.append(("Authorization", f"Basic {b64encode(named.encode()).decode()}"))
        request = Request("POST", origin, path or "/", headers, urlencode(fields).encode(), idempotent=again)
        request.timeout = TOKEN_TIMEOUT
        request.secrets.add("authorization")
        return request

    def _checked(self, url: str) -> tuple[Origin, str]:
        """Return a URL's origin and path with query; raises CredentialProblem for one that must not get secrets."""
        try:
            origin, path = split_url(url, query=True)
        except ValueError as error:
            raise CredentialProblem(f"the address of the token endpoint cannot be used: {error}") from None
        if origin.scheme == "https" or origin.host in LOOPBACK or origin == self._operator_origin:
            return origin, path
        raise CredentialProblem(
            f"the token endpoint {origin.text} is not asked: it would get secrets without encryption"
        )


def usable(value: str) -> bool:
    """Say whether a text can stand in a header without changing it."""
    return value.isascii() and value.isprintable()


def _json_object(response: Response) -> dict[str, Any]:
    try:
        found = jsonrpc.parse(response.body)
    except jsonrpc.ParseFailure:
        return {}
    return found if isinstance(found, dict) else {}


def _token(answer: dict[str, Any], origin: Origin) -> Token:
    value, kind, refresh = answer.get("access_token"), answer.get("token_type"), answer.get("refresh_token")
    if not isinstance(value, str) or not value or len(value) > MAX_TOKEN or not usable(value):
        raise CredentialProblem(f"the answer of the token endpoint {origin.text} holds no access token")
    if isinstance(kind, str) and kind.lower() != "bearer":
        raise CredentialProblem(
            f"the token endpoint {origin.text} gives no bearer tokens, which is all this server knows"
        )
    expires = monotonic() + max(_lifetime(answer.get("expires_in")) - EXPIRY_SKEW, 0.0)
    return Token(value, expires, refresh if isinstance(refresh, str) and refresh else None)


def _lifetime(stated: object) -> float:
    try:
        seconds = float(stated) if isinstance(stated, (int, float, str)) and stated is not True else ASSUMED_LIFETIME
    except (ValueError, OverflowError):
        return ASSUMED_LIFETIME
    return seconds if 0 < seconds <= LONGEST_LIFETIME else ASSUMED_LIFETIME


def _error_code(answer: dict[str, Any]) -> str:
    code = answer.get("error")
    return code if isinstance(code, str) and len(code) <= MAX_ERROR_CODE and _CODE_CHARACTERS.issuperset(code) else ""
