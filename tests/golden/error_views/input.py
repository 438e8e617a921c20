"""Views and links that cannot be used: each says why, and nothing is built."""

from mcpgen import resource, tool, ui_resource

__mcp_ui__ = {"listed": {"resourceUri": "ui://shop/listed", "csp": {"connectDomains": ["*"]}}}


@tool(ui="ui://shop/baskte")
def basket() -> int:
    """Count what is in the basket."""
    return 1


@tool(ui="https://shop.example/view.html")
def web() -> int:
    """Count visitors."""
    return 1


def listed() -> int:
    """Count what is listed."""
    return 1


@ui_resource("ui://shop/basket", csp={"connect_domains": ["https://a.example; script-src *"]})
def injecting() -> str:
    """Inject a directive."""
    return "<!doctype html><p>"


@ui_resource("ui://../../etc/passwd")
def climbing() -> str:
    """Climb."""
    return "<!doctype html><p>"


@ui_resource("ui://shop/needy")
def needy(city: str) -> str:
    """Need an argument."""
    return f"<!doctype html><p>{city}"


@ui_resource("ui://shop/number")
def number() -> int:
    """Return no page."""
    return 1


@ui_resource("ui://shop/fragment")
def fragment() -> str:
    """Return a part of a page."""
    return "<p>part</p>"


@ui_resource("ui://shop/file", file="../secret.html")
def climbing_file() -> str:
    """Climb to a file."""
    ...


@ui_resource("ui://shop/both", file="page.html")
def both() -> str:
    """Have a page twice."""
    return "<!doctype html><p>"


@ui_resource("ui://shop/camera", permissions=["webcam"], title="Camera")
def camera() -> str:
    """Ask for what there is not."""
    return "<!doctype html><p>"


@resource("ui://shop/resource")
def plain() -> str:
    """Claim the scheme."""
    return ""
