"""What is found while servers are put together, with settings that can be pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from ...diagnostics.model import Severity

MAX_SHOWN = 80
"""Characters of a name or a URI that a message repeats."""


def shown(text: str) -> str:
    """Return a name as messages show it."""
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def finding(
    name: str,
    unit: str,
    message: str,
    *,
    hint: str | None = None,
    paste: str | None = None,
    severity: Severity | None = None,
) -> Diagnostic:
    """Return a finding about a name of the gateway or one of its servers."""
    return Diagnostic(rule=rule(name), message=message, hint=hint, unit=unit, paste=paste, severity=severity)


def setting(server: str, line: str) -> str:
    """Return a setting of one server, ready to be pasted into mcpgen.toml."""
    return f"[gateway.servers.{server}]\n{line}"
