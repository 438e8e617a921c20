"""The ways in which a security scheme can be configured, and which of them is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Scheme = Mapping[str, Any]
    Values = Mapping[str, str]

MAY_BE_EMPTY = frozenset({"password"})
"""Parts that count as set when they are empty: APIs that take a key as a user name have no password."""


def ways(scheme: Scheme) -> list[tuple[str, ...]]:
    """Return the sets of parts of which any one is enough, the preferred first.

    A ready token comes first: whoever gives one wants it used. The authorization code, implicit and device flows need a
    person at a browser, so a server can only be given their token, or a refresh token.
    """
    kind = scheme["type"]
    if kind == "mutualTLS":
        return [("cert",)]
    if kind == "http" and scheme["scheme"].lower() == "basic":
        return [("username", "password")]
    found: list[tuple[str, ...]] = [("value",)]
    if kind == "openIdConnect" and scheme.get("url"):
        found.append(("client_id", "client_secret"))
    if kind == "oauth2":
        flows = scheme.get("flows", {})
        if flows.get("clientCredentials", {}).get("token_url"):
            found.append(("client_id", "client_secret"))
        if refresh_endpoint(scheme):
            found.append(("refresh_token", "client_id"))
    parts = scheme["credentials"]
    return [way for way in found if all(part in parts for part in way)]


def way_of(scheme: Scheme, values: Values) -> tuple[str, ...] | None:
    """Return the first way that is configured, None when none is."""
    return next((way for way in ways(scheme) if not _lacking(scheme, way, values)), None)


def refresh_endpoint(scheme: Scheme) -> str:
    """Return where refresh tokens are sent, "" when nowhere: a flow's own address for that, else its token endpoint.

    The client credentials flow comes last: it gives no refresh tokens (RFC 6749 §4.4.3).
    """
    flows = sorted(scheme.get("flows", {}).items(), key=lambda item: item[0] == "clientCredentials")
    addresses = [flow.get("refresh_url") for _, flow in flows] + [flow.get("token_url") for _, flow in flows]
    return next((str(address) for address in addresses if address), "")


def can_refresh(scheme: Scheme, values: Values) -> bool:
    """Say whether a refresh token is configured, and somewhere to send it."""
    return any("refresh_token" in way and not _lacking(scheme, way, values) for way in ways(scheme))


def missing(scheme: Scheme, values: Values) -> list[list[str]]:
    """Return the configuration entries that are not set, for each way."""
    return [_lacking(scheme, way, values) for way in ways(scheme)]


def _lacking(scheme: Scheme, way: tuple[str, ...], values: Values) -> list[str]:
    parts = scheme["credentials"]
    return [parts[part] for part in way if not _is_set(part, values.get(parts[part]))]


def _is_set(part: str, value: str | None) -> bool:
    return value is not None and (value != "" or part in MAY_BE_EMPTY)
