"""What people are told about serving over HTTP: the words that start it, and the variables its settings name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..ir.model import Json, Server

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def is_default(server: Server) -> bool:
    """Return whether a server serves HTTP unless it is started with `--mcp`."""
    return _serve(server).get("transport") == "http"


def words(server: Server) -> tuple[str, ...]:
    """Return what makes a server serve over HTTP."""
    return () if is_default(server) else ("--http",)


def variables(server: Server) -> tuple[str, ...]:
    """Return the environment variables that the settings of serving name, sorted."""
    return tuple(sorted(uses(server)))


def uses(server: Server) -> dict[str, tuple[str, ...]]:
    """Return those variables, and the settings each is for."""
    found: dict[str, list[str]] = {}
    for key, value in _serve(server).items():
        named = [name for text in _texts(value) for name in _REFERENCE.findall(text)]
        named += [value] if key == "token_env" and isinstance(value, str) else []
        for name in dict.fromkeys(named):
            found.setdefault(name, []).append(key)
    return {name: tuple(keys) for name, keys in found.items()}


def _serve(server: Server) -> Mapping[str, Json]:
    serve = server.settings.get("serve")
    return serve if isinstance(serve, Mapping) else {}


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
