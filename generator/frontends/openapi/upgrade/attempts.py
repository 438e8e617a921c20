"""Read the parts of an operation one after the other: what is wrong with one does not hide what is with the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from ..load_problem import ReferenceProblem
from .findings import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    Problem = Unreadable | ReferenceProblem

Part = TypeVar("Part")
Other = TypeVar("Other")
Given = ParamSpec("Given")


class Several(Exception):
    """An operation cannot be read, for each of these reasons."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(len(problems))
        self.problems = problems


class Attempts:
    """Collects the problems of an operation's parts."""

    __slots__ = ("problems",)

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def of(
        self, otherwise: Other, read: Callable[Given, Part], *given: Given.args, **named: Given.kwargs
    ) -> Part | Other:
        """Return what is read, or something else, which is never used: `settle` is asked before."""
        try:
            return read(*given, **named)
        except (Unreadable, ReferenceProblem) as problem:
            self.problems.append(problem)
            return otherwise

    def settle(self) -> None:
        """Raise Several when anything could not be read."""
        if self.problems:
            raise Several(self.problems)
