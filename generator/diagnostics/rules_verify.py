"""The rules about what `mcpgen verify` is given (MG570-MG579); what it finds is told by its checks, not by rules."""

from __future__ import annotations

from .model import Rule, Severity

VERIFY_RULES: tuple[Rule, ...] = (
    Rule(
        code="MG570",
        name="not-a-server",
        severity=Severity.ERROR,
        summary="What is to be verified is no server, or its golden calls cannot be read.",
        explanation=(
            "`mcpgen verify` takes a project folder that mcpgen built, a command after `--`, or an address after "
            "--url. Nothing was checked."
        ),
        action="Name a project folder, a command after `--`, or an address after --url.",
    ),
)
