"""The server whose changes the transcripts tell of."""

from typing import Literal

from mcpgen import Context, SyncContext, prompt, resource


async def turn(kind: Literal["tools", "prompts", "resources"], ctx: Context) -> None:
    """Tell that a list has changed."""
    if kind == "tools":
        await ctx.tools_changed()
    elif kind == "prompts":
        await ctx.prompts_changed()
    else:
        await ctx.resources_changed()


def touch(uri: str, ctx: SyncContext) -> None:
    """Tell that a resource has changed."""
    ctx.resource_updated(uri)
    ctx.close_stream()


@resource("shop://list")
def shopping() -> str:
    """What to buy."""
    return "milk"


@resource("shop://item/{number}")
def item(number: int) -> str:
    """One item."""
    return str(number)


@prompt
def plan() -> str:
    """Plan it."""
    return "plan"
