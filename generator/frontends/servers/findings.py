"""What is told of a server that is read: one line each, whatever its own texts hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from ...diagnostics.model import Severity

MAX_SHOWN = 80
"""Characters of a server's own text that a message repeats."""

MAX_REASON = 600
"""Characters of why a server cannot be read: two paths and the last line it wrote have room."""


def shown(text: object, room: int = MAX_SHOWN) -> str:
    """Return a text of a server as messages show it: printable, on one line, cut."""
    line = " ".join("".join(each if each.isprintable() else " " for each in str(text)[: 4 * room]).split())
    return line if len(line) <= room else f"{line[: room - 1]}…"


def finding(
    name: str, unit: str, message: str, *, hint: str | None = None, severity: Severity | None = None
) -> Diagnostic:
    """Return a finding about the server or the source `unit`."""
    return Diagnostic(rule=rule(name), message=message, hint=hint, unit=unit, severity=severity)
