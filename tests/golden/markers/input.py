"""A weather service."""

from typing import Annotated

from mcpgen import Param, Text, ToolError, tool


@tool(title="Forecast", read_only=True, open_world=False, timeout=10, scopes=["weather:read"], aliases=["weather"])
def forecast(
    city: Annotated[str, Param(description="Name, as people write it.", examples=["Oslo"], min_length=1)],
    days: Annotated[int, Param(description="How many days ahead.", ge=1, le=14)] = 3,
) -> list[str]:
    """Forecast for a city."""
    return [f"{city} {day}" for day in range(days)]


@tool(name="purge", destructive=True, max_concurrent=1)
def purge_cache(older_than: int) -> Text:
    """Delete old entries.

    Args:
        older_than: Age in days.
    """
    if older_than < 1:
        raise ToolError("that would delete everything", hint="give at least 1")
    return Text(f"deleted what is older than {older_than} days")


@tool(hidden=True)
def secret() -> str:
    """Not shown."""
    return "secret"
