"""Credentials that a gateway would write down: found in headers, addresses, commands and values; never shown.

A heuristic: it warns, and refuses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.routes import VARIABLE
from ..runtime.registry.secret_values import has_secret, is_secret_address, is_secret_value
from ..runtime.wire.secret_signs import is_surely_secret

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..frontends.servers.sources import ServerSource
    from ..ir.routes import Child


def literal_secrets(source: ServerSource) -> Iterable[Diagnostic]:
    """Yield a warning for each credential that would be written down as it is; the value is not shown."""
    for header, value in source.headers.items():
        if is_surely_secret(header) and not VARIABLE.search(value):
            message = f"the header `{header}` of `{source.name}` has its secret in it"
            hint = f"Write it like `--header '{source.name}:{header}=${{TOKEN}}'`, and set TOKEN in the environment."
            yield _literal(source.name or source.text, message, hint)
    if source.url is not None and is_secret_address(source.url):
        message = f"the address of `{source.name}` has a secret in it"
        yield _literal(source.name or "", message, "Send it as a header, from the environment.")
    if has_secret(source.words):
        message = f"the command of `{source.name}` has a secret in it"
        hint = f"Pass it on from the environment: `--env {source.name}:VARIABLE`, or `${{VARIABLE}}` in the words."
        yield _literal(source.name or "", message, hint)


def registered_secrets(child: Child) -> Iterable[Diagnostic]:
    """Yield a warning for a credential in the command or the address of a server that the registry names."""
    start = child.snapshot.start
    if has_secret(start.command) or (start.url is not None and is_secret_address(start.url)):
        what = "command" if start.url is None else "address"
        message = f"the {what} of `{child.id}` in the registry has a secret in it, and is written into catalog.json"
        hint = "Register it again so that it comes from the environment: `--env NAME`, or a header with `${NAME}`."
        yield _literal(child.id, message, hint)


def written_secrets(child: Child) -> Iterable[Diagnostic]:
    """Yield a warning for each value of a variable that looks like a credential; the value is not shown."""
    for variable, value in child.snapshot.start.values.items():
        if is_secret_value(variable, value) and not VARIABLE.fullmatch(value):
            message = (
                f"the value of `{variable}` for `{child.id}` looks like a secret, and is written into catalog.json"
            )
            hint = f"Say only its name there, as in `--env {variable}`, and set {variable} in the environment."
            yield _literal(child.id, message, hint)


def _literal(unit: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule("literal-secret"), message=message, hint=hint, unit=unit[:80])
