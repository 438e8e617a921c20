"""Which errors say that a tool never ran."""

from __future__ import annotations

REJECTED = frozenset(("M-RUN-002", "M-CFG-004", "M-CMD-001", "M-AUTH-001", "M-AUTH-002"))
"""Errors of calls that never ran; so are those of their arguments."""

ARGUMENTS = "M-INP-"


def never_ran(error: object) -> bool:
    """Say whether a call that came to this error never ran."""
    return type(error) is str and (error in REJECTED or error.startswith(ARGUMENTS))
