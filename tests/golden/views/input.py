"""A shop whose tools have views."""

from dataclasses import dataclass
from pathlib import Path

from mcpgen import SyncContext, tool, ui_resource

HERE = Path(__file__).parent


@dataclass
class Basket:
    """What is to be bought."""

    items: list[str]
    total: int


@tool(read_only=True, ui="ui://shop/basket")
def basket() -> Basket:
    """Tell what is in the basket."""
    return Basket(["tea", "bread"], 7)


@tool(ui="ui://shop/basket", visibility=["app"])
def put(item: str) -> str:
    """Put something into the basket.

    Args:
        item: Its name.
    """
    return f"{item} is in the basket"


@tool(ui="ui://shop/offers?of=today", visibility=["model"])
def offers() -> list[str]:
    """List today's offers."""
    return ["cheese"]


@tool(visibility=["app"])
def tick() -> str:
    """Say that the view is open."""
    return "tick"


def map_of(city: str) -> str:
    """Tell where the shop is.

    Args:
        city: The city.
    """
    return f"in the middle of {city}"


@ui_resource(
    "ui://shop/basket",
    title="Basket",
    csp={"resource_domains": ["https://*.pictures.example", "https://pictures.example"], "connectDomains": []},
    permissions=["clipboard_write", "camera"],
    domain="shop.example",
    prefers_border=False,
    icons=["https://shop.example/basket.png"],
    meta={"example.com/team": "shop"},
    timeout=5,
    max_concurrent=1,
)
async def basket_view() -> str:
    """Show the basket."""
    return "<!doctype html><title>Basket</title><img src='https://eu.pictures.example/tea.png' alt='Tea'>"


@ui_resource("ui://shop/offers?of=today")
def offers_view(ctx: SyncContext) -> bytes:
    """Show today's offers."""
    ctx.debug("looking for offers")
    return (HERE / "offers.html").read_bytes()


@ui_resource("ui://shop/help", file="pages/help.html")
def help_view() -> str:
    """Show help."""
    ...
