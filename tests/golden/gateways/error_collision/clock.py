"""Times of the day."""

from mcpgen import resource


def noon() -> dict[str, int]:
    """Return the middle of the day."""
    return {"hour": 12, "minute": 0}


@resource("clock://zones")
def zones() -> str:
    """List the zones that are known."""
    return "UTC\n"
