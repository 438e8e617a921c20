"""A report as JSON (`schemas/verify.schema.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .finding import Report

VERSION = 1
STATUSES = ("ok", "warn", "fail", "skip")


def document(report: Report) -> dict[str, Any]:
    """Return the report as a JSON value; seconds have three digits after the point."""
    return {
        "version": VERSION,
        "subject": {"kind": report.subject, "name": report.name},
        "status": report.status,
        "counts": {status: report.count(status) for status in STATUSES},  # type: ignore[arg-type] # the four there are
        "seconds": round(report.seconds, 3),
        "checks": [
            {
                "id": check.id,
                "title": check.title,
                "status": finding.status,
                "message": finding.message,
                "action": finding.action,
                "details": [*finding.details],
                "seconds": round(finding.seconds, 3),
            }
            for check, finding in report.findings
        ],
    }
