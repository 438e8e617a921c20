"""A regular expression as an automaton whose states are the expression's characters (Glushkov's construction).

States are positions of character sets; an edge says that one may follow the other. Counted repetitions are unrolled
twice, which is enough to see whether their copies overlap. `doubled` tells that some edge lies on two loops at once, as
in `(a*)*`: the matcher then has two ways to go round, which the set of edges alone does not show. A reference to a
group reads what the group reads, so it stands for another copy of it.
"""

from __future__ import annotations

import re._constants as kinds  # type: ignore[import-not-found] # the parser of `re` has no public door
import re._parser as parser  # type: ignore[import-not-found] # the same
from dataclasses import dataclass, field
from typing import Any

from ..runtime.schema.characters import LAST, complement

Ranges = tuple[tuple[int, int], ...]

EVERYTHING: Ranges = ((0, LAST),)

MANY = 1000
"""A repetition that may go on for so long counts as endless."""

SEVERAL = 10
"""A repetition of or in another one counts as endless from here on: `(a{1,99}){1,99}` has as many ways as `(a+)+`."""

MAX_STATES = 400
"""Positions of one expression; authors write fewer than a hundred."""


class TooLargeError(ValueError):
    """The expression has too many positions to be looked into."""


@dataclass(slots=True)
class Automaton:
    """States by number: `accepts` are their characters, `follows` what may come next.

    `repeated` tells that it is a look-around inside a repetition.
    """

    accepts: list[Ranges] = field(default_factory=list)
    follows: list[set[int]] = field(default_factory=list)
    doubled: bool = False
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the expression: whether it may be empty, and the states it may begin and end with."""

    empty: bool
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()


_NOTHING = _Part(empty=True)


def automata(pattern: str) -> list[Automaton]:
    """Return the automata of an expression in Python's syntax: its own, and one for each look-around in it."""
    waiting: list[tuple[Any, bool]] = [(parser.parse(pattern, re_flags()), False)]
    groups: dict[int, Any] = {}
    made = []
    while waiting:
        items, repeated = waiting.pop()
        builder = _Builder(waiting, groups)
        builder.automaton.repeated = repeated
        builder.sequence(items)
        made.append(builder.automaton)
    return made


def re_flags() -> int:
    """Return the flags patterns are compiled with."""
    return int(kinds.SRE_FLAG_ASCII)


class _Builder:
    """Builds one automaton; look-arounds are put on `later`, with whether they stand in a repetition.

    `groups` are the groups by number that have been closed.
    """

    def __init__(self, later: list[tuple[Any, bool]], groups: dict[int, Any]) -> None:
        self.automaton = Automaton()
        self.later = later
        self.groups = groups
        self.repeats = 0
        self.around = 0

    def sequence(self, items: Any) -> _Part:
        whole = _NOTHING
        for kind, value in items:
            whole = self._joined(whole, self._part(kind, value))
        return whole

    def _part(self, kind: Any, value: Any) -> _Part:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.ANY, kinds.IN):
            return self._state(_ranges(kind, value))
        if kind is kinds.BRANCH:
            return self._either([self.sequence(item) for item in value[1]])
        if kind is kinds.SUBPATTERN:
            inside = self.sequence(value[3])
            if value[0] is not None:
                self.groups[value[0]] = value[3]
            return inside
        if kind is kinds.GROUPREF:
            return self.sequence(self.groups.get(value, ()))
        if kind is kinds.GROUPREF_EXISTS:  # how ECMA's references are written: a group that took no part reads nothing
            return self._either([self.sequence(item or ()) for item in value[1:]])
        if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            return self._repeated(*value)
        if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            self.later.append((value[1], self.automaton.repeated or self.around > 0))
        return _NOTHING  # also for anchors

    def _either(self, parts: list[_Part]) -> _Part:
        # The parser takes out what alternatives share: `(a|a)*` arrives as `(a(|))*`, with two ways to be empty.
        self.automaton.doubled |= self.around > 0 and sum(part.empty for part in parts) > 1
        return _Part(
            empty=any(part.empty for part in parts),
            first=frozenset().union(*(part.first for part in parts)),
            last=frozenset().union(*(part.last for part in parts)),
        )

    def _state(self, accepted: Ranges) -> _Part:
        if len(self.automaton.accepts) >= MAX_STATES:
            raise TooLargeError
        number = len(self.automaton.accepts)
        self.automaton.accepts.append(accepted)
        self.automaton.follows.append(set())
        return _Part(empty=False, first=frozenset([number]), last=frozenset([number]))

    def _joined(self, left: _Part, right: _Part) -> _Part:
        for state in left.last:
            self.automaton.follows[state] |= right.first
        return _Part(
            empty=left.empty and right.empty,
            first=left.first | right.first if left.empty else left.first,
            last=left.last | right.last if right.empty else right.last,
        )

    def _repeated(self, low: int, high: int, item: Any) -> _Part:
        if high == 0:
            return _NOTHING
        before, self.repeats = self.repeats, self.repeats + 1
        self.around += high > 1
        whole = self.sequence(item)
        self.around -= high > 1
        nested = self.around > 0 or self.repeats > before + 1
        if high >= MANY or (nested and high >= SEVERAL):
            # What may be empty can be skipped in any of the rounds.
            self.automaton.doubled |= whole.empty and high < MANY
            for state in whole.last:
                self.automaton.doubled |= not whole.first.isdisjoint(self.automaton.follows[state])
                self.automaton.follows[state] |= whole.first
        elif high > 1:
            again = self.sequence(item)
            whole = self._joined(whole, again if low > 1 else _Part(empty=True, first=again.first, last=again.last))
        return whole if low else _Part(empty=True, first=whole.first, last=whole.last)


def _ranges(kind: Any, value: Any) -> Ranges:
    if kind is kinds.LITERAL:
        return ((value, value),)
    if kind is kinds.NOT_LITERAL:
        return complement(((value, value),))
    if kind is kinds.ANY:
        return EVERYTHING
    negated = bool(value) and value[0][0] is kinds.NEGATE
    found: list[tuple[int, int]] = []
    for inner, item in value[negated:]:
        if inner is kinds.LITERAL:
            found.append((item, item))
        elif inner is kinds.RANGE:
            found.append(item)
        else:
            return EVERYTHING
    return complement(tuple(sorted(found))) if negated else tuple(sorted(found))
