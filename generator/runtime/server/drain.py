"""Collect what a generator yields into a list, with bounds: a tool's result is one message."""

from __future__ import annotations

from types import GeneratorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Any

    from .call import Call

MAX_ITEMS = 100_000
"""Items of one result. A generator with more has no end, or belongs behind pages."""


MAX_CHARACTERS = 64 * 1024 * 1024
"""Text and bytes among the items, together: beyond any result cap, below what would hurt the server."""


class EndlessResult(Exception):
    """A generator yielded more than a result may hold."""


class _Basket:
    """Items collected so far, with their bounds."""

    __slots__ = ("items", "size")

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.size = 0

    def add(self, item: Any) -> None:
        """Keep an item; raises EndlessResult."""
        if type(item) is str or type(item) is bytes:
            self.size += len(item)
        if len(self.items) >= MAX_ITEMS or self.size > MAX_CHARACTERS:
            message = f"the generator yields more than {MAX_ITEMS} items or {MAX_CHARACTERS} characters"
            raise EndlessResult(message)
        self.items.append(item)


def is_stream(value: object) -> bool:
    """Say whether the value gives its items only once: generators, asynchronous iterators, maps, but no files."""
    kind = type(value)
    if kind is GeneratorType or hasattr(kind, "__anext__"):
        return True
    return hasattr(kind, "__next__") and not hasattr(kind, "close")


def collect(stream: Iterator[Any], call: Call) -> list[Any]:
    """Return the items; raises EndlessResult, and stops early once nobody waits for them."""
    basket = _Basket()
    try:
        for item in stream:
            basket.add(item)
            if call.cancelled or call.finished:
                break
    finally:  # let a generator's own `finally` blocks run now rather than whenever it is collected
        closing = getattr(stream, "close", None)
        if closing is not None:
            closing()
    return basket.items


async def collect_async(stream: AsyncIterator[Any], call: Call) -> list[Any]:
    """Return an async stream's items; raises EndlessResult, and stops early once nobody waits for them."""
    basket = _Basket()
    try:
        async for item in stream:
            basket.add(item)
            if call.cancelled or call.finished:
                break
    finally:
        closing = getattr(stream, "aclose", None)
        if closing is not None:
            await closing()
    return basket.items
