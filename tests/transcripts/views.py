"""The views that the transcripts talk to."""

from mcpgen import ToolError, tool, ui_resource


@tool(read_only=True, ui="ui://weather/days", meta={"example.com/team": "sky"})
def days(city: str) -> list[int]:
    """Forecast the next days.

    Args:
        city: Its name.
    """
    return [len(city), 3]


@tool(ui="ui://weather/days", visibility=["app"])
def turn(page: int) -> str:
    """Turn the page of the view.

    Args:
        page: Its number.
    """
    return f"page {page}"


@ui_resource(
    "ui://weather/days",
    csp={"frame_domains": ["https://maps.example"], "connect_domains": ["https://api.weather.example"]},
    permissions=["geolocation", "camera"],
    prefers_border=True,
)
def days_view() -> str:
    """Show the days."""
    return "<!doctype html>\n<title>Days</title>"


@ui_resource("ui://weather/bytes")
async def bytes_view() -> bytes:
    """Show bytes."""
    return b"<!-- made elsewhere -->\n<HTML></HTML>"


@ui_resource("ui://weather/part")
def part_view(part: str = "p") -> str:
    """Return what is no page."""
    return f"<{part}>no page</{part}>"


@ui_resource("ui://weather/nothing")
def nothing_view():
    """Return what is no text."""
    return {"html": None}


@ui_resource("ui://weather/latin")
def latin_view() -> bytes:
    """Return what is no UTF-8."""
    return "<!doctype html>\xe5".encode("latin-1")


@ui_resource("ui://weather/down")
def down_view() -> str:
    """Fail on purpose."""
    raise ToolError("the chart is being repainted", hint="look again tomorrow", retryable=True)
