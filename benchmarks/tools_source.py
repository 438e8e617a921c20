"""The module that is served: add, sleep, echo, and as many more as a table needs. Every server gets the same tools."""

from __future__ import annotations

HEAD = '''"""Tools for the benchmarks."""

import time


def add(a: int, b: int) -> dict[str, int]:
    """Add two numbers.

    Args:
        a: The first number.
        b: The second number.
    """
    return {"sum": a + b}


def sleep(seconds: float) -> dict[str, float]:
    """Sleep.

    Args:
        seconds: How long.
    """
    time.sleep(seconds)
    return {"slept": seconds}


def echo(text: str) -> dict[str, str]:
    """Echo a text.

    Args:
        text: What comes back.
    """
    return {"text": text}
'''

MORE = '''

def list_{number}(owner: str, count: int = 10, ratio: float = 0.5, labels: list[str] = []) -> dict[str, object]:
    """List the items of repository {number}, filtered by labels.

    Args:
        owner: Account that owns the repository.
        count: How many items to return.
        ratio: A ratio between zero and one.
        labels: Labels to filter by.
    """
    return {{"owner": owner, "count": count, "ratio": ratio, "labels": labels}}
'''

NAMED = 3
"""Tools of HEAD."""


def tools_source(tools: int) -> str:
    """Return the text of a module with this many tools, at least three."""
    return HEAD + "".join(MORE.format(number=number) for number in range(tools - NAMED))
