"""What the settings say of serving (`settings.serve` of the catalog), under what the command line says.

References such as `${PORT}` are filled from the environment when the server starts: no secret is ever in the catalog.
Only what this start needs is filled. Everything that is missing or wrong is told at once.
"""

from __future__ import annotations

from ..wire import limits as wire_limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from .options import Options

OPENING = "${"

OVERRIDDEN = {
    "host": ("--host",), "port": ("--port",), "path": ("--path",), "workers": ("--workers",),
    "tokens": ("--tokens", "--token-env"), "token_env": ("--tokens", "--token-env"),
    "allow_hosts": ("--allow-host",), "allow_origins": ("--allow-origin",), "events": ("--events",),
}  # fmt: skip
"""Settings that words of the command line take the place of."""

FOR_STDIO = ("events", "event_values", "limits")
"""Settings that matter on standard input and output; the others are not looked at there."""

OPTIONS = {
    "host": "host", "port": "port", "path": "path", "token_env": "token_env", "allow_hosts": "allow_host",
    "allow_origins": "allow_origin", "events": "events", "workers": "workers",
}  # fmt: skip
"""Settings that are options of the command line too, by the option."""

WIRE_LIMITS = {
    "max_message_bytes": "MAX_MESSAGE_BYTES", "max_nesting": "MAX_NESTING", "max_result_bytes": "MAX_RESULT_BYTES",
    "max_calls": "MAX_CALLS", "max_threads": "MAX_WORKERS", "max_queued": "MAX_QUEUED",
    "shutdown_seconds": "DRAIN_SECONDS",
}  # fmt: skip
HTTP_LIMITS = {
    "max_connections": "MAX_CONNECTIONS", "max_sessions": "MAX_SESSIONS", "session_seconds": "SESSION_SECONDS",
    "max_streams": "MAX_STREAMS", "max_events": "MAX_EVENTS", "max_event_bytes": "MAX_EVENT_BYTES",
}  # fmt: skip
"""The settings of `limits` and the constants they replace."""


class SettingsError(Exception):
    """The settings cannot be used as they are; the message names everything that is wrong."""


def settle(options: Options, serve: Mapping[str, Any], environ: Mapping[bytes, bytes]) -> None:
    """Complete the options with what the settings say; raises SettingsError."""
    wanted = {
        key: value
        for key, value in serve.items()
        if not options.said.intersection(OVERRIDDEN.get(key, ())) and (options.http or key in FOR_STDIO)
    }
    missing: dict[str, list[str]] = {}
    told = {key: _filled(value, key, environ, missing) for key, value in wanted.items()}
    if missing:
        names = "; ".join(f"{name} (for {', '.join(dict.fromkeys(keys))})" for name, keys in missing.items())
        raise SettingsError(f"environment variables that the settings name are not set: {names}")
    wrong = [f"{key} {problem}" for key, value in told.items() for problem in _problems(key, value)]
    if wrong:
        raise SettingsError(f"settings cannot be used: {'; '.join(wrong)}")
    for key, member in OPTIONS.items():
        if key in told:
            setattr(options, member, int(told[key]) if key in ("port", "workers") else told[key])
    tokens = told.pop("tokens", None)
    if type(tokens) is str:
        options.tokens = tokens
    elif tokens is not None:
        told["tokens"] = [_token(entry, given) for entry, given in zip(tokens, serve["tokens"], strict=True)]
    options.activity = options.activity or (options.http and told.get("activity", False))
    options.serve = told


def apply_limits(limits: Mapping[str, Any], *, http: bool) -> None:
    """Replace the constants of the limits that settings state."""
    for key, name in WIRE_LIMITS.items():
        if key in limits:
            setattr(wire_limits, name, limits[key])
    if http:
        from . import http_limits

        for key, name in HTTP_LIMITS.items():
            if key in limits:
                setattr(http_limits, name, limits[key])


def token_variables(serve: Mapping[str, Any], named: str | None) -> set[str]:
    """Return the environment variables that hold tokens: those that the settings list, and the one that is named."""
    listed = serve.get("tokens")
    entries = listed if type(listed) is list else []
    texts = [entry if type(entry) is str else entry.get("token", "") for entry in entries]
    return {text.strip("${}") for text in texts if text} | {name for name in (serve.get("token_env"), named) if name}


def _filled(value: Any, key: str, environ: Mapping[bytes, bytes], missing: dict[str, list[str]]) -> Any:
    """Return a value with its references filled; names of variables that are not set go to `missing`."""
    if type(value) is list:
        return [_filled(each, key, environ, missing) for each in value]
    if type(value) is dict:
        return {name: _filled(each, key, environ, missing) for name, each in value.items()}
    if type(value) is not str or OPENING not in value:
        return value
    done, rest = "", value
    while OPENING in rest:
        before, _, rest = rest.partition(OPENING)
        name, _, rest = rest.partition("}")
        found = environ.get(name.encode(), b"").decode("utf-8", "replace")
        if not found:
            missing.setdefault(name, []).append(key)
        done += before + found
    return done + rest


def _problems(key: str, value: Any) -> Iterator[str]:
    """Yield why a filled value cannot be used; never the value, which may be a secret."""
    from .options import MAX_PORT, MAX_PROCESSES, path_problem

    if key == "port" and not (_digits(value) and int(value) <= MAX_PORT):
        yield f"is a number from 0 to {MAX_PORT}"
    elif key == "workers" and not (_digits(value) and int(value) <= MAX_PROCESSES):
        yield f"is a number from 0 to {MAX_PROCESSES}"
    elif key == "path":
        problem = path_problem(value)
        if problem is not None:
            yield problem
    elif key == "resource" and not _is_url(value):
        yield "is an http or https URL without a query"
    elif key == "authorization_servers" and not all(map(_is_url, value)):
        yield "are http or https URLs"
    elif key == "allow_origins" and not all("://" in origin and origin.isascii() for origin in value):
        yield "are schemes and hosts, as in https://app.example"


def _digits(value: object) -> bool:
    text = str(value)
    return text.isascii() and text.isdigit() and len(text) < 6


def _is_url(text: str) -> bool:
    scheme, found, rest = text.partition("://")
    plain = text.isascii() and text.isprintable() and not any(char in text for char in ' "<>?#\\')
    return bool(found and scheme.lower() in ("http", "https") and rest and not rest.startswith("/") and plain)


def _token(entry: Any, given: Any) -> dict[str, Any]:
    """Return a token of the settings as entries of a tokens file are; one that stands alone has every scope."""
    if type(entry) is str:
        return {"name": given.strip("${}"), "token": entry, "scopes": ["*"]}
    return dict(entry)
