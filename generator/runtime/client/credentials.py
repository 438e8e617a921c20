"""Put credentials on a request: the first alternative of an operation for which everything is configured.

Schemes are those of the API's description, values those of the server's configuration. A credential goes only to an
origin that the description or the operator names, is checked against header injection, and is marked on the request
as secret; no message and no representation holds one.
"""

from __future__ import annotations

from .credential_places import add_key, authorize, http_value
from .credential_problem import CredentialProblem, MissingCredentials
from .credential_ways import can_refresh, missing, refresh_endpoint, way_of
from .oauth import Tokens
from .oauth_endpoint import Endpoints, OAuthClient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from .message import Origin, Request, Watch
    from .oauth_endpoint import Token
    from .transport import Transport

    Alternative = Mapping[str, Sequence[str]]

__all__ = ["CredentialProblem", "Credentials", "MissingCredentials"]

BEARER = "Bearer "

MAX_COMBINATIONS = 8
"""Ways of configuring one alternative that are told; a requirement of many schemes would have thousands."""


class Credentials:
    """The credentials of one server; safe to use from any thread.

    `schemes` is the object of operations.json, `values` returns the configured values by entry, `origins` are those
    that may get credentials, `variables` are the environment variables of the entries, for messages.
    """

    __slots__ = ("_endpoints", "_origins", "_schemes", "_tokens", "_values", "_variables")

    def __init__(
        self,
        schemes: Mapping[str, Any],
        values: Callable[[], Mapping[str, str]],
        transport: Transport,
        origins: Collection[Origin],
        *,
        variables: Mapping[str, str] | None = None,
        operator_origin: Origin | None = None,
    ) -> None:
        self._schemes = schemes
        self._values = values
        self._origins = frozenset(origins)
        self._variables = variables or {}
        self._endpoints = Endpoints(transport, operator_origin)
        self._tokens = Tokens()

    def __repr__(self) -> str:
        return f"Credentials({', '.join(self._schemes)})"

    def apply(self, request: Request, alternatives: Sequence[Alternative] | None, watch: Watch) -> None:
        """Add what the first fully configured alternative asks for; an empty alternative means that none is needed.

        Raises MissingCredentials when there is no such alternative, CredentialProblem when a credential cannot be used,
        and TransportProblem when a token endpoint cannot be reached.
        """
        needed = [alternative for alternative in alternatives or () if alternative]
        if not needed:
            return
        values = self._values()
        known = [{name: scopes for name, scopes in each.items() if name in self._schemes} for each in needed]
        for alternative in known:
            ways = {name: way_of(self._schemes[name], values) for name in alternative}
            if all(way is not None for way in ways.values()):
                if alternative:
                    self._check_origin(request)
                for name, way in ways.items():
                    self._add(request, name, way or (), alternative[name], values, watch)
                return
        if len(needed) < len(alternatives or ()):
            return  # an alternative is to send nothing
        raise MissingCredentials(
            [self._named(each) for alternative in known for each in self._lacks(alternative, values)]
        )

    def refresh(self, request: Request, watch: Watch) -> bool:
        """Replace a fetched access token that the API refused (401); False when there is nothing to replace."""
        given = request.header("Authorization") or ""
        if not given.startswith(BEARER):
            return False
        token = given[len(BEARER) :]
        fresh = self._tokens.renewed(token, watch) or self._refreshed(token, watch)
        if fresh is None or fresh == token:
            return False
        self._check_origin(request)
        request.set_header("Authorization", BEARER + fresh)
        return True

    def _lacks(self, alternative: Alternative, values: Mapping[str, str]) -> list[list[str]]:
        """Return what is missing, for each combination of the ways its schemes can be configured."""
        combined: list[list[str]] = [[]]
        for name in alternative:
            ways = missing(self._schemes[name], values)
            combined = [[*before, *way] for before in combined for way in ways][:MAX_COMBINATIONS]
        return combined

    def _named(self, entries: list[str]) -> list[tuple[str, str]]:
        return [(entry, self._variables.get(entry, entry.upper())) for entry in dict.fromkeys(entries)]

    def _check_origin(self, request: Request) -> None:
        if request.origin not in self._origins:
            message = f"credentials are not sent to {request.origin.text}: the API's description does not name it"
            raise CredentialProblem(message)

    def _add(
        self,
        request: Request,
        name: str,
        way: tuple[str, ...],
        scopes: Sequence[str],
        values: Mapping[str, str],
        watch: Watch,
    ) -> None:
        scheme = self._schemes[name]
        kind = scheme["type"]
        secrets = {part: _checked(entry, values) for part, entry in scheme["credentials"].items() if part in way}
        if kind == "mutualTLS":
            key = values.get(scheme["credentials"].get("key", ""))
            request.certificate = (secrets["cert"], key or secrets["cert"])
        elif kind == "apiKey":
            add_key(request, scheme, secrets["value"])
        elif kind == "http":
            authorize(request, http_value(scheme["scheme"], secrets))
        else:
            authorize(request, BEARER + self._token(name, way, secrets, scopes, values, watch))

    def _token(
        self,
        name: str,
        way: tuple[str, ...],
        secrets: Mapping[str, str],
        scopes: Sequence[str],
        values: Mapping[str, str],
        watch: Watch,
    ) -> str:
        scheme = self._schemes[name]
        if way == ("value",):
            kept = (name, "refresh_token")
            if kept in self._tokens:  # the given token has been refused before
                return self._tokens.get(kept, self._refreshing(scheme, values), watch)
            return secrets["value"].removeprefix(BEARER)
        if "refresh_token" in way:
            return self._tokens.get((name, "refresh_token"), self._refreshing(scheme, values), watch)
        wanted = tuple(scopes)
        client = OAuthClient(secrets["client_id"], secrets["client_secret"])
        return self._tokens.get((name, client.identifier, wanted), self._by_client(scheme, client, wanted), watch)

    def _by_client(self, scheme: Mapping[str, Any], client: OAuthClient, scopes: tuple[str, ...]) -> Any:
        """Return how to get a token by the client credentials grant (RFC 6749 §4.4)."""

        def fetch(watch: Watch, _: Token | None) -> Token:
            fields = {"grant_type": "client_credentials"}
            if scopes:
                fields["scope"] = " ".join(scopes)
            if scheme["type"] == "openIdConnect":
                endpoint = self._endpoints.discovered(scheme["url"], watch)
            else:
                endpoint = scheme["flows"]["clientCredentials"]["token_url"]
            return self._endpoints.token(endpoint, fields, client, watch, repeatable=True)

        return fetch

    def _refreshing(self, scheme: Mapping[str, Any], values: Mapping[str, str]) -> Any:
        """Return how to get a token by a refresh token (RFC 6749 §6), the last one that was given."""
        names = scheme["credentials"]
        client = OAuthClient(_checked(names["client_id"], values), values.get(names.get("client_secret", "")) or None)
        configured = _checked(names["refresh_token"], values)
        endpoint = refresh_endpoint(scheme)

        def fetch(watch: Watch, last: Token | None) -> Token:
            refresh = (last.refresh if last is not None else None) or configured
            fields = {"grant_type": "refresh_token", "refresh_token": refresh}
            return self._endpoints.token(endpoint, fields, client, watch, repeatable=False)

        return fetch

    def _refreshed(self, token: str, watch: Watch) -> str | None:
        """Return a token in place of a configured one, if a refresh token is configured beside it."""
        values = self._values()
        for name, scheme in self._schemes.items():
            if scheme["type"] != "oauth2":
                continue
            names = scheme["credentials"]
            given = values.get(names.get("value", ""), "").removeprefix(BEARER)
            if given == token and can_refresh(scheme, values):
                return self._tokens.get((name, "refresh_token"), self._refreshing(scheme, values), watch)
        return None


def _checked(entry: str, values: Mapping[str, str]) -> str:
    value = values[entry]
    if not all(character.isprintable() for character in value):
        message = f"the value of `{entry}` has line breaks or other control characters"
        raise CredentialProblem(message, f"Ask the user to set `{entry}` again, without a line break.")
    return value
