"""Texts that look like keys, tokens or passwords: a view is shown to whoever opens it, and kept by hosts (R044)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_FOUND = 10
"""Places that are told of in one view."""

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a private key", re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----")),
    ("a key of AWS", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a token of GitHub", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})")),
    ("a token of GitLab", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}")),
    ("a token of Slack", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    ("a key of Google", re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b")),
    ("a key of Stripe", re.compile(r"\b[rs]k_live_[0-9A-Za-z]{16,}")),
    ("an API key", re.compile(r"\bsk-[A-Za-z0-9_-]{20,}")),
    ("a signed token", re.compile(r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}")),
    ("a bearer token", re.compile(r"\bBearer\s+[A-Za-z0-9._~+/-]{20,}")),
    ("a password in an address", re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>{}$]{1,100}:[^\s/@\"'<>{}$]{3,100}@")),
    (
        "a secret",
        re.compile(
            r"(?i)\b(?:api[_-]?key|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|passw(?:or)?d|secret)"
            r"[\"']?\s*[:=]\s*[\"'](?![^\"']*(?:\$\{|\{\{|<|\byour\b|example|placeholder|xxx))[^\"'\s]{8,}[\"']"
        ),
    ),
)  # fmt: skip


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
