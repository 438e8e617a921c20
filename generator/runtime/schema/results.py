"""From what a tool returned to JSON, without importing anything the tool does not use.

Most results are plain already: dicts, lists, strings, finite numbers. `to_json` looks at such a tree once and returns
it as it is, not copied. Everything else is walked by `results_walk`, which is imported when first needed.
"""

from __future__ import annotations

from .exception_text import type_name
from .plain_json import is_plain, is_plainly_flat
from .results_problem import Bounds, ResultProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Bounds", "ResultProblem", "is_awaitable", "is_content", "is_plain_json", "to_json"]

_DEFAULT = Bounds()

FEW = 64
"""Members of an object that is looked at without counting."""

_ITERABLE_COROUTINE = 0x100
"""`inspect.CO_ITERABLE_COROUTINE`, set on generators made by `types.coroutine`."""


def to_json(value: Any, *, limits: Bounds = _DEFAULT) -> Any:
    """Return the JSON value of a Python value (dict, list, str, int, float, bool, None only); raises ResultProblem.

    A plain tree is returned itself; anything else is converted by the rules of docs/conversions.md.
    """
    if is_plain_json(value, limits):
        return value
    from .results_walk import Walk

    return Walk(limits).top(value)


def is_plain_json(value: Any, limits: Bounds = _DEFAULT) -> bool:
    """Say whether a value is JSON as it stands, within the limits."""
    try:
        if type(value) is dict and len(value) <= FEW and limits is _DEFAULT and is_plainly_flat(value):
            return True  # most results, in half the time
        return is_plain(value, limits.depth, [limits.values])
    except RuntimeError:  # RecursionError near the stack's end, or another thread changes the dict: the walk says which
        return False


def is_awaitable(value: object) -> bool:
    """Tell whether a value can be awaited: a coroutine, a future, anything with `__await__`."""
    kind = type(value)
    if hasattr(kind, "__await__"):
        return True
    code = getattr(value, "gi_code", None) if type_name(kind) == "generator" else None
    return code is not None and bool(code.co_flags & _ITERABLE_COROUTINE)


def is_content(value: object) -> bool:
    """Tell whether a value is a content block (Text, Image, …), by its marker: two copies never disagree."""
    return bool(getattr(type(value), "__mcp_content__", False))
