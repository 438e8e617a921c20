"""Kinds of values that may hold `${NAME}`, filled from the environment when the server starts.

A value with such a reference is only looked at for its form here: what it comes to is known, and checked, at the start.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .kinds import Kind, described

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REFERENCE = r"\$\{[A-Za-z_][A-Za-z0-9_]*\}"
"""How a variable is written."""

_PLAIN = r"(?:[^$]|\$(?!\{))*"
FILLED = f"^{_PLAIN}(?:{REFERENCE}{_PLAIN})+$"
"""A text with at least one reference, and no `${` that begins none."""

_filled = re.compile(f"{_PLAIN}(?:{REFERENCE}{_PLAIN})+")
_secret = re.compile(REFERENCE)

MALFORMED = "has a `${` that begins no variable; write it as `${NAME}`"


def filled(kind: Kind) -> Kind:
    """Return the kind that also takes a text with references."""

    def problem(value: object) -> str | None:
        if isinstance(value, str) and "${" in value:
            return None if _filled.fullmatch(value) else MALFORMED
        return kind.problem(value)

    return Kind(schema=_either(kind.schema), problem=problem)


def filled_list(item: Callable[[str], str | None], pattern: str, wanted: str) -> Kind:
    """Return the kind of an array of texts; `item` says why one is not acceptable, `pattern` says the same."""

    def problem(value: object) -> str | None:
        if not isinstance(value, list) or not value:
            return f"must be an array of {wanted}"
        for each in value:
            if not isinstance(each, str):
                return f"must be an array of {wanted}, and holds {described(each)}"
            reason = (None if _filled.fullmatch(each) else MALFORMED) if "${" in each else item(each)
            if reason is not None:
                return f"must be an array of {wanted}: {reason}" if "${" not in each else reason
        return None

    texts = _either({"type": "string", "pattern": pattern})
    return Kind(schema={"type": "array", "items": texts, "minItems": 1}, problem=problem)


def is_reference(value: object) -> bool:
    """Say whether a value is one reference and nothing else."""
    return isinstance(value, str) and _secret.fullmatch(value) is not None


def _either(schema: Mapping[str, object]) -> dict[str, Any]:
    plain = {**schema, "not": {"type": "string", "pattern": r"\$\{"}}
    return {"anyOf": [plain, {"type": "string", "pattern": FILLED}]}
