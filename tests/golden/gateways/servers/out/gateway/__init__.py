"""An MCP server made by mcpgen: catalog.json has its tools, _runtime what runs them."""

__version__ = "0.1.0"


def invoke(
    name: str,
    arguments: "dict[str, object] | None" = None,
) -> "dict[str, object]":
    """Call a tool in this process as a client would, and return the result."""
    from ._runtime.server.main import invoke as call

    return call(__name__, __path__[0], name, arguments or {})
