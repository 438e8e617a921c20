"""Credentials that a gateway would write down: found in headers, addresses, commands and values; never shown.

A heuristic: it warns, and refuses nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.routes import VARIABLE
from ..runtime.wire.secret_signs import SURE_VALUES, is_surely_secret

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..frontends.servers.sources import ServerSource
    from ..ir.routes import Child

SURE = re.compile("|".join(pattern for _, pattern in SURE_VALUES))
"""Values that are credentials whatever they are called: keys of well-known services, tokens, passwords in addresses."""

ENDINGS = "(?:key|token|secret|password|signature)"
PARAMETER = re.compile(rf"[?&][a-z_-]*{ENDINGS}=(?!\$\{{)[^&]+", re.IGNORECASE)
OPTION = re.compile(rf"--?[a-z-]*{ENDINGS}=(?!\$\{{).+", re.IGNORECASE)
"""Parameters of an address and options of a command with a credential in them, as far as that can be seen."""

HARMLESS_VALUE = re.compile(r"\d{0,5}|true|false|yes|no|on|off|none", re.IGNORECASE)
"""Values of limits and switches, such as TOKEN_LIMIT."""


def literal_secrets(source: ServerSource) -> Iterable[Diagnostic]:
    """Yield a warning for each credential that would be written down as it is; the value is not shown."""
    for header, value in source.headers.items():
        if is_surely_secret(header) and not VARIABLE.search(value):
            message = f"the header `{header}` of `{source.name}` has its secret in it"
            hint = f"Write it like `--header '{source.name}:{header}=${{TOKEN}}'`, and set TOKEN in the environment."
            yield _literal(source.name or source.text, message, hint)
    if source.url is not None and (PARAMETER.search(source.url) or SURE.search(source.url)):
        message = f"the address of `{source.name}` has a secret in it"
        yield _literal(source.name or "", message, "Send it as a header, from the environment.")
    if any(OPTION.match(word) or SURE.search(word) for word in source.words):
        message = f"the command of `{source.name}` has a secret in it"
        hint = f"Pass it on from the environment: `--env {source.name}:VARIABLE`, or `${{VARIABLE}}` in the words."
        yield _literal(source.name or "", message, hint)


def written_secrets(child: Child) -> Iterable[Diagnostic]:
    """Yield a warning for each value of a variable that looks like a credential; the value is not shown."""
    for variable, value in child.snapshot.start.values.items():
        if _is_secret(variable, value):
            message = (
                f"the value of `{variable}` for `{child.id}` looks like a secret, and is written into catalog.json"
            )
            hint = f"Say only its name there, as in `--env {variable}`, and set {variable} in the environment."
            yield _literal(child.id, message, hint)


def _is_secret(variable: str, value: str) -> bool:
    named = is_surely_secret(variable) and HARMLESS_VALUE.fullmatch(value) is None
    return named or SURE.search(value) is not None


def _literal(unit: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule("literal-secret"), message=message, hint=hint, unit=unit[:80])
