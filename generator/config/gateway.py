"""The table `[tool.mcpgen.gateway]`: which servers a gateway has, how each is reached, and what of it is routed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ..runtime.registry.shape import is_text
from .kinds import (
    COUNT,
    ENVIRONMENT_NAME,
    FLAG,
    PACKAGE_NAME,
    SECONDS,
    SERVER_NAME,
    SOME_TEXTS,
    TEXT,
    TEXTS,
    VERSION,
    Kind,
    Named,
    Table,
    authority_problem,
    checked_text,
    choice,
    frozen,
    pattern_text,
)
from .serve import SCOPES

if TYPE_CHECKING:
    from collections.abc import Mapping

_URL = re.compile(r"https?://[!-~]+", re.ASCII | re.IGNORECASE)
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_VALUE = re.compile(r"[\t -~]*", re.ASCII)

SEPARATOR_PATTERN = r"[A-Za-z0-9_.-]{1,8}"
PREFIX_PATTERN = r"[A-Za-z0-9_.-]{0,40}"
VIEW_PREFIX_PATTERN = r"ui://[A-Za-z0-9._-]+/"


def url_problem(text: str) -> str | None:
    """Return why a text cannot be a server's address, or None: http(s), a host, no user, no fragment."""
    if not _URL.fullmatch(text) or "#" in text:
        return "it must be an http or https URL without spaces or a fragment"
    return authority_problem(text, instead="; use a header")


def header_problem(name: str, value: str) -> str | None:
    """Return why a header cannot be sent, or None (RFC 9110 §5)."""
    if not _HEADER.fullmatch(name):
        return "its name is not that of a header"
    return None if _VALUE.fullmatch(value) else "its value has characters that a header cannot have"


def _headers(value: object) -> str | None:
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        return "must be a table of strings"
    reasons = (header_problem(name, each) for name, each in value.items())
    reason = next(filter(None, reasons), None)
    return None if reason is None else f"is not acceptable: {reason}"


def _variables(value: object) -> str | None:
    if not isinstance(value, list | dict) or any(ENVIRONMENT_NAME.problem(each) for each in value):
        return "must be an array of names of environment variables, or a table of names and values"
    fits = isinstance(value, list) or all(map(is_text, value.values()))
    return None if fits else "has a value that is no string, or that no program can be given"


SERVER_URL = checked_text(url_problem, {"pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s#@]+$"})
HEADERS = Kind(schema={"type": "object", "additionalProperties": {"type": "string"}}, problem=_headers)
VARIABLES = Kind(
    schema={
        "anyOf": [
            {"type": "array", "items": dict(ENVIRONMENT_NAME.schema)},
            {
                "type": "object",
                "propertyNames": {"pattern": ENVIRONMENT_NAME.schema["pattern"]},
                "additionalProperties": {"type": "string"},
            },
        ]
    },
    problem=_variables,
)
SEPARATOR = pattern_text(SEPARATOR_PATTERN, "1 to 8 letters, digits, `_`, `-` or `.`")
PREFIX = pattern_text(PREFIX_PATTERN, "at most 40 letters, digits, `_`, `-` or `.`")
VIEW_PREFIX = pattern_text(VIEW_PREFIX_PATTERN, "the beginning of a URI such as `ui://mcpgen-gateway/`")

SERVER = Table(
    description=(
        "One server; the key is its name. It is reached by one of `path` (a project folder), `registered`, `command` "
        "and `url`; without any of them the table is about a server named on the command line."
    ),
    fields={
        "path": TEXT, "python": TEXT, "registered": FLAG, "command": SOME_TEXTS, "cwd": TEXT, "env": VARIABLES,
        "url": SERVER_URL, "headers": HEADERS, "prefix": PREFIX, "expose": TEXTS, "deny": TEXTS, "timeout": SECONDS,
        "max_concurrent": COUNT, "start_timeout": SECONDS, "idle": SECONDS,
        "drift": choice("warn", "refuse", "refresh"), "uris": choice("keep", "rewrite"), "scopes": SCOPES,
    },
)  # fmt: skip

GATEWAY = Table(
    description="Many servers behind one connection.",
    fields={
        "name": SERVER_NAME, "package": PACKAGE_NAME, "title": TEXT, "version": VERSION, "description": TEXT,
        "instructions": TEXT, "separator": SEPARATOR, "view_prefix": VIEW_PREFIX, "expose": TEXTS, "deny": TEXTS,
        "max_calls": COUNT, "servers": Named(item=SERVER, description="The servers, by name."),
    },
)  # fmt: skip

WAYS = ("path", "registered", "command", "url")
"""What a server's table may be reached by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSetting:
    """What `[tool.mcpgen.gateway.servers.NAME]` says; None and empty mean not stated.

    `env` is an array of names or a table of `values`.
    """

    path: str | None = None
    python: str | None = None
    registered: bool = False
    command: tuple[str, ...] = ()
    cwd: str | None = None
    env: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    prefix: str | None = None
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    timeout: float | None = None
    max_concurrent: int | None = None
    start_timeout: float | None = None
    idle: float | None = None
    drift: Literal["warn", "refuse", "refresh"] = "warn"
    uris: Literal["keep", "rewrite"] = "keep"
    scopes: tuple[str, ...] = ()

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways it says the server is reached by: one, none, or too many."""
        return tuple(way for way in WAYS if getattr(self, way))


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """What `[tool.mcpgen.gateway]` says."""

    name: str | None = None
    package: str | None = None
    title: str | None = None
    version: str | None = None
    description: str | None = None
    instructions: str | None = None
    separator: str | None = None
    view_prefix: str | None = None
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    max_calls: int | None = None
    servers: Mapping[str, ServerSetting] = field(default_factory=dict)


def gateway_settings(table: Mapping[str, Any]) -> GatewaySettings:
    """Return the values of a table that was checked."""
    values = {key: frozen(value) for key, value in table.items() if key != "servers"}
    servers = {name: _server_setting(each) for name, each in table.get("servers", {}).items()}
    return GatewaySettings(**values, servers=servers)


def _server_setting(table: Mapping[str, Any]) -> ServerSetting:
    stated = {key: frozen(value) for key, value in table.items()}
    if isinstance(stated.get("env"), dict):
        stated["values"] = stated.pop("env")
    return ServerSetting(**stated)
