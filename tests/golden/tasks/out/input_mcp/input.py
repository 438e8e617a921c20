"""Work that takes its time."""

from mcpgen import Context, SyncContext, tool


@tool(task="optional")
def reindex(folder: str, ctx: SyncContext) -> int:
    """Index a folder anew.

    Args:
        folder: Where to look.
    """
    ctx.progress(0, message=folder)
    return len(folder)


@tool(task="required", timeout=600)
async def publish(ctx: Context) -> str:
    """Ask for a title, then publish."""
    title = await ctx.elicit("title", "Which title?", schema=str)
    await ctx.start_task()
    return f"published {title}"


@tool(task="forbidden")
def version() -> str:
    """Return the version."""
    return "1"
