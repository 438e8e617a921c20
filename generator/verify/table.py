"""All checks, in the order they run and are told: Milo's ten by their ids, then ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .checks import (
    answers,
    apps,
    calls,
    documentation,
    drift,
    ending,
    gateway,
    hosts,
    http,
    imports,
    lists,
    purity,
    schemas,
    start,
    transport,
)

if TYPE_CHECKING:
    from .finding import Check

MILO: tuple[Check, ...] = (
    *imports.CHECKS,
    *start.CHECKS,
    *schemas.CHECKS,
    *lists.CHECKS,
    apps.IN_PROCESS,
    *gateway.CHECKS,
    *transport.CHECKS,
    apps.TRANSPORT,
)
"""The ids that `milo verify` has (R054), with what they mean for a server that was generated."""

OURS: tuple[Check, ...] = (
    *schemas.WIRE_CHECKS,
    *calls.CHECKS,
    *hosts.CHECKS,
    *transport.OWN_CHECKS,
    *answers.CHECKS,
    *lists.OWN_CHECKS,
    *purity.CHECKS,
    *ending.CHECKS,
    *http.CHECKS,
    apps.LINKS,
    *drift.CHECKS,
    *documentation.CHECKS,
)

CHECKS: tuple[Check, ...] = (*MILO, *OURS)
BY_ID = {check.id: check for check in CHECKS}
