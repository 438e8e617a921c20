"""Async tools and contexts."""

import asyncio

from mcpgen import Context, SyncContext


async def wait(seconds: float) -> str:
    """Wait a little.

    Args:
        seconds: How long.
    """
    await asyncio.sleep(seconds)
    return "done"


async def count(upto: int, ctx: Context) -> int:
    """Count with progress.

    Args:
        upto: How far.
    """
    for number in range(upto):
        await ctx.progress(number, upto)
    return upto


def note(text: str, *, context: SyncContext) -> int:
    """Write into the log.

    Args:
        text: What to write.
    """
    context.log("info", text)
    return len(text)
