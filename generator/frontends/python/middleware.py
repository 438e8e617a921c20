"""Middleware that the settings name: where each function is in the emitted package, and whether it is there at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...config import Config
    from .program import Program
    from .selection import Chosen


def middleware_targets(
    config: Config, program: Program, module_targets: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """Return the import strings as the server needs them, outermost first, and what is wrong with those settings."""
    targets: list[str] = []
    found: list[Diagnostic] = []
    for position, text in enumerate(config.middleware):
        module, _, qualname = text.partition(":")
        reason = _problem(module, qualname, program)
        if reason is None:
            targets.append(f"{module_targets.get(module, module)}:{qualname}")
            continue
        message = f"`middleware` names `{text[:60]}`, and {reason}"
        span = config.span("middleware", position)
        found.append(Diagnostic(rule=rule("invalid-setting"), message=message, span=span, unit="middleware"))
    return tuple(targets), tuple(found)


def verify_problems(config: Config, program: Program) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the function that judges tokens: it has to be there, as middleware has."""
    text = config.serve.get("verify")
    if not isinstance(text, str):
        return ()
    module, _, qualname = text.partition(":")
    reason = _problem(module, qualname, program)
    if reason is None:
        return ()
    message = f"`serve.verify` names `{text[:60]}`, and {reason}"
    span = config.span("serve", "verify")
    return (Diagnostic(rule=rule("invalid-setting"), message=message, span=span, unit="serve.verify"),)


def tools_among(chosen: Iterable[Chosen], config: Config, module: str) -> list[Chosen]:
    """Return the functions of a module that are no middleware."""
    split = (text.partition(":") for text in config.middleware)
    around = frozenset(qualname for name, _, qualname in split if name == module)
    return [each for each in chosen if each.subject.unit not in around]


def _problem(module: str, qualname: str, program: Program) -> str | None:
    """Return why a function cannot be there, None when it may."""
    if not program.importable(module):
        return f"there is no module `{module[:60]}`"
    source = program.module(module)
    first = qualname.partition(".")[0]
    if source is None or first in source.index.names or source.index.stars:
        return None
    return f"`{module[:60]}` has no `{first[:60]}`"
