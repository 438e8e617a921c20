"""Run checks over a subject. A check that meets something unforeseen has failed, and says what it met."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .context import DEFAULT_TIMEOUT, Context
from .conversation import Broken, Refused
from .finding import Finding, Report, fail, shown, skip
from .table import CHECKS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from .finding import Check
    from .golden import GoldenCall
    from .subject import Subject

KIND_WORDS = {"project": "a built project", "command": "a command", "url": "a URL"}


def run(
    subject: Subject,
    *,
    only: Collection[str] = (),
    without: Collection[str] = (),
    timeout: float = DEFAULT_TIMEOUT,
    calls: Sequence[GoldenCall] = (),
    source: Path | None = None,
    told: Callable[[Check, Finding], None] | None = None,
) -> Report:
    """Run the checks `only` names (none: all) but not those of `without`; each finding is `told` as it comes."""
    chosen = [check for check in CHECKS if (not only or check.id in only) and check.id not in without]
    begun = time.monotonic()
    findings = []
    with tempfile.TemporaryDirectory(prefix="mcpgen-verify-", ignore_cleanup_errors=True) as scratch:
        transport = any(check.id == "mcp_transport" for check in chosen)
        context = Context(
            subject, Path(scratch), timeout=timeout, calls=calls, source=source, tells_transport=transport
        )
        for check in chosen:
            finding = _found(check, context)
            findings.append((check, finding))
            if told is not None:
                told(check, finding)
    return Report(subject=subject.kind, name=subject.name, findings=tuple(findings), seconds=time.monotonic() - begun)


def _found(check: Check, context: Context) -> Finding:
    """Run one check and measure it."""
    kind = context.subject.kind
    begun = time.monotonic()
    if kind not in check.kinds:
        finding = skip(f"it makes no sense for {KIND_WORDS[kind]}")
    else:
        try:
            finding = check.run(context)
        except (Broken, Refused) as problem:
            finding = fail(str(problem), "See mcp_transport.")
        except Exception as failure:  # noqa: BLE001 - what a server does must never end a run
            met = f"{type(failure).__name__}: {shown(str(failure), 160)}"
            finding = fail(f"the check met something it does not know: {met}", "Report it in mcpgen's issue tracker.")
    return dataclasses.replace(finding, seconds=time.monotonic() - begun)
