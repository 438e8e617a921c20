"""How an overlay's value is merged into a description's: objects by member, arrays by joining, the rest by replacing.

Containers are changed in place, so that targets inside of other targets stay parts of the description.
"""

from __future__ import annotations

from typing import Any

from .limits import MAX_DEPTH, MAX_OVERLAY_NODES
from .load_problem import cut


class Incompatible(Exception):
    """Two values cannot be merged; the text says which."""


class Budget:
    """Counts the values that are copied: copying a description into itself again and again doubles it each time."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_OVERLAY_NODES

    def copy(self, value: Any, depth: int = 0) -> Any:
        """Return a value that shares nothing with the given one; raises Incompatible when there is too much."""
        if isinstance(value, (dict, list)):
            self._left -= len(value) + 1
            if self._left < 0:
                raise Incompatible(f"the overlay adds more than {MAX_OVERLAY_NODES} values")
            if depth > MAX_DEPTH:
                raise Incompatible(f"the result is nested deeper than {MAX_DEPTH} levels")
            if isinstance(value, dict):
                return {key: self.copy(item, depth + 1) for key, item in value.items()}
            return [self.copy(item, depth + 1) for item in value]
        return value


def check(target: Any, source: Any, *, strict: bool, path: str = "") -> None:
    """Raise Incompatible when a value cannot be merged into a target.

    Overlay 1.1 makes merging values of different kinds an error (`strict`); 1.0 says nothing, and there the overlay's
    value replaces the description's, except that null leaves an object or an array as it is.
    """
    if isinstance(target, dict) and isinstance(source, dict):
        for key, item in source.items():
            if key in target:
                check(target[key], item, strict=strict, path=f"{path}/{key}")
    elif isinstance(target, list) and (isinstance(source, list) or not path):
        return
    elif (isinstance(target, (dict, list)) or isinstance(source, (dict, list))) and (strict or not path):
        raise Incompatible(f"{_kind(source)} cannot be merged into {_kind(target)}{_where(path)}")


def merge(target: Any, source: Any, budget: Budget, *, nested: bool = False) -> Any:
    """Merge a checked value into a target, objects and arrays in place; return what stands there now."""
    if isinstance(target, dict) and isinstance(source, dict):
        for key, item in source.items():
            target[key] = merge(target[key], item, budget, nested=True) if key in target else budget.copy(item)
        return target
    if isinstance(target, list) and (isinstance(source, list) or not nested):
        added = budget.copy(source)
        target.extend(added if isinstance(source, list) else [added])
        return target
    if source is None and isinstance(target, (dict, list)):
        return target
    return budget.copy(source)


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    return "an array" if isinstance(value, list) else "a single value"


def _where(path: str) -> str:
    return f" at `{cut(path)}`" if path else ""
