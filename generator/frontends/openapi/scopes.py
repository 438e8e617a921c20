"""Scopes of an API: what its operations ask for, as the server's callers need it too (R097), and who checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...config.serve import scope_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...config import Config
    from ...ir.model import Tool
    from .model import Api, Operation


def scopes_of(operation: Operation) -> tuple[str, ...]:
    """Return the scopes a caller of the operation needs in any case: those that each of its alternatives asks for.

    What cannot stand in a header as a scope is left out.
    """
    ways = [[scope for scopes in each.schemes.values() for scope in scopes] for each in operation.security]
    if not ways:
        return ()
    common = set(ways[0]).intersection(*ways[1:])
    return tuple(dict.fromkeys(scope for scope in ways[0] if scope in common and scope_problem(scope) is None))


def declared_scopes(api: Api, config: Config, tools: Iterable[Tool]) -> tuple[str, ...]:
    """Return the scopes of the server: those of the settings, and of the served operations' security.

    Once the settings declare any, what extensions and settings ask for has to be among them or in the description.
    """
    used = [scope for tool in tools for scope in tool.scopes]
    if config.scopes:
        described = set(_described(api))
        used = [scope for scope in used if scope in described]
    return tuple(dict.fromkeys((*config.scopes, *used)))


def settings_of(config: Config) -> dict[str, Any]:
    """Return what the server is told; a check of tokens may stand in its own `handlers.py`."""
    told: dict[str, Any] = config.served
    verify = config.serve.get("verify")
    if isinstance(verify, str) and verify.startswith("handlers:"):
        told["serve"] = {**told["serve"], "verify": f".{verify}"}
    return told


def _described(api: Api) -> Iterator[str]:
    for scheme in api.schemes.values():
        for flow in scheme.flows:
            yield from flow.scopes
    for operation in api.operations:
        yield from scopes_of(operation)
