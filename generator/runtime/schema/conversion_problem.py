"""The one error of the conversions from JSON arguments to Python values."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Convert = Callable[[Any], Any]
    """A compiled conversion: takes a JSON value, returns the Python value, raises ConversionProblem."""

TOO_DEEP = "nested too deeply"


class ConversionProblem(Exception):
    """An argument that its schema accepts and the Python type does not.

    `path` holds the steps from the arguments' root in wire names and indexes; it grows at the front while the problem
    travels outwards. `message` is written for the model. `more` holds further problems of the same call.
    """

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message
        self.more: tuple[ConversionProblem, ...] = ()

    def enter(self, step: str | int) -> None:
        """Put the step that leads to this place in front of the path, and of the further problems' paths."""
        self.path = (step, *self.path)
        for other in self.more:
            other.enter(step)

    def __str__(self) -> str:
        place = "".join(f"/{step}" for step in self.path)
        return f"{place}: {self.message}" if place else self.message
