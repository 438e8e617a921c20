"""Where credentials stand in a request: the Authorization header, another header, a cookie, the query.

Each function marks what it added as secret, and raises CredentialProblem, without the value, for what cannot stand
there.
"""

from __future__ import annotations

from base64 import b64encode

from . import url
from .credential_problem import CredentialProblem
from .oauth_endpoint import usable
from .request_parameters import NOT_IN_COOKIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .message import Request


def authorize(request: Request, value: str) -> None:
    """Set the Authorization header."""
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        raise CredentialProblem("a credential has characters that an Authorization header cannot hold") from None
    request.set_header("Authorization", value)
    request.secrets.add("authorization")


def http_value(scheme: str, secrets: Mapping[str, str]) -> str:
    """Return an Authorization header's value (RFC 9110 §11.4); a value that names its scheme is sent as it is."""
    if scheme.lower() == "basic":
        if ":" in secrets["username"]:
            raise CredentialProblem("a user name for HTTP Basic cannot hold a colon")
        pair = f"{secrets['username']}:{secrets['password']}"
        return f"Basic {b64encode(pair.encode('utf-8', 'replace')).decode()}"
    value = secrets["value"]
    if value.lower().startswith(f"{scheme.lower()} "):
        return value
    return f"{scheme[:1].upper()}{scheme[1:]} {value}"


def add_key(request: Request, scheme: Mapping[str, Any], value: str) -> None:
    """Put an API key into the query, a cookie or a header, in place of what an argument put there."""
    name = scheme["name"]
    if scheme["in"] == "query":
        key = url.encode(name)
        path, _, query = request.target.partition("?")
        pairs = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != key]
        request.target = f"{path}?{'&'.join([*pairs, f'{key}={url.encode(value)}'])}"
        request.secret_query.add(key)
    elif scheme["in"] == "cookie":
        if not usable(value) or not NOT_IN_COOKIES.isdisjoint(value):
            raise CredentialProblem(
                f"the credential for the cookie {name[:60]} has characters that a cookie cannot hold"
            )
        before = request.header("Cookie")
        request.set_header("Cookie", f"{before}; {name}={value}" if before else f"{name}={value}")
        request.secrets.add("cookie")
    elif name.lower() == "authorization":
        authorize(request, value)
    else:
        if not usable(value):
            raise CredentialProblem(f"the credential for the header {name[:60]} has characters that it cannot hold")
        request.set_header(name, value)
        request.secrets.add(name.lower())
