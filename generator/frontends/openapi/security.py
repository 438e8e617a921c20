"""Credentials: what the schemes of the served operations need, and the environment names they come from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from ...ir.model import ConfigEntry
from ...ir.names import DIGEST_CHARACTERS
from ...runtime.client.origin import split_url
from .descriptions import bounded
from .findings import address_shown, shown
from .tool_names import digest, legal_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...config import Config
    from .findings import Findings
    from .model import Api, Flow, Operation, Scheme

MAX_ENVIRONMENT_NAME = 64
"""Characters of an environment variable's name: `^[A-Z][A-Z0-9_]{0,63}$`."""

BASE_URL, FILES = "base_url", "files"
"""Configuration entries every generated server has."""

_REFRESHED = ("authorizationCode", "password", "deviceAuthorization")
"""Flows in which a person signs in once, and a refresh token keeps the access."""

_WORDS = {
    "value": "the {what} of the security scheme `{name}`",
    "username": "the user name for the security scheme `{name}`",
    "password": "the password for the security scheme `{name}`",
    "client_id": "the OAuth client id for the security scheme `{name}`",
    "client_secret": "the OAuth client secret for the security scheme `{name}`",
    "refresh_token": "a refresh token for the security scheme `{name}`",
    "cert": "the path of the client certificate for the security scheme `{name}`",
    "key": "the path of the client certificate's private key for the security scheme `{name}`",
}
MAX_ABOUT = 160
"""Characters of what a scheme says of itself that are kept: a line in a table of settings."""

_REFUSALS = ("401", "403")
"""Answers of an API that asks for credentials."""

_PLAIN = frozenset({"username", "client_id", "cert", "key"})
"""Credentials that are no secrets themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The schemes as the runtime reads them, and a configuration entry for each value they need."""

    schemes: Mapping[str, Any]
    entries: tuple[ConfigEntry, ...]


def environment_name(*parts: str) -> str:
    """Return the environment variable of a server's value: upper case, every other character `_`, legal and bounded."""
    words = [legal_name(part)[0] or digest(part) for part in parts if part]
    name = re.sub(r"[^A-Z0-9_]", "_", "_".join(words).upper())
    name = name if name[:1].isalpha() else f"X{name}"
    if len(name) > MAX_ENVIRONMENT_NAME:
        name = f"{name[: MAX_ENVIRONMENT_NAME - DIGEST_CHARACTERS - 1]}_{digest('/'.join(parts)).upper()}"
    return name


def requirements(operation: Operation) -> list[dict[str, list[str]]]:
    """Return the alternatives of an operation: schemes with the API's scopes."""
    return [{name: list(scopes) for name, scopes in each.schemes.items()} for each in operation.security]


def credentials(
    api: Api, operations: Sequence[Operation], server_id: str, config: Config, base: str, findings: Findings
) -> Credentials:
    """Return what the served operations need; `base` is what relative token addresses are resolved against."""
    used = {name for each in operations for need in each.security for name in need.schemes}
    naming = _Naming(server_id=server_id, config=config, findings=findings)
    naming.add(BASE_URL, "", BASE_URL, _about_base(base))
    naming.add(FILES, "", FILES, "the folder that file arguments are read from and large answers are saved to")
    schemes = {}
    for name, scheme in api.schemes.items():
        if name in used:
            names = {part: naming.credential(scheme, part) for part in _parts(scheme)}
            schemes[name] = {**_described(scheme, base, findings), "credentials": names}
    unused = [name for name in api.schemes if name not in used]
    if not api.schemes and any(answer.status in _REFUSALS for each in operations for answer in each.responses):
        message = "the description names no credentials although answers refuse callers without; none are sent"
        hint = "If the API asks for one, add `securitySchemes` and `security` with an overlay (docs/openapi.md)."
        findings.tell("no-security", message, place=api.place, hint=hint)
    if unused and not used:
        message = f"no operation needs a credential, although `{shown(unused[0])}` is declared; none is sent"
        hint = "Add `security` to the description, perhaps with an overlay, if the API asks for it."
        findings.tell("unused-security", message, place=api.schemes[unused[0]].place, hint=hint)
    return Credentials(schemes=schemes, entries=tuple(naming.entries))


def _about_base(base: str) -> str:
    """Return what the entry of the base URL is for; `base` is where requests go without it, "" for nowhere."""
    if not base:
        return "the base URL of the API, which has to be set: the description names none that can be asked"
    return f"the base URL of the API (default: {address_shown(base)})"


