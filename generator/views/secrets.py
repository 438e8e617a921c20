"""Texts that look like keys, tokens or passwords: a view is shown to whoever opens it, and kept by hosts (R044)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..runtime.wire.secret_signs import SURE_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_FOUND = 10
"""Places that are told of in one view."""

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    *((kind, re.compile(pattern)) for kind, pattern in SURE_VALUES),
    (
        "a secret",
        re.compile(
            r"(?i)\b(?:api[_-]?key|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|passw(?:or)?d|secret)"
            r"[\"']?\s*[:=]\s*[\"'](?![^\"']*(?:\$\{|\{\{|<|\byour\b|example|placeholder|xxx))[^\"'\s]{8,}[\"']"
        ),
    ),
)
"""What looks like a secret in a page: the values of the one table, and what a script gives such a name."""


class Secret(NamedTuple):
    """What looks like a secret, and the line it stands in (from 1); never the text itself."""

    kind: str
    line: int


def secrets(text: str) -> Iterator[Secret]:
    """Yield what looks like a secret, one for each line, in order."""
    found: dict[int, str] = {}
    for kind, pattern in _KINDS:
        for match in pattern.finditer(text):
            found.setdefault(text.count("\n", 0, match.start()) + 1, kind)
    for line in sorted(found)[:MAX_FOUND]:
        yield Secret(found[line], line)
