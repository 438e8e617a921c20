"""Settings of tools that do not exist: a table without effect is an error, never passed over (MG704)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...config import Config


def unmatched_settings(config: Config, exists: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each `tools.NAME` that names nothing in the module and has no `target`."""
    for unit, setting in config.tools.items():
        if setting.target is None and not exists(unit):
            message = f"`tools.{unit[:60]}` names nothing in the module that could be a tool"
            hint = "Use the function's name, or give the table a `target`."
            span = config.span("tools", unit)
            yield Diagnostic(rule=rule("unmatched-tool-setting"), message=message, span=span, hint=hint, unit=unit)
