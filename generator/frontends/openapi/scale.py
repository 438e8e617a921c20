"""How much is said of each tool: less where there are very many, because every list of tools repeats all of it."""

from __future__ import annotations

from dataclasses import dataclass

CROWD = 300
"""Tools from which on each gets less room; in steps, so that one more operation does not reword all the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Characters of a tool's description and of an argument's, bytes of an answer's schema."""

    description: int
    argument: int
    answer: int


ROOMY = Scale(description=1000, argument=300, answer=1000)
"""Enough to choose a tool and to call it; the rest of a description's page is for people."""

CROWDED = Scale(description=300, argument=200, answer=400)
"""Two or three sentences: a list of 1,200 tools stays below two megabytes."""


WHOLE = Scale(description=10_000, argument=1000, answer=1000)
"""Whatever is said: no list repeats it, and who asks for one tool gets one."""


def scale_of(tools: int, *, listed: bool) -> Scale:
    """Return the room each of so many tools gets; `listed` tells that lists of tools show them."""
    if not listed:
        return WHOLE
    return ROOMY if tools < CROWD else CROWDED
