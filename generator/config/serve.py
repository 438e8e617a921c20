"""The table `[tool.mcpgen.serve]`: how the server is started, whom it lets in, what it tells and how much it takes.

Nothing of it is a secret: a token stands in the environment, in a file, or here as its hash. Whether the table makes
sense as a whole is checked once more by the server when it starts, with the command line's words over it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..runtime.server.options import MAX_PORT, MAX_PROCESSES
from .filled import filled, filled_list, is_reference
from .kinds import (
    COUNT,
    ENVIRONMENT_NAME,
    FLAG,
    RATE,
    SECONDS,
    TARGET,
    TEXT,
    Kind,
    Named,
    Table,
    choice,
    described,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SCOPE_PATTERN = r"^[!#-\[\]-~]+$"
"""A scope (RFC 6749 §3.3): printable ASCII without spaces, quotes and backslashes, as it stands in headers."""

EVERY_SCOPE = "*"
"""What a token with all scopes has; a tool cannot ask for it."""

MOST_NESTING = 500
"""Levels of a message: beyond, the interpreter's own parser gives up before the server can refuse."""

MOST_SHUTDOWN_SECONDS = 9.0
"""A server is gone ten seconds after it was told to end (R137)."""

_scope = re.compile(r"[!#-\[\]-~]+")
_HOST = r"^[A-Za-z0-9._:\[\]-]+$"
_ORIGIN = r"^[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#@]+/?$"
_URL = r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+(?:/[^\s?#]*)?$"
_PATH = r"^/[A-Za-z0-9._~/-]*$"
_HASH = r"^[0-9A-Fa-f]{64}$"


def _text(pattern: str, wanted: str) -> Kind:
    compiled = re.compile(pattern.removeprefix("^").removesuffix("$"), re.ASCII)

    def problem(value: object) -> str | None:
        if not isinstance(value, str):
            return f"must be {wanted}, not {described(value)}"
        return None if compiled.fullmatch(value) else f"must be {wanted}"

    return Kind(schema={"type": "string", "pattern": pattern}, problem=problem)


def _texts(pattern: str, each: str, wanted: str) -> Kind:
    compiled = re.compile(pattern.removeprefix("^").removesuffix("$"), re.ASCII)
    return filled_list(lambda text: None if compiled.fullmatch(text) else f"each is {each}", pattern, wanted)


def _number(low: float, high: float, wanted: str, *, whole: bool = True) -> Kind:
    def problem(value: object) -> str | None:
        right = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if right and low <= value <= high:  # type: ignore[operator] # it is a number
            return None
        return f"must be {wanted}, not {described(value)}"

    kind = "integer" if whole else "number"
    return Kind(schema={"type": kind, "minimum": low, "maximum": high}, problem=problem)


def _is_scope_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and _scope.fullmatch(each) for each in value)


def scope_problem(scope: str) -> str | None:
    """Return why a tool cannot ask for a scope, or None."""
    if scope == EVERY_SCOPE:
        return f"`{EVERY_SCOPE}` stands for all scopes of a token"
    return None if _scope.fullmatch(scope) else "a scope is printable ASCII without spaces, quotes and backslashes"


_TOKEN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": r"\S"},
        "token": {"type": "string", "pattern": r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$"},
        "sha256": {"type": "string", "pattern": _HASH},
        "scopes": {"type": "array", "items": {"type": "string", "pattern": SCOPE_PATTERN}},
    },
    "required": ["name"],
    "oneOf": [{"required": ["token"]}, {"required": ["sha256"]}],
    "additionalProperties": False,
}


def _token_problem(value: object) -> str | None:
    """Return what is wrong with one entry of `tokens`; never the entry itself."""
    if not isinstance(value, dict):
        return None if is_reference(value) else "each is a table, or a variable such as `${TOKEN}`"
    if not value.keys() <= {"name", "token", "sha256", "scopes"}:
        return "each has `name`, `token` or `sha256`, and `scopes`"
    name, digest = value.get("name"), value.get("sha256")
    if not isinstance(name, str) or not name.strip():
        return "each has a `name`"
    if ("token" in value) == ("sha256" in value):
        return "each has either `token` or `sha256`"
    if "token" in value and not is_reference(value["token"]):
        return "`token` is a variable such as `${TOKEN}`: a secret does not stand in a settings file"
    if "sha256" in value and (not isinstance(digest, str) or not re.fullmatch(r"[0-9A-Fa-f]{64}", digest)):
        return "`sha256` is 64 hexadecimal digits"
    return None if _is_scope_list(value.get("scopes", [])) else "`scopes` is an array of scopes"


