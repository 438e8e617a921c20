"""Departures, shown as a page."""

from mcpgen import tool, ui_resource


@tool(ui="ui://board/departures")
def departures(stop: str) -> dict[str, str]:
    """Tell the next departures of a stop."""
    return {"stop": stop, "next": "08:15"}


@ui_resource("ui://board/departures")
def page() -> str:
    """Show the departures."""
    return "<!doctype html><title>Departures</title>"
