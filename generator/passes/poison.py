"""Wording by which a description would steer the model instead of describing a tool (OWASP MCP03, tool poisoning).

Rules are few and each needs an imperative aimed at the reader: documentation that merely mentions secrets, prompts or
other tools stays silent.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("ignore disregard forget override", "instruction prompt messages guidelines"),
        (
            r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|other|all|any|system)\b"
            r".{0,30}\b(?:instructions?|prompts?|messages|guidelines)\b"
        ),
        "tells the reader to ignore instructions",
    ),
    (
        ("< [",),
        (
            r"</?\s*(?:important|system|instructions?|secret|admin|assistant|user|hidden|prompt|critical)\s*/?>|"
            r"\[/?(?:INST|SYSTEM)\]|<\|[a-z_]+\|>|<<\s*/?SYS\s*>>"
        ),
        "has markup that passes for a system message",
    ),
    (
        ("not don't never without", "tell mention reveal inform notify show", "user human anyone"),
        (
            r"\b(?:do\s+not|don't|never|without)\b.{0,20}\b(?:tell|telling|mention|mentioning|reveal|inform|informing|notify|show)"
            r"\b.{0,20}\b(?:the\s+)?(?:user|human|anyone)\b"
        ),
        "asks to keep something from the user",
    ),
    (
        ("before after when", "using calling invoking you", "read send open cat fetch upload include pass provide"),
        (
            r"\b(?:before|after|when(?:ever)?)\s+(?:using|calling|you\s+(?:use|call)|invoking)\b.{0,60}\b(?:read|send|open|cat|fetch|"
            r"upload|include|pass|provide)\b.{0,60}(?:~/|/etc/|\.ssh|\.env\b|id_rsa|credential|password|secret|token|api\s*key|"
            r"conversation|history|system\s+prompt)"
        ),
        "asks for files or secrets before a call",
    ),
    (
        ("you", "must should have", "always first also never"),
        r"\byou\s+(?:must|should|have\s+to)\s+(?:always|first|also|never)\b.{0,40}\b(?:call|use|read|send|run|invoke|execute)\b",
        "orders the reader to act",
    ),
    (
        ("now pretend", "you pretend"),
        r"\b(?:you\s+are\s+now|pretend\s+to\s+be|from\s+now\s+on,?\s+you)\b.{0,60}",
        "tells the reader to be somebody else",
    ),
    (
        ("instead rather never", "other", "tool server"),
        r"\b(?:instead\s+of|rather\s+than|never\s+use)\b.{0,40}\b(?:any\s+other|all\s+other|other)\s+(?:mcp\s+)?(?:tools?|servers?)\b",
        "turns the reader away from other tools",
    ),
    (("mcp-name",), r"\bmcp-name\s*:", "has the registry's ownership marker"),
    (("base64",), r"\b(?:data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]{40,})", "hides data in a link"),
)
"""Per rule: lists of words of which every match has one each, in lower case, the pattern, and what is said."""

_SPLIT = tuple((tuple(tuple(words.split()) for words in needed), pattern, reason) for needed, pattern, reason in _RULES)

_LOOKALIKES = re.compile("[\u0130\u0131\u017f\u212a]")
"""The letters that are ASCII ones for patterns that ignore case, and not for `str.lower`."""

MAX_READ = 20_000
"""Characters looked at: the patterns are bounded, this bounds their sum."""


def suspicions(text: str) -> Iterator[str]:
    """Yield what a description seems to do to its reader, in words that follow its name."""
    # Few texts have any of the words, and those are found quicker than the patterns.
    lowered = None if _LOOKALIKES.search(text) else text.lower()
    for needed, pattern, reason in _SPLIT:
        if lowered is not None and not all(_has_any(lowered, words) for words in needed):
            continue
        if _compiled(pattern).search(text, 0, MAX_READ):
            yield reason


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when a text first has its words: most never do."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def _has_any(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110 - as a loop, because thousands of texts are looked at for dozens of words
        if word in text:
            return True
    return False
