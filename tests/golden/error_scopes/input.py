"""Scopes that nobody declared."""

from mcpgen import tool


@tool(scopes=["weather:read"])
def forecast(city: str) -> str:
    """Forecast for a city."""
    return city


@tool(scopes=["weather:raed"])
def warnings(city: str) -> str:
    """Warnings for a city."""
    return city


@tool(scopes=["admin", "two words"])
def reset() -> int:
    """Begin again."""
    return 0