def _tokens_problem(value: object) -> str | None:
    if isinstance(value, list):
        reason = next(filter(None, map(_token_problem, value)), None) if value else "it is empty"
        return None if reason is None else f"is not acceptable: {reason}"
    return FILLED_TEXT.problem(value)


FILLED_TEXT = filled(TEXT)
HOST = filled(_text(_HOST, "a host name or an address"))
PORT = filled(_number(0, MAX_PORT, f"a port: an integer from 0 to {MAX_PORT}"))
PATH = filled(_text(_PATH, "a path: a slash, then letters, digits and -._~/"))
URL = filled(_text(_URL, "an http or https URL without a query"))
URLS = _texts(_URL, "an http or https URL", "URLs")
HOSTS = _texts(_HOST, "a host name or an address", "host names")
ORIGINS = _texts(_ORIGIN, "a scheme and a host, as in https://app.example", "origins")
WORKERS = filled(_number(0, MAX_PROCESSES, f"a number of processes: an integer from 0 to {MAX_PROCESSES}"))
SCOPES = Kind(
    schema={"type": "array", "items": {"type": "string", "pattern": SCOPE_PATTERN}},
    problem=lambda value: None if _is_scope_list(value) else "must be an array of scopes: printable ASCII, no spaces",
)
TOKENS = Kind(
    schema={
        "anyOf": [
            dict(FILLED_TEXT.schema),
            {
                "type": "array",
                "items": {"anyOf": [{"type": "string", "pattern": r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$"}, dict(_TOKEN)]},
                "minItems": 1,
            },
        ]
    },
    problem=_tokens_problem,
)
NESTING = _number(1, MOST_NESTING, f"an integer from 1 to {MOST_NESTING}")
MESSAGE_BYTES = _number(4096, 2**40, "an integer of at least 4096")
SHUTDOWN = _number(0, MOST_SHUTDOWN_SECONDS, f"a number from 0 to {MOST_SHUTDOWN_SECONDS:g}", whole=False)

RATE_LIMIT = Table(
    description="How often something may be done.", fields={"per_second": RATE, "burst": COUNT},
    required=("per_second",),
)  # fmt: skip

LIMITS = Table(
    description="What the server takes at most.",
    fields={
        "max_message_bytes": MESSAGE_BYTES, "max_nesting": NESTING, "max_result_bytes": COUNT,
        "max_calls": COUNT, "max_threads": COUNT, "max_queued": COUNT, "max_connections": COUNT,
        "max_sessions": COUNT, "session_seconds": SECONDS, "max_streams": COUNT, "max_events": COUNT,
        "max_event_bytes": COUNT, "shutdown_seconds": SHUTDOWN,
    },
)  # fmt: skip

SERVE = Table(
    description="How the server is started; ${NAME} in a text is filled from the environment at the start.",
    fields={
        "transport": choice("stdio", "http"), "host": HOST, "port": PORT, "path": PATH, "workers": WORKERS,
        "tokens": TOKENS, "token_env": ENVIRONMENT_NAME, "verify": TARGET, "authorization_servers": URLS,
        "resource": URL, "filter_lists": FLAG, "allow_hosts": HOSTS, "allow_origins": ORIGINS,
        "rate_limit": RATE_LIMIT,
        "tool_rate_limits": Named(item=RATE_LIMIT, description="By tool; `*` is for those that are not named."),
        "events": FILLED_TEXT, "event_values": choice("none", "arguments", "all"), "activity": FLAG,
        "limits": LIMITS,
    },
)  # fmt: skip

LOCAL_HOSTS = frozenset(("localhost", "127.0.0.1", "::1", "[::1]"))
"""Hosts that only this machine reaches."""


def serve_problems(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the settings that do not go together: where, and why."""
    host = table.get("host", "127.0.0.1")
    let_in = {"tokens", "token_env", "verify"} & table.keys()
    if host not in LOCAL_HOSTS and not host.startswith("127.") and "${" not in host and not let_in:
        yield ("host",), "lets other machines in, so `tokens`, `token_env` or `verify` is needed"
    if "tokens" in table and "token_env" in table:
        yield ("token_env",), "excludes `tokens`"
    if "authorization_servers" in table and not let_in:
        yield ("authorization_servers",), "is for servers with tokens: set `verify`, `tokens` or `token_env`"
    if table.get("path") in ("/health", "/ready", "/activity") or str(table.get("path")).startswith("/.well-known/"):
        yield ("path",), "is a path the server itself answers on"
