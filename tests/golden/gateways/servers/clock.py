"""Times of the day, as a person would say them."""

from mcpgen import prompt, resource, tool


@tool(scopes=["clock:read"])
def spoken(hour: int, minute: int = 0) -> str:
    """Say a time in words.

    Args:
        hour: Hour of the day, from 0.
        minute: Minute of the hour.
    """
    return f"{minute} past {hour}" if minute else f"{hour} o'clock"


def noon() -> dict[str, int]:
    """Return the middle of the day."""
    return {"hour": 12, "minute": 0}


@resource("clock://zones")
def zones() -> str:
    """List the zones that are known."""
    return "UTC\n"


@resource("clock://zones/{name}")
def zone(name: str) -> str:
    """Tell the offset of a zone."""
    return f"{name}: 0\n"


@prompt
def meeting(topic: str) -> str:
    """Plan a meeting."""
    return f"Find a time to talk about {topic}."
