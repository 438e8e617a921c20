"""Read Swagger 2.0 security definitions as the security schemes of OpenAPI 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Scheme
from .schemes import read_api_key, read_flow, unusable
from .values import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

FLOW_NAMES: Mapping[str, str] = {
    "accessCode": "authorizationCode",
    "application": "clientCredentials",
    "implicit": "implicit",
    "password": "password",
}


def read_swagger_scheme(reading: Reading, name: str, written: object, where: Place) -> Scheme | None:
    """Return a security scheme, None (with a warning) when it is of no known kind; raises Unreadable when refused."""
    value, place = reading.mapping(written, where, "security scheme")
    kind, description = value.get("type"), text(value.get("description"))
    if kind == "basic":
        return Scheme(name=name, type="http", http_scheme="basic", description=description, place=place)
    if kind == "apiKey":
        return read_api_key(reading, name, value, place)
    flow = FLOW_NAMES.get(text(value.get("flow")))
    if kind != "oauth2" or flow is None:
        unusable(reading, name, place)
        return None
    flows = (read_flow(flow, value, place),)
    return Scheme(name=name, type="oauth2", description=description, flows=flows, place=place)
