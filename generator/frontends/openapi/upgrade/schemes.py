"""Read OpenAPI 3.x security schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from ..model import Flow, Scheme
from .findings import Unreadable
from .header_names import UNSENDABLE_CREDENTIALS, is_encodable, is_token
from .values import optional_text, shown, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

FLOWS = ("authorizationCode", "clientCredentials", "deviceAuthorization", "implicit", "password")
EARLIER_DEVICE_FLOW = "x-oai-deviceAuthorization"
"""How descriptions before OpenAPI 3.2 may write the device flow (the OpenAPI registry of extensions)."""

TYPES = ("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS")
KEY_LOCATIONS = ("query", "header", "cookie")


def read_scheme(reading: Reading, name: str, written: object, where: Place) -> Scheme | None:
    """Return a security scheme, None (with a warning) when it is of no known kind; raises Unreadable when refused."""
    value, place = reading.mapping(written, where, "security scheme")
    kind = value.get("type")
    http_scheme = text(value.get("scheme")).lower()
    if kind == "basic":  # as Swagger 2.0 writes it
        kind, http_scheme = "http", "basic"
    if kind not in TYPES or (kind == "http" and not is_token(http_scheme)):
        unusable(reading, name, place)
        return None
    if kind == "apiKey":
        return read_api_key(reading, name, value, place)
    return Scheme(
        name=name,
        type=cast("Literal['http', 'oauth2', 'openIdConnect', 'mutualTLS']", kind),
        description=text(value.get("description")),
        http_scheme=http_scheme if kind == "http" else None,
        flows=_flows(value, place) if kind == "oauth2" else (),
        openid_url=optional_text(value.get("openIdConnectUrl")),
        place=place,
    )


def unusable(reading: Reading, name: str, place: Place) -> None:
    """Warn that a scheme's credentials cannot be sent."""
    message = f"security scheme `{shown(name)}` is of no known kind; operations are served without it"
    reading.findings.warn("unusable-security", message, place)


def read_api_key(reading: Reading, name: str, value: Mapping[str, object], place: Place) -> Scheme | None:
    """Return an API key; raises Unreadable when its header, cookie or query name cannot be sent."""
    location, parameter = value.get("in"), text(value.get("name"))
    if location not in KEY_LOCATIONS:
        unusable(reading, name, place)
        return None
    sendable = is_encodable(parameter) if location == "query" else is_token(parameter)
    if not sendable:
        message = f"`{shown(parameter)}` cannot be the {location} name of security scheme `{shown(name)}`"
        raise Unreadable("unsendable-name", message, place.at("name"))
    if location == "header" and parameter.lower() in UNSENDABLE_CREDENTIALS:
        message = f"security scheme `{shown(name)}` is left out: the client itself sends header `{parameter}`"
        reading.findings.warn("unusable-security", message, place.at("name"))
        return None
    return Scheme(
        name=name,
        type="apiKey",
        description=text(value.get("description")),
        parameter=parameter,
        location=cast("Literal['query', 'header', 'cookie']", location),
        place=place,
    )


def _flows(value: Mapping[str, object], place: Place) -> tuple[Flow, ...]:
    written = value.get("flows")
    if not isinstance(written, dict):
        return ()
    found = []
    for key in written:
        kind = "deviceAuthorization" if key == EARLIER_DEVICE_FLOW else key
        if kind in FLOWS and isinstance(written[key], dict):
            found.append(read_flow(kind, written[key], place.at("flows", key)))
    return tuple(found)


def read_flow(kind: str, value: Mapping[str, object], place: Place) -> Flow:
    """Return one OAuth flow."""
    scopes = value.get("scopes")
    device_url = value.get("deviceAuthorizationUrl") or value.get("x-oai-deviceAuthorizationUrl")
    return Flow(
        kind=kind,
        token_url=optional_text(value.get("tokenUrl")),
        authorization_url=optional_text(value.get("authorizationUrl")),
        refresh_url=optional_text(value.get("refreshUrl")),
        device_authorization_url=optional_text(device_url),
        scopes={str(key): text(scopes[key]) for key in scopes} if isinstance(scopes, dict) else {},
        place=place,
    )
