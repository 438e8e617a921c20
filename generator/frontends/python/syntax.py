"""Which syntax of a newer Python a text uses, asked only after the running interpreter refused it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One addition to the grammar: the version that brought it and how a line with it looks."""

    version: tuple[int, int]
    what: str
    pattern: re.Pattern[str]


_NAME = r"[^\W\d]\w*"
FEATURES: tuple[Feature, ...] = (
    Feature(version=(3, 12), what="a `type` statement", pattern=re.compile(rf"^\s*type\s+{_NAME}\s*[=\[]")),
    Feature(
        version=(3, 12),
        what="a type parameter list",
        pattern=re.compile(rf"^\s*(?:(?:async\s+)?def|class)\s+{_NAME}\s*\["),
    ),
    Feature(
        version=(3, 12),
        what="an f-string with quotes or a backslash inside its braces",
        pattern=re.compile(r"""(?<!\w)(?:[fF][rR]?|[rR][fF])(["'])(?:(?!\1).)*\{[^}"']*(?:\1|\\)"""),
    ),
    Feature(
        version=(3, 13),
        what="a default of a type parameter",
        pattern=re.compile(rf"^\s*(?:(?:async\s+)?def|class|type)\s+{_NAME}\s*\[[^\]]*{_NAME}\s*="),
    ),
    Feature(
        version=(3, 14),
        what="a template string",
        pattern=re.compile(r"""(?<![\w"'])(?:[tT][rR]?|[rR][tT])["']"""),
    ),
    Feature(
        version=(3, 14),
        what="an `except` with several types and no brackets",
        pattern=re.compile(rf"^\s*except\*?\s+{_NAME}(?:\.{_NAME})*\s*,[^:()]*:"),
    ),
    Feature(
        version=(3, 15),
        what="a lazy import",
        pattern=re.compile(r"^\s*lazy\s+(?:import|from)\s"),
    ),
)


def newer_feature(text: str, line: int) -> Feature | None:
    """Return the newest feature on or just above a line that this interpreter's grammar lacks, or None."""
    lines = re.split(r"\r\n|\r|\n", text)
    near = lines[max(line - 2, 0) : line]
    found = [
        feature
        for feature in FEATURES
        if feature.version > sys.version_info[:2] and any(feature.pattern.search(each) for each in near)
    ]
    return max(found, key=lambda feature: feature.version, default=None)
