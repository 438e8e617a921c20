"""Patterns of a schema: which can be enforced, and at what price (decision 17).

A pattern that Python cannot match as ECMA-262 means it is only advertised. One whose time grows faster than the text is
too, since one call could hold a server for hours, unless `maxLength` beside it keeps the text short and the growth is
polynomial.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ..runtime.schema.patterns import PatternError, compile_pattern, translate
from .allowance import MOST_STEPS, Allowance
from .subschemas import Schema, parts

SHORT = 512
"""Characters up to which polynomial growth does no harm."""

CHECKED_ELSEWHERE = frozenset({r"^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$"})
"""Patterns of our own (of `Decimal`) that need no report: converting the value checks the same in linear time."""


_KEYWORDS = frozenset({"pattern", "patternProperties"})
_allowance = Allowance()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternProblem:
    """A pattern that is not enforced, and why."""

    pattern: str
    kind: Literal["untranslatable", "slow"]
    reason: str


def begin() -> None:
    """Begin with the patterns of a build: its allowance is whole, whatever was looked at before."""
    _problem.cache_clear()
    _allowance.left = MOST_STEPS


def pattern_problems(schema: Schema) -> tuple[PatternProblem, ...]:
    """Return the patterns of a schema that are not enforced, each once."""
    found: dict[str, PatternProblem] = {}
    for pattern, bounded in _patterns(schema):
        problem = None if pattern in found else _problem(pattern, bounded=bounded)
        if problem is not None:
            found[pattern] = problem
    return tuple(found.values())


def _patterns(schema: Schema) -> Iterator[tuple[str, bool]]:
    """Yield each pattern and whether the texts it is matched with are short."""
    for part in parts(schema):
        if _KEYWORDS.isdisjoint(part):
            continue
        pattern, limit = part.get("pattern"), part.get("maxLength")
        if isinstance(pattern, str):
            yield pattern, isinstance(limit, int) and limit <= SHORT
        keyed = part.get("patternProperties")
        if isinstance(keyed, Mapping):
            yield from ((key, False) for key in keyed)


@cache
def _problem(pattern: str, *, bounded: bool) -> PatternProblem | None:
    try:
        compile_pattern(pattern, strict=True)
    except PatternError as error:
        return PatternProblem(pattern=pattern, kind="untranslatable", reason=str(error))
    from .ambiguity import growth

    speed = growth(translate(pattern), _allowance)
    if speed == "linear" or (speed == "polynomial" and bounded):
        return None
    return PatternProblem(pattern=pattern, kind="slow", reason=f"its time may grow {speed}ly with the text")
