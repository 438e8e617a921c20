"""The one error of the conversion from Python results to JSON, and the bounds of that conversion."""

from __future__ import annotations

from .exception_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 190
"""Nesting of a result: the wire's limit of 200 less the layers a reply puts around it."""

MAX_VALUES = 2_000_000
"""Values in one result; as text they would be beyond the byte limit already."""

MAX_DRAINED = 100_000
"""Items taken from one iterator: generators may be endless, and no model reads more."""

MAX_STEP = 60
"""Characters of a key in a path."""


class ResultProblem(Exception):
    """A result that has no JSON form: `path` like `result[1].x`, `reason` a fixed word, `message` a sentence.

    Reasons: not-json-number, integer-too-large, lone-surrogate, circular-reference, too-deep, too-many-values,
    not-serialisable, bad-key, duplicate-key, content-inside-data, conversion-failed, stopped. When user code raised,
    the original exception is `__cause__`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message
        self._steps: list[str | int] = []

    def enter(self, step: str | int) -> None:
        """Put the step that leads to this place in front of the path."""
        self._steps.append(step)

    @property
    def path(self) -> str:
        """Return where in the result, written as Python would: `result.items[3]["odd key"]`."""
        return "result" + "".join(_step(step) for step in reversed(self._steps))

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class Bounds:
    """How much of a result is converted; `stop` is asked before each item of an iterator and ends the draining."""

    __slots__ = ("depth", "drained", "stop", "values")

    def __init__(
        self,
        *,
        depth: int = MAX_DEPTH,
        values: int = MAX_VALUES,
        drained: int = MAX_DRAINED,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.depth = depth
        self.values = values
        self.drained = drained
        self.stop = stop


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() and len(step) <= MAX_STEP else f'["{one_line(step, MAX_STEP)}"]'
