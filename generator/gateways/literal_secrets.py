"""Credentials that a gateway would write down: found in headers, addresses, commands and values; never shown.

A heuristic: it warns, and refuses nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.routes import VARIABLE
from ..runtime.registry.examining import SECRET_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..frontends.servers.sources import ServerSource
    from ..ir.routes import Child

SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"})
"""Headers whose values let their holders in."""

SECRET_PARAMETER = re.compile(r"[?&](?:[a-z_-]*(?:key|token|secret|password|signature))=(?!\$\{)[^&]+", re.IGNORECASE)
SECRET_WORD = re.compile(
    r"(?:^--?[a-z-]*(?:key|token|secret|password)=(?!\$\{).+|^(?:sk|ghp|xox[abp])[-_].{16,})", re.IGNORECASE
)
"""Words of a command that are credentials, as far as that can be seen."""

SECRET_PARTS = SECRET_WORDS | {"credential", "credentials", "passphrase", "passwd", "pat", "pwd"}
"""Parts of the names of variables whose values let their holders in."""

SECRET_VALUE = re.compile(
    r"(?:sk|rk|gh[oprsu]|github_pat|glpat|xox[abeps])[-_].{16,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]+\.|\w+://[^/@\s:]+:[^/@\s]+@"
)
"""Values that are credentials whatever they are called: keys of well-known services, tokens, passwords in addresses."""

HARMLESS_VALUE = re.compile(r"\d{0,5}|true|false|yes|no|on|off|none", re.IGNORECASE)
"""Values of limits and switches, such as TOKEN_LIMIT."""


def literal_secrets(source: ServerSource) -> Iterable[Diagnostic]:
    """Yield a warning for each credential that would be written down as it is; the value is not shown."""
    for header, value in source.headers.items():
        if header.lower() in SECRET_HEADERS and not VARIABLE.search(value):
            message = f"the header `{header}` of `{source.name}` has its secret in it"
            hint = f"Write it like `--header '{source.name}:{header}=${{TOKEN}}'`, and set TOKEN in the environment."
            yield _literal(source.name or source.text, message, hint)
    if source.url is not None and SECRET_PARAMETER.search(source.url):
        message = f"the address of `{source.name}` has a secret in it"
        yield _literal(source.name or "", message, "Send it as a header, from the environment.")
    if any(SECRET_WORD.search(word) for word in source.words):
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
    parts = {part for part in re.split(r"[_0-9]+", variable.lower()) if part}
    named = bool(SECRET_PARTS & parts) and HARMLESS_VALUE.fullmatch(value) is None
    return named or SECRET_VALUE.search(value) is not None


def _literal(unit: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule("literal-secret"), message=message, hint=hint, unit=unit[:80])
