"""The tools that the transcripts talk to."""

import time
from dataclasses import dataclass
from typing import Annotated, Literal

from mcpgen import Audio, Context, File, Image, Link, Param, SyncContext, Text, ToolError, tool


@dataclass
class Sum:
    """What adding gives."""

    total: int
    terms: list[int]


@tool(title="Add", read_only=True)
def add(terms: Annotated[list[int], Param(min_length=1)], scale: Annotated[int, Param(ge=1, le=9)] = 1) -> Sum:
    """Add whole numbers.

    Args:
        terms: What is added.
        scale: What the sum is multiplied by.
    """
    return Sum(sum(terms) * scale, terms)


def shout(text: str, mark: Literal["!", "?"] = "!") -> str:
    """Say it loudly.

    Args:
        text: What is said.
        mark: How it ends.
    """
    return text.upper() + mark


def count(letters: str) -> dict[str, int]:
    """Count letters.

    Args:
        letters: The text they stand in.
    """
    return {letter: letters.count(letter) for letter in sorted(set(letters))}


def forget() -> None:
    """Do something and say nothing."""


def nap(seconds: float) -> str:
    """Sleep.

    Args:
        seconds: How long.
    """
    time.sleep(seconds)
    return "rested"


async def walk(steps: int, ctx: Context) -> str:
    """Take steps and tell of each.

    Args:
        steps: How many.
    """
    for step in range(1, steps + 1):
        await ctx.progress(step, steps, f"step {step}")
    await ctx.debug("walked", steps=steps)
    await ctx.warning("tired")
    return "there"


def climb(ctx: SyncContext) -> str:
    """Go up and say so."""
    ctx.progress(1)
    ctx.progress(2, 2)
    ctx.error("high", metres=100)
    return "up"


def fail(kindly: bool) -> str:
    """Go wrong.

    Args:
        kindly: Whether the author meant it.
    """
    if kindly:
        raise ToolError("there is no more bread", hint="buy some", retryable=True)
    raise RuntimeError("boom in /home/user/bakery.py with token=abc123")


def show() -> list[Text | Image | Audio | File | Link]:
    """Return content of every kind."""
    return [
        Text("words"),
        Image(b"\x89PNG\r\n\x1a\n"),
        Audio(b"RIFF\x00\x00\x00\x00WAVE"),
        File("file:///notes.txt", text="noted"),
        Link("https://example.org/page", name="page", title="A page"),
    ]
