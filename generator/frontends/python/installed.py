"""What to do about findings in an installed module: its source is not the user's to change, the settings are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic

_SCHEMA_HINT = "State its `input_schema` in [tool.mcpgen.tools.{unit}]."

_HINTS = {
    "untyped-parameter": _SCHEMA_HINT,
    "undocumented-parameter": _SCHEMA_HINT,
    "undocumented-tool": "Set its `description` in [tool.mcpgen.tools.{unit}].",
    "docstring-unknown-parameter": None,
    "implicit-optional": None,
}
"""Rules whose hint is to edit the source, and what settings can do instead; None where nothing needs to be done."""


def for_installed(found: Diagnostic) -> Diagnostic:
    """Return a finding with a hint that somebody who did not write the module can follow."""
    if found.rule.name not in _HINTS or found.unit is None:
        return found
    hint = _HINTS[found.rule.name]
    return replace(found, hint=hint.format(unit=found.unit) if hint is not None else None)
