"""Targets of overlay actions: JSONPath (RFC 9535) over a description. The only file that uses the JSONPath library."""

from __future__ import annotations

from itertools import islice
from typing import Any

from .limits import MAX_DEPTH, MAX_TARGETS


class TargetProblem(Exception):
    """A query cannot be used; the text says why."""


class Match:
    """A selected value: its location (names and array positions), and the container that holds it."""

    __slots__ = ("location", "parent", "value")

    def __init__(self, value: object, location: tuple[str | int, ...], parent: Any) -> None:
        self.value = value
        self.location = location
        self.parent = parent

    @property
    def key(self) -> str | int:
        """The name or position in the parent."""
        return self.location[-1]


def select(query: str, root: object) -> list[Match]:
    """Return what a query selects, each value once, in document order; raises TargetProblem."""
    from jsonpath import JSONPathEnvironment, exceptions

    class Environment(JSONPathEnvironment):
        max_recursion_depth = MAX_DEPTH + 1

    try:
        found = list(islice(Environment(strict=True).compile(query).finditer(root), MAX_TARGETS + 1))  # type: ignore[arg-type] # any JSON value
    except (exceptions.JSONPathError, RecursionError) as problem:
        raise TargetProblem(_first_line(problem)) from None
    if len(found) > MAX_TARGETS:
        raise TargetProblem(f"it selects more than {MAX_TARGETS} values")
    matches: dict[tuple[str | int, ...], Match] = {}
    for each in found:
        location = tuple(each.parts)
        parent = each.parent.obj if each.parent is not None else None
        matches.setdefault(location, Match(each.obj, location, parent))
    return list(matches.values())


def _first_line(problem: Exception) -> str:
    text = str(problem).strip().partition("\n")[0].strip()
    return text[:1].lower() + text[1:] if text else "it cannot be evaluated"
