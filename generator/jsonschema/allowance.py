"""How much work the patterns of one build may be."""

from __future__ import annotations

MOST_STEPS = 150_000
"""Steps for all expressions of one build, a second or two: in real descriptions those that can be decided need a
tenth of it, hundreds of them together."""


class Allowance:
    """The steps that are left for the expressions of one build; when they are used up, the rest counts as slow."""

    __slots__ = ("left",)

    def __init__(self, left: int = MOST_STEPS) -> None:
        self.left = left
