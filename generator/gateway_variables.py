"""The variables that the servers of a gateway get: which are refused, and which would write a secret down.

The rules are the registry's: what a loader, an interpreter or a shell obeys needs a word of the person who builds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .diagnostics.model import Diagnostic
from .diagnostics.rules import rule
from .runtime.registry.examining import SECRET_WORDS
from .runtime.registry.names import is_obeyed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .frontends.servers.sources import ServerSource
    from .ir.routes import Child

SECRET_PARTS = SECRET_WORDS | {"credential", "credentials", "passphrase", "passwd", "pat", "pwd"}
"""Parts of the names of variables whose values let their holders in."""

SECRET_VALUE = re.compile(
    r"(?:sk|rk|gh[oprsu]|github_pat|glpat|xox[abeps])[-_].{16,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]+\.|\w+://[^/@\s:]+:[^/@\s]+@"
)
"""Values that are credentials whatever they are called: keys of well-known services, tokens, passwords in addresses."""

HARMLESS_VALUE = re.compile(r"\d{0,5}|true|false|yes|no|on|off|none", re.IGNORECASE)
"""Values of limits and switches, such as TOKEN_LIMIT."""


def refused(source: ServerSource) -> Iterable[Diagnostic]:
    """Yield what is wrong with the variables that options and settings give to a server."""
    name = source.name or source.text
    if source.values and source.url is not None:
        yield _unused(name)
    obeyed = [each for each in source.env if is_obeyed(each)]
    obeyed += [each for each in source.values if is_obeyed(each, literal=True)]
    found = [each for each in dict.fromkeys(obeyed) if each not in source.allow_env]
    if found:
        shown = ", ".join(f"`{each[:60]}`" for each in found[:5])
        message = f"`{name[:80]}` would be given {shown}, which can change what its command runs"
        yield _finding("unsafe-entry", name, message, f"Leave it out, or allow it: `--allow-env {found[0][:60]}`.")


def without_process(child: Child) -> Iterable[Diagnostic]:
    """Yield an error for values that are given to a registered server which is reached over HTTP."""
    if child.snapshot.start.values and child.snapshot.start.url is not None:
        yield _unused(child.id)


def written_secrets(child: Child) -> Iterable[Diagnostic]:
    """Yield a warning for each value of a variable that looks like a credential; the value is not shown."""
    for variable, value in child.snapshot.start.values.items():
        if _is_secret(variable, value):
            message = (
                f"the value of `{variable}` for `{child.id}` looks like a secret, and is written into catalog.json"
            )
            hint = f"Say only its name there, as in `--env {variable}`, and set {variable} in the environment."
            yield _finding("literal-secret", child.id, message, hint)


def _unused(name: str) -> Diagnostic:
    message = f"`{name[:80]}` is reached over HTTP, so nothing gives it the variables of its `env`"
    hint = "Remove them, or send what it needs in `headers`."
    return _finding("unusable-gateway-option", name, message, hint)


def _is_secret(variable: str, value: str) -> bool:
    parts = {part for part in re.split(r"[_0-9]+", variable.lower()) if part}
    named = bool(SECRET_PARTS & parts) and HARMLESS_VALUE.fullmatch(value) is None
    return named or SECRET_VALUE.search(value) is not None


def _finding(name: str, unit: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule(name), message=message, hint=hint, unit=unit[:80])