def _about_scheme(scheme: Scheme) -> str:
    """Return the beginning of what a scheme says of itself, as a sentence after another; "" for nothing."""
    line = next((each for each in scheme.description.splitlines() if each.strip()), "")
    about = bounded(" ".join(line.split()), MAX_ABOUT).rstrip(".")
    return f": {about}" if about else ""


def _parts(scheme: Scheme) -> tuple[str, ...]:
    """Return the values a scheme needs, of which several may be alternatives."""
    if scheme.type == "http" and scheme.http_scheme == "basic":
        return ("username", "password")
    if scheme.type == "mutualTLS":
        return ("cert", "key")
    if scheme.type == "openIdConnect":
        return ("value", "client_id", "client_secret")
    if scheme.type != "oauth2":
        return ("value",)
    parts = ["value"]
    if any(flow.token_url for flow in scheme.flows):
        parts += ["client_id", "client_secret"]
    if any(flow.kind in _REFRESHED and (flow.refresh_url or flow.token_url) for flow in scheme.flows):
        parts.append("refresh_token")
    return tuple(parts)


def _described(scheme: Scheme, base: str, findings: Findings) -> dict[str, Any]:
    if scheme.type == "apiKey":
        return {"type": "apiKey", "in": scheme.location, "name": scheme.parameter}
    if scheme.type == "http":
        return {"type": "http", "scheme": scheme.http_scheme}
    if scheme.type == "openIdConnect":
        url = _address(scheme, scheme.openid_url, base, findings)
        return {"type": "openIdConnect", **({"url": url} if url else {})}
    if scheme.type == "mutualTLS":
        return {"type": "mutualTLS"}
    return {"type": "oauth2", "flows": {flow.kind: _flow(scheme, flow, base, findings) for flow in scheme.flows}}


def _flow(scheme: Scheme, flow: Flow, base: str, findings: Findings) -> dict[str, Any]:
    addresses = {
        "token_url": flow.token_url,
        "refresh_url": flow.refresh_url,
        "authorization_url": flow.authorization_url,
        "device_authorization_url": flow.device_authorization_url,
    }
    found = {key: _address(scheme, url, base, findings) for key, url in addresses.items() if url}
    return {**{key: url for key, url in found.items() if url}, "scopes": list(flow.scopes)}


def _address(scheme: Scheme, url: str | None, base: str, findings: Findings) -> str | None:
    """Return an absolute address credentials may be sent to, or None; what is refused is reported."""
    if not url:
        return None
    try:
        absolute = urljoin(f"{base}/" if base else "", url)
        split_url(absolute, query=True)
    except ValueError as problem:
        message = (
            f"the address `{address_shown(url)}` of the security scheme `{shown(scheme.name)}` is not used: {problem}"
        )
        findings.tell("refused-address", message, place=scheme.place)
        return None
    return absolute


@dataclass(slots=True, kw_only=True)
class _Naming:
    """Gives every value a configuration entry and an environment variable of its own."""

    server_id: str
    config: Config
    findings: Findings
    entries: list[ConfigEntry] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)

    def credential(self, scheme: Scheme, part: str) -> str:
        what = "API key" if scheme.type == "apiKey" else "token"
        words = f"{_WORDS[part].format(what=what, name=shown(scheme.name))}{_about_scheme(scheme)}"
        suffix = "" if part == "value" else part
        return self.add(scheme.name, suffix, part, words, scheme=scheme)

    def add(self, name: str, suffix: str, part: str, description: str, *, scheme: Scheme | None = None) -> str:
        """Make an entry and return its name; a clash is told apart by a number and reported."""
        wanted = environment_name(self.server_id, name, suffix)
        variable = wanted
        while variable in self._taken:
            number = self._numbers[wanted] = self._numbers.get(wanted, 1) + 1
            variable = f"{wanted[: MAX_ENVIRONMENT_NAME - max(4, len(str(number)) + 1)]}_{number}"
        if variable != wanted and scheme is not None:
            message = f"the security scheme `{shown(scheme.name)}` takes its {part.replace('_', ' ')} from {variable}"
            self.findings.tell("renamed-credential", message, place=scheme.place)
        self._taken.add(variable)
        prefix = environment_name(self.server_id)
        entry = variable.removeprefix(f"{prefix}_").lower()
        setting = self.config.config.get(entry)
        self.entries.append(
            ConfigEntry(
                name=entry,
                env=setting.env if setting is not None else variable,
                description=f"{description[0].upper()}{description[1:]}.",
                sensitive=scheme is not None and part not in _PLAIN,
                required=False,
            )
        )
        return entry
