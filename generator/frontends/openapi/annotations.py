"""What a tool tells of its effects: by the operation's method, unless somebody said otherwise (decision 30)."""

from __future__ import annotations

from ...ir.model import Annotations

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "QUERY", "TRACE"})
"""Methods that ask and do not change anything (RFC 9110, section 9.2.1; QUERY by its own draft)."""

IDEMPOTENT_METHODS = SAFE_METHODS | {"PUT", "DELETE"}
"""Methods that may be repeated with the effect of one request (RFC 9110, section 9.2.2)."""


def annotations_of(method: str, stated: Annotations) -> Annotations:
    """Return all four annotations of an operation; what is stated wins, the rest follows from it and the method.

    An operation that is stated to read only destroys nothing and may be repeated, whatever its method; one that is
    stated not to counts as destructive.
    """
    read_only = method in SAFE_METHODS if stated.read_only is None else stated.read_only
    contradicted = stated.read_only is False and method in SAFE_METHODS
    repeatable = read_only or (method in IDEMPOTENT_METHODS and not contradicted)
    return Annotations(
        read_only=read_only,
        destructive=not read_only if stated.destructive is None else stated.destructive,
        idempotent=repeatable if stated.idempotent is None else stated.idempotent,
        open_world=True if stated.open_world is None else stated.open_world,
    )
