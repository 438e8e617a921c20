"""Handlers for arrays, sets, mappings and everything that can be iterated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from ..wire import jsonrpc
from .exception_text import exception_text, type_name
from .results_problem import ResultProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .results_rules import Handler
    from .results_walk import Walk


def handler_for_container(kind: type) -> Handler | None:
    """Return the handler of a mapping, set, tuple or sequence; None for any other class."""
    if issubclass(kind, tuple):
        return named_tuple if isinstance(getattr(kind, "_fields", None), tuple) else array
    if issubclass(kind, Mapping):
        return mapping
    if issubclass(kind, AbstractSet):
        # Views of a dict are sets by their interface but have an order of their own.
        return array if kind in (type({}.keys()), type({}.items())) else unordered
    if issubclass(kind, Sequence) or type_name(kind) == "deque" or kind is type({}.values()):
        return array
    return None


def handler_for_iterable(kind: type) -> Handler | None:
    """Return the handler of generators and other iterables; open files are not data, though they give lines."""
    if getattr(kind, "__iter__", None) is None or hasattr(kind, "read") or issubclass(kind, type):
        return None
    return iterable


def array(value: Any, walk: Walk) -> Any:
    """Give the items in their order."""
    return walk.items(value)


def named_tuple(value: Any, walk: Walk) -> Any:
    """Give an object by field name; an array would lose the names."""
    return walk.pairs(zip(type(value)._fields, value, strict=True))


def mapping(value: Any, walk: Walk) -> Any:
    """Give an object with text keys, in the mapping's order."""
    return walk.pairs(value.items())


def unordered(value: Any, walk: Walk) -> Any:
    """Give a set's items sorted: as they are if they can be compared, else by kind and text, so output never varies."""
    members = list(value)
    # Sets compare by inclusion, which is no order to sort by.
    ordered = None if any(isinstance(member, AbstractSet) for member in members) else _sorted(members)
    return sorted(walk.items(members), key=_kind_and_text) if ordered is None else walk.items(ordered)


def _sorted(members: list[Any]) -> list[Any] | None:
    try:
        return sorted(members)
    except Exception:  # noqa: BLE001  # no order among them, or a user's own comparison fails
        return None


def _kind_and_text(item: Any) -> tuple[str, Any, str]:
    number = item if isinstance(item, (int, float)) else 0
    return (type(item).__name__, number, "" if number else jsonrpc.text(item))


def iterable(value: Any, walk: Walk) -> Any:
    """Drain an iterator to an array, up to a bound; a generator is closed in any case."""
    try:
        return walk.items(_bounded(value, walk))
    finally:
        close = getattr(value, "close", None)
        if close is not None and hasattr(type(value), "__next__"):
            close()


def _bounded(value: Any, walk: Walk) -> Iterator[Any]:
    bounds = walk.bounds
    given = 0
    iterator = iter(value)
    while True:
        if bounds.stop is not None and bounds.stop():
            raise ResultProblem("stopped", f"the call ended after {given:,} items")
        try:
            item = next(iterator)
        except StopIteration:
            return
        except ResultProblem:
            raise
        except Exception as error:
            message = f"{type_name(type(error))} after {given:,} items: {exception_text(error)}"
            raise ResultProblem("conversion-failed", message) from error
        given += 1
        if given > bounds.drained:
            raise ResultProblem("too-many-values", f"{type_name(type(value))} gave more than {bounds.drained:,} items")
        yield item
