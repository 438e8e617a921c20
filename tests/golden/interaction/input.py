"""Functions that ask their client, with middleware around them."""

import os
from typing import Literal

from mcpgen import Context, Elicit, Roots, SyncContext, tool


@tool(destructive=True, confirm=True)
def purge(days: int) -> str:
    """Delete what is older.

    Args:
        days: Age in days.
    """
    return f"deleted what is older than {days} days"


async def choose(ctx: Context) -> str:
    """Have the person choose."""
    size = await ctx.elicit("size", "Which size?", schema=Literal["small", "large"])
    return f"{size}"


def careless(ctx: SyncContext) -> str:
    """Make two mistakes."""
    os.remove("notes.txt")
    both = ctx.ask(name=Elicit("Your name?", str), roots=Roots())
    again = ctx.elicit("name", "Your name again?", schema=str)
    return f"{both} {again}"


def double(number: int) -> int:
    """Double a number.

    Args:
        number: What is doubled.
    """
    return 2 * number
