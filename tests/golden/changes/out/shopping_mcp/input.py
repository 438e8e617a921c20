"""A shared list of shopping, which tells its readers when it changes.

Put things on it, take them off, and listen: everybody who has the list open is told.
"""

from mcpgen import Context, SyncContext, prompt, resource

ITEMS: dict[str, int] = {"milk": 1}


async def put(item: str, ctx: Context, count: int = 1) -> int:
    """Put something on the list.

    Args:
        item: What to buy.
        count: How many of it.

    Returns:
        How many of it are on the list now.
    """
    new = item not in ITEMS
    ITEMS[item] = ITEMS.get(item, 0) + count
    await ctx.resource_updated("shopping://list")
    if new:
        await ctx.resources_changed()
    return ITEMS[item]


def take(item: str, ctx: SyncContext) -> bool:
    """Take something off the list; false if it was not on it."""
    found = ITEMS.pop(item, None) is not None
    if found:
        ctx.resource_updated("shopping://list")
    return found


@resource("shopping://list")
def shopping() -> dict[str, int]:
    """What is on the list."""
    return ITEMS


@prompt
def plan() -> str:
    """Plan the shopping."""
    return "In which order do I buy these?"
