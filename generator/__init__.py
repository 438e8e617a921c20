"""Turn annotated Python modules and API descriptions into standalone MCP servers."""

__version__ = "0.1.0"

__mcpgen__ = True
"""What the launcher looks for: another distribution may install a package of the same name."""
