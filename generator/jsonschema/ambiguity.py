"""How long a backtracking matcher may take: linear, polynomial or exponential time in the length of the text.

A matcher goes back when there are several ways to read the same text. Two different ways round a loop on one text
double the work with every round: exponential. Two loops one after the other that can share a text let it be cut
anywhere between them: polynomial (Weber and Seidl 1991, criteria EDA and IDA). Both are searched for in products of the
automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal

from .allowance import Allowance
from .automaton import Automaton, Ranges, TooLargeError, automata

Growth = Literal["linear", "polynomial", "exponential"]
Hopeful = Callable[[tuple[int, ...]], bool]

MAX_STEPS = 50_000
"""Nodes of the products that are looked at; an expression that needs more is taken for a slow one."""


def growth(pattern: str, allowance: Allowance | None = None) -> Growth:
    """Return how the time of a pattern, in Python's syntax, may grow; an undecided one counts as exponential."""
    allowance = allowance or Allowance()
    if allowance.left <= 0:
        return "exponential"
    steps = _Steps(min(MAX_STEPS, allowance.left))
    try:
        found = {_growth(automaton, steps) for automaton in automata(pattern)}
    except TooLargeError:
        return "exponential"
    finally:
        allowance.left -= steps.taken
    return next((kind for kind in ("exponential", "polynomial") if kind in found), "linear")


def _growth(automaton: Automaton, steps: _Steps) -> Growth:
    if automaton.doubled:
        return "exponential"
    search = _Search(automaton, steps)
    loops = [state for state in range(len(automaton.accepts)) if state in search.reached(state)]
    if any(search.comes_back_differently(state) for state in loops):
        return "exponential"
    if loops and automaton.repeated:  # a look-around that runs along the text, tried again in every round
        return "polynomial"
    pairs = ((p, q) for p, q in product(loops, loops) if p != q and q in search.reached(p))
    return "polynomial" if any(search.slides(p, q) for p, q in pairs) else "linear"


class _Steps:
    """Counts the steps of one expression."""

    __slots__ = ("_most", "taken")

    def __init__(self, most: int) -> None:
        self._most = most
        self.taken = 0

    def take(self, count: int) -> None:
        """Count steps. Raises TooLargeError when there were too many."""
        self.taken += count
        if self.taken > self._most:
            raise TooLargeError


class _Search:
    """Walks through products of one automaton, counting its steps."""

    def __init__(self, automaton: Automaton, steps: _Steps) -> None:
        self.automaton = automaton
        self.steps = steps
        self._reached: dict[int, set[int]] = {}

    def reached(self, start: int) -> set[int]:
        """Return the states that can follow a state, near or far."""
        if start not in self._reached:
            found: set[int] = set()
            waiting = list(self.automaton.follows[start])
            while waiting:
                state = waiting.pop()
                self.steps.take(1)
                if state not in found:
                    found.add(state)
                    waiting.extend(self.automaton.follows[state])
            self._reached[start] = found
        return self._reached[start]

    def comes_back_differently(self, state: int) -> bool:
        """Tell whether two different ways lead from a state back to it on the same text."""
        together = self._together((state, state), lambda pair: all(state in self.reached(each) for each in pair))
        return any(p != q and self._meets((p, q), (state, state)) for p, q in together)

    def slides(self, p: int, q: int) -> bool:
        """Tell whether one text leads from p to p, from p to q, and from q to q."""
        return self._meets((p, p, q), (p, q, q))

    def _meets(self, start: tuple[int, ...], end: tuple[int, ...]) -> bool:
        def hopeful(states: tuple[int, ...]) -> bool:
            return all(goal == at or goal in self.reached(at) for at, goal in zip(states, end, strict=True))

        return end in self._together(start, hopeful)

    def _together(self, start: tuple[int, ...], hopeful: Hopeful) -> set[tuple[int, ...]]:
        """Return what a tuple of states can become when all of them read the same text."""
        found: set[tuple[int, ...]] = set()
        waiting = [start]
        while waiting:
            for states in self._next(waiting.pop()):
                if states not in found and hopeful(states):
                    found.add(states)
                    waiting.append(states)
        return found

    def _next(self, states: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for following in product(*(self.automaton.follows[state] for state in states)):
            self.steps.take(1)
            if _common([self.automaton.accepts[state] for state in following]):
                yield following


def _common(sets: list[Ranges]) -> bool:
    """Tell whether some character is in all of the sets."""
    shared = sets[0]
    for other in sets[1:]:
        shared = tuple((max(a, c), min(b, d)) for a, b in shared for c, d in other if max(a, c) <= min(b, d))
    return bool(shared)
