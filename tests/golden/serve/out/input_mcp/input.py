"""Weather for those who may know it."""

from mcpgen import tool


@tool(scopes=["weather:read"], read_only=True)
def forecast(city: str) -> str:
    """Forecast for a city.

    Args:
        city: Name, as people write it.
    """
    return f"sunny in {city}"


@tool(scopes=["weather:read", "weather:write"])
def record(city: str, degrees: float) -> int:
    """Write down what was measured.

    Args:
        city: Name, as people write it.
        degrees: Celsius.
    """
    return len(city) + int(degrees)
