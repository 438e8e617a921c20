"""Handlers for numbers, arrays and tables of numpy, pandas, polars, pyarrow and their like, by what they can do.

In these libraries NaN, NaT and NA are how a missing value is written, so they become null here; infinity stays a
problem.
"""

from __future__ import annotations

from .exception_text import type_name
from .results_problem import ResultProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .results_walk import Walk

_TIME_KINDS = ("M", "m")
"""numpy's kind letters of datetime64 and timedelta64, whose `.item()` may be a bare count of nanoseconds."""


def numpy_scalar(value: Any, walk: Walk) -> Any:
    """Give a numpy scalar as the Python one."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind not in _TIME_KINDS:
        plain = value.item()
        if type(plain) is type(value):  # a long double gives itself
            plain = complex(value) if kind == "c" else float(value)
        return _missing_as_null(plain, walk)
    if str(value) == "NaT":
        return None
    return walk.convert(str(value)) if kind == "M" else walk.convert(value.astype("timedelta64[us]").item())


def array(value: Any, walk: Walk) -> Any:
    """Give an array or a column as nested lists."""
    size = getattr(value, "size", 0)
    if isinstance(size, int) and size > walk.left:
        raise ResultProblem("too-many-values", f"more than {walk.bounds.values:,} values in one result")
    if getattr(getattr(value, "dtype", None), "kind", None) in _TIME_KINDS and type(value).__name__ == "ndarray":
        return walk.convert(value[()]) if value.ndim == 0 else walk.items(value)
    return _missing_as_null(value.tolist(), walk)


def pandas_object(value: Any, walk: Walk) -> Any:
    """Give a table as its rows, and a column as its values."""
    if not hasattr(type(value), "columns"):  # asked of the class: a column may have a row of that name
        return array(value, walk)
    if not getattr(value.columns, "is_unique", True):
        raise ResultProblem("duplicate-key", f"{type_name(type(value))} has two columns of the same name")
    size = getattr(value, "size", 0)
    if isinstance(size, int) and size > walk.left:
        raise ResultProblem("too-many-values", f"more than {walk.bounds.values:,} values in one result")
    return _missing_as_null(value.to_dict("records"), walk)


def rows(value: Any, walk: Walk) -> Any:
    """Give a table of polars or pyarrow as its rows, a column of polars as its values."""
    give = getattr(value, "to_dicts", None) or getattr(value, "to_pylist", None) or value.to_list
    return _missing_as_null(give(), walk)


def _missing_as_null(value: Any, walk: Walk) -> Any:
    before, walk.missing_is_null = walk.missing_is_null, True
    try:
        return walk.convert(value)
    finally:
        walk.missing_is_null = before
