"""Is a tree JSON as it stands? Asked of every result, hence quick: one call per container, none for most leaves."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MAX_INTEGER_BITS = 14_284
"""Bits of the largest integer of 4,300 digits, the most Python turns into text by default."""


def is_text(text: str) -> bool:
    """Tell whether a string can be written as UTF-8, that is, has no lone surrogate."""
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_plain(value: Any, depth: int, left: list[int]) -> bool:
    """Tell whether a value is JSON without conversion, down to `depth` levels and `left[0]` values.

    A cycle ends at the depth, branches that are shared many times at the count.
    """
    kind = type(value)
    if kind is dict:
        return _plain_keys(value) and _plain_items(value.values(), depth, left)
    if kind is list:
        return _plain_items(value, depth, left)
    return _plain_leaf(value)


def is_plainly_flat(value: dict[Any, Any]) -> bool:
    """Tell whether an object surely is JSON: ASCII names, and ASCII texts or numbers; others need `is_plain`."""
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            return False
        kind = type(item)
        if kind is int:
            if item.bit_length() > MAX_INTEGER_BITS:
                return False
        elif kind is str:
            if not item.isascii():
                return False
        elif kind is float:
            if item - item != 0:  # an infinity or NaN
                return False
        elif kind is not bool and item is not None:
            return False
    return True


def _plain_items(items: Any, depth: int, left: list[int]) -> bool:
    left[0] -= len(items)
    if depth <= 0 or left[0] < 0:
        return False
    for item in items:
        kind = type(item)
        if kind is dict or kind is list:
            if kind is dict and not _plain_keys(item):
                return False
            if not _plain_items(item.values() if kind is dict else item, depth - 1, left):
                return False
        elif kind is str:
            if not (item.isascii() or is_text(item)):
                return False
        elif not _plain_leaf(item):
            return False
    return True


def _plain_keys(keys: Iterable[Any]) -> bool:
    for key in keys:  # noqa: SIM110  # a generator expression would double the time of a small dict
        if type(key) is not str or not (key.isascii() or is_text(key)):
            return False
    return True


def _plain_leaf(value: Any) -> bool:
    kind = type(value)
    if kind is int:
        return bool(value.bit_length() <= MAX_INTEGER_BITS)
    if kind is float:
        return bool(value - value == 0)  # not for infinities and NaN
    return value is None or kind is bool or (kind is str and is_text(value))
