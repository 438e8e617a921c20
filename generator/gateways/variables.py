"""The variables and headers that the servers of a gateway get: which are refused, and which would reach nobody.

The rules are the registry's: what a loader, an interpreter or a shell obeys needs a word of the person who builds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic, Severity
from ..diagnostics.rules import rule
from ..ir.routes import VARIABLE
from ..runtime.registry.names import is_obeyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..frontends.servers.sources import ServerSource
    from ..ir.routes import Child


def refused(source: ServerSource) -> Iterable[Diagnostic]:
    """Yield what is wrong with the variables that options and settings give to a server."""
    name = source.name or source.text
    if (source.values or source.env) and source.url is not None:
        yield _unused(name)
    obeyed = [each for each in source.env if is_obeyed(each)]
    obeyed += [each for each in source.values if is_obeyed(each, literal=True)]
    found = [each for each in dict.fromkeys(obeyed) if each not in source.allow_env]
    if found:
        shown = ", ".join(f"`{each[:60]}`" for each in found[:5])
        message = f"`{name[:80]}` would be given {shown}, which can change what its command runs"
        yield _finding("unsafe-entry", name, message, f"Leave it out, or allow it: `--allow-env {found[0][:60]}`.")


def without_process(child: Child) -> Iterable[Diagnostic]:
    """Yield an error for variables that are given to a registered server which is reached over HTTP."""
    start = child.snapshot.start
    if (start.values or start.env) and start.url is not None:
        yield _unused(child.id)


def unfilled(child: Child) -> Iterable[Diagnostic]:
    """Yield a warning for variables whose value is a `${NAME}`: only commands and headers are filled in."""
    for variable, value in child.snapshot.start.values.items():
        if VARIABLE.fullmatch(value):
            message = (
                f"`{child.id}` is given `{variable[:60]}` as it stands: no `${{NAME}}` is filled in within its value"
            )
            hint = f'Pass it on by its name, as in `env = ["{variable[:60]}"]`, and set it in the environment.'
            yield replace(_finding("unusable-gateway-option", child.id, message, hint), severity=Severity.WARNING)


def without_address(name: str, source: ServerSource, headers: Mapping[str, str]) -> Iterable[Diagnostic]:
    """Yield an error for headers of a server that was not named by an address, to which nothing would send them."""
    if not headers or source.url is not None:
        return
    first = next(iter(headers))[:60]
    if source.way == "registered":
        message = f"the header `{first}` for `{name[:80]}` is not sent: the registry says how that server is reached"
        hint = f"Put it into the entry: `mcpgen registry add {name[:80]} --replace --url URL --header '{first}: …'`."
    else:
        message = f"the header `{first}` for `{name[:80]}` is not sent: the server is started, not reached over HTTP"
        hint = f"Leave it out, or pass a variable on to the server: `--env {name[:80]}:VARIABLE`."
    yield _finding("unusable-gateway-option", name, message, hint)


def _unused(name: str) -> Diagnostic:
    message = f"`{name[:80]}` is reached over HTTP, so nothing gives it the variables of its `env`"
    hint = "Remove them, or send what it needs in `headers`."
    return _finding("unusable-gateway-option", name, message, hint)


def _finding(name: str, unit: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule(name), message=message, hint=hint, unit=unit[:80])
